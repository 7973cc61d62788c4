#if !PostgreSQL
/// A database on a PostgreSQL server.
@available(*, unavailable, message: "enable the package trait PostgreSQL: .package(…, traits: [\"PostgreSQL\"])")
public enum Database {}
#endif
