#if PostgreSQL
public import DatabaseAccess

extension Database {
    /// The options for opening a database.
    ///
    /// ```swift
    /// let configuration = Database.Configuration().with { $0.connectionCount = 8 }
    /// ```
    public struct Configuration: Sendable {
        /// The maximum number of connections for accesses, at least 1; the default is 4. Observations use one more.
        public var connectionCount = 4
        /// The maximum time of an access, from the call to the end of its commit: it includes the wait for a
        /// connection, connecting, every statement, and runs after a failure. The default is 30 seconds; nil is no
        /// limit. At its end the running statement is cancelled, and the transaction rolled back, which together
        /// take at most twice `cancellationTimeout`. ``Connection/withStatementTimeout(_:_:)`` gives long work
        /// within an access limits of its own.
        public var accessTimeout: Duration? = .seconds(30)
        /// The maximum time to wait for a free connection, of the pool or of the server; the default is 10 seconds.
        public var leaseTimeout = Duration.seconds(10)
        /// The maximum time to connect to one of the hosts of the location, including looking up their names and
        /// encryption; the default is 5 seconds.
        public var connectTimeout = Duration.seconds(5)
        /// The maximum time for one statement, from sending it to the last of its rows, after which it is cancelled;
        /// the default is 30 seconds. nil is no limit but that of the access.
        public var statementTimeout: Duration? = .seconds(30)
        /// The maximum time for a statement of a migration; the default is 10 minutes.
        public var migrationTimeout: Duration? = .seconds(600)
        /// How long a cancelled statement may take to end before its connection is closed; the default is 2
        /// seconds.
        public var cancellationTimeout = Duration.seconds(2)
        /// The isolation of writes from each other; the default is `.serializable`.
        public var isolation = Isolation.serializable
        /// Whether writes can change data although `default_transaction_read_only` is on, as an administrator sets it for
        /// a role, a database or the server; the default is false: such a write throws `.readOnly`.
        public var overridesReadOnlyDefault = false
        /// The maximum number of times that a transaction runs again after a serialization failure or a deadlock;
        /// the default is 20.
        public var retryCount = 20
        /// Whether statements are prepared once and then run by name. The default, nil, prepares them unless a
        /// connection pooler is recognized, which may run each transaction on another session of the server.
        /// Set it to true for a pooler that supports prepared statements, such as pgbouncer from 1.21 on with
        /// `max_prepared_statements`. Where the server turns out to have other statements, a connection behind a
        /// pooler sends them as text from then on.
        public var preparesStatements: Bool?
        /// The number of prepared statements that each connection caches, at least 1; the default is 200.
        public var statementCacheCapacity = 200
        /// The clock of the intervals of observations; the default is the continuous clock.
        public var clock: any Clock<Duration> = ContinuousClock()
        /// The name under which commits are announced to observers, also of other processes; the default is
        /// `postgresql_store`. It is a channel of `NOTIFY`, prefixed with the current schema.
        public var channel = "postgresql_store"
        /// The reporting of slow statements, those that failed and those that begin and end transactions included; the
        /// default is none.
        public var slowStatements: SlowStatements?
        /// Called with each new connection before its first access, for example to `SET` parameters of the session.
        /// Behind a pooler in transaction mode these reach only some accesses, and those of other clients: use
        /// `ALTER ROLE … SET` there. Its errors are thrown by `open`, or by the access that needed the connection.
        ///
        /// ```swift
        /// configuration.prepare = { db in try db.execute("SET TIME ZONE 'UTC'") }
        /// ```
        public var prepare: (@Sendable (Connection) throws -> Void)?

        public init() {}

        public func with(_ change: (inout Configuration) throws -> Void) rethrows -> Configuration {
            var copy = self
            try change(&copy)
            return copy
        }
    }

    /// How transactions are isolated from each other
    /// (https://www.postgresql.org/docs/current/transaction-iso.html).
    ///
    /// ```swift
    /// try await database.write(isolation: .readCommitted) { db in
    ///     // The lock on the row keeps others from changing it until the commit.
    ///     let stock = try db.fetchOne(Int.self, "SELECT stock FROM articles WHERE id = \(id) FOR UPDATE")
    ///     …
    /// }
    /// ```
    public enum Isolation: String, Hashable, Sendable {
        /// Each statement sees what was committed before it. Lock the rows that a decision depends on.
        case readCommitted = "READ COMMITTED"
        /// All statements see the state at the first one. Changing a row that was changed in the meantime is a
        /// serialization failure.
        case repeatableRead = "REPEATABLE READ"
        /// The transactions have the effect of running one after the other; otherwise one of them is a
        /// serialization failure.
        case serializable = "SERIALIZABLE"
    }
}

extension Database {
    /// Where the server is, and which database to use.
    ///
    /// Parameters that a location omits are taken from the environment, as by every client of libpq: the variables
    /// `PGHOST`, `PGPORT`, `PGUSER`, `PGDATABASE`, `PGSSLMODE`, `PGSSLROOTCERT`, `PGSERVICE` and so on, and the
    /// password from `PGPASSWORD` or the password file
    /// (https://www.postgresql.org/docs/current/libpq-envars.html).
    ///
    /// ```swift
    /// let local = Database.Location.environment
    /// let remote = Database.Location.url("postgresql://app@db.example.org/travel?sslmode=verify-full")
    /// let tests = remote.inSchema("tests")
    /// ```
    public struct Location: Sendable {
        /// The parameters by keyword; `dbname` can be a connection string.
        let parameters: [String: String]
        /// The schema that ``inSchema(_:)`` has chosen, and the search path by which it does.
        private(set) var schema: (name: String, searchPath: String)?

        private init(parameters: [String: String]) {
            self.parameters = parameters
        }

        /// Everything from the environment.
        public static let environment = Location(parameters: [:])

        /// A connection string: `postgresql://user@host:5432/database?sslmode=verify-full`, or `host=… dbname=…`.
        public static func url(_ text: String) -> Location {
            Location(parameters: ["dbname": text])
        }

        /// Parameters by keyword, such as `["host": "/run/postgresql", "dbname": "trip"]`
        /// (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-PARAMKEYWORDS).
        public static func parameters(_ parameters: [String: String]) -> Location {
            Location(parameters: parameters)
        }

        /// Returns a copy in which unqualified names refer to `schema`, and then to `public`. It replaces the
        /// `options` of a connection string and of the environment.
        public func inSchema(_ schema: String) -> Location {
            // Within `options` a backslash escapes spaces and backslashes. Not by characters: either can be a part of one
            // together with the accents behind it, and so can two spaces.
            let path = "\(schema.quotedIdentifier),public"
            let escaped = path.unicodeScalars.reduce(into: "") { text, scalar in
                if scalar == "\\" || scalar.properties.isWhitespace { text.append("\\") }
                text.unicodeScalars.append(scalar)
            }
            let options = [parameters["options"], "-c search_path=\(escaped)"].compactMap { $0 }
            var location = Location(
                parameters: parameters.merging(["options": options.joined(separator: " ")]) { $1 })
            location.schema = (schema, path)
            return location
        }
    }
}

extension Database.Location: CustomStringConvertible {
    /// The host, port and name of the database as far as they are given as parameters; never a password.
    public var description: String {
        let shown = ["host", "port", "user", "dbname"].compactMap { keyword -> String? in
            guard let value = parameters[keyword] else { return nil }
            let isConnectionString = keyword == "dbname" && (value.contains("=") || value.contains("://"))
            return "\(keyword)=\(isConnectionString ? "…" : value)"
        }
        return shown.isEmpty ? "PostgreSQL" : "PostgreSQL \(shown.joined(separator: " "))"
    }
}

extension Database.Location: CustomReflectable {
    /// Reveals no parameters, so that dumping a location shows no password.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
#endif
