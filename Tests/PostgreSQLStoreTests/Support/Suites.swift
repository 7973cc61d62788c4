#if PostgreSQL
import PostgreSQLStore
import PostgreSQLStoreTesting
import Testing

extension Trait where Self == ConditionTrait {
    /// Runs the tests where a server can be started or is named in the environment.
    static var needsServer: Self {
        .enabled(
            if: PostgreSQLServer.isAvailable,
            "no PostgreSQL server: install the Debian package postgresql, or set TRAVELINE_POSTGRESQL")
    }

    /// Runs the tests where a server of their own and pgbouncer can be started.
    static var needsPooler: Self {
        .enabled(
            if: PostgreSQLServer.isAvailable && PostgreSQLServer.isOwned && PgBouncer.isAvailable,
            "no pgbouncer or no server of the tests' own: install the Debian packages pgbouncer and postgresql")
    }

    /// Runs the tests where a server can be started that they may stop.
    static var needsOwnServer: Self {
        .enabled(
            if: PostgreSQLServer.isAvailable && PostgreSQLServer.isOwned,
            "no PostgreSQL server of the tests' own: install the Debian package postgresql")
    }
}
#endif
