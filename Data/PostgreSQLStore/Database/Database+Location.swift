#if PostgreSQL
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

            /// Parameters by keyword, such as `["host": "/run/postgresql", "dbname": "travel"]`
            /// (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-PARAMKEYWORDS).
            public static func parameters(_ parameters: [String: String]) -> Location {
                Location(parameters: parameters)
            }

            /// Returns a copy in which unqualified names refer to `schema`, and then to `public`. It replaces the
            /// `options` of a connection string and of the environment.
            public func inSchema(_ schema: String) -> Location {
                // Within `options` a backslash escapes spaces and backslashes.
                let path = "\(SQL.quoted(identifier: schema)),public"
                let escaped = path.reduce(into: "") { text, character in
                    if character == "\\" || character.isWhitespace { text.append("\\") }
                    text.append(character)
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
