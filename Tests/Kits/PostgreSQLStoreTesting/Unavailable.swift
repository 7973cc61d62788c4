#if !PostgreSQL
/// A PostgreSQL server for tests.
@available(*, unavailable, message: "enable the package trait PostgreSQL: .package(…, traits: [\"PostgreSQL\"])")
public enum PostgreSQLServer {}
#endif
