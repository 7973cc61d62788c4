/// Where travels are stored.
enum StoreLocation: Hashable, Sendable {
    /// The SQLite file at a path.
    case file(String)
    /// A database on a PostgreSQL server.
    case server(ServerAddress)

    /// Parses the value of `--database` or of the environment; `nil` if it names neither a file nor a server.
    init?(_ text: String) {
        if let address = ServerAddress(text) {
            self = .server(address)
        } else {
            if text.isEmpty || text == ":memory:" || text.hasPrefix("file:") || text.contains("://") { return nil }
            self = .file(text)
        }
    }
}

extension StoreLocation: CustomStringConvertible {
    /// The path, or the address without a password.
    var description: String {
        switch self {
        case .file(let path): path
        case .server(let address): address.description
        }
    }
}

/// The address of a database on a PostgreSQL server: `postgresql://user@host:5432/name?sslmode=verify-full`. What it
/// leaves out is taken from the environment, the service file and the password file, as by every client of PostgreSQL.
struct ServerAddress: Hashable, Sendable {
    /// The original text, which may contain a password. Only for the library that connects.
    let text: String

    /// Reads an address; `nil` for any other text.
    init?(_ text: String) {
        guard text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") else { return nil }
        self.text = text
    }

    /// The parts that may be shown; `nil` where the text is not written as an address is, so that no part of it is
    /// surely free of the password.
    private var parts: (user: String, host: String, database: String, query: [Substring])? {
        // A name or a host has none of the delimiters of an address (RFC 3986), unless they are escaped.
        let address =
            #/postgres(ql)?://((?<user>[^:@/?#\[\]]*)(:[^:@/?#\[\]]*)?@)?(?<host>([^:@/?#\[\],]*|\[[0-9A-Fa-f:.]*\])(:[0-9]*)?(,([^:@/?#\[\],]*|\[[0-9A-Fa-f:.]*\])(:[0-9]*)?)*)(/(?<name>[^:@/?#\[\]]*))?(\?(?<query>.*))?/#
        guard let match = text.wholeMatch(of: address) else { return nil }
        return (
            String(match.user ?? ""), String(match.host), String(match.name ?? ""),
            (match.query ?? "").split(separator: "&")
        )
    }

    /// The name under which the device knows this place: without the user and without passwords.
    ///
    /// - Parameter environment: Names the server where the address does not.
    func place(in environment: [String: String]) -> String {
        guard let parts else { return description }
        let names = ["PGHOST", "PGHOSTADDR", "PGPORT", "PGDATABASE", "PGSERVICE", "PGOPTIONS"]
        let defaults = names.compactMap { name in environment[name].map { "\(name)=\($0)" } }
        let query = parts.query.filter { !$0.lowercased().contains("password") }.map(String.init).sorted()
        return (["postgresql://\(parts.host)/\(parts.database)"] + query + defaults).joined(separator: " ")
    }
}

extension ServerAddress: CustomStringConvertible {
    /// The address without a password and without options: `postgresql://user@host:5432/name`.
    var description: String {
        guard let parts else { return "postgresql://…" }
        let service = parts.query.first { $0.hasPrefix("service=") }.map { "?\($0)" } ?? ""
        let user = parts.user.isEmpty ? "" : "\(parts.user)@"
        let name = parts.database.isEmpty ? "" : "/\(parts.database)"
        return "postgresql://\(user)\(parts.host)\(name)\(service)"
    }
}

extension ServerAddress: CustomReflectable {
    /// Shows no text, so that dumping an address shows no password.
    var customMirror: Mirror { Mirror(self, children: []) }
}
