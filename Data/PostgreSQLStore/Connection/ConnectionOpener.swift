#if PostgreSQL
internal import CPostgreSQL
internal import DatabaseAccess
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

struct ConnectionOpener: Sendable {
    let configuration: Database.Configuration
    let location: Database.Location

    /// Connects within the connect timeout, for an access that may take until `end`, or until the access of
    /// `interruption` is cancelled.
    ///
    /// libpq may block the connecting thread, for example to look up a host. Therefore a separate thread connects.
    /// It closes the connection if the access no longer waits for it.
    func open(_ interruption: Interruption, until end: Deadline) throws -> Connection {
        let promise = BlockingPromise<Handle>()
        let deadline = Deadline(after: configuration.connectTimeout).earlier(of: end)
        let code = startThread { promise.fulfil(Result { try connect(until: deadline, of: end) }) }
        guard code == 0 else {
            throw PostgreSQLError(.cannotConnect, "the system cannot start a thread to connect (error \(code))")
        }
        let handle = try promise.wait(
            for: .milliseconds(20), until: deadline, orWhile: { !interruption.isRequested }
        ) {
            interruption.isRequested ? CancellationError() as any Error : timeoutError(end)
        }
        let connection = Connection(handle: handle.take(), configuration: configuration, interruption: interruption)
        connection.lease(to: interruption, until: end)
        try recognizePooler(connection, until: deadline, of: end)
        if let prepare = configuration.prepare {
            try prepare(connection)
            // It may have chosen another schema.
            connection.schema = try connection.recognizePooler(until: end)?.schema ?? ""
        }
        return connection
    }

    /// Recognizes a pooler, which may run each transaction on another session of the server.
    private func recognizePooler(
        _ connection: Connection, until deadline: Deadline, of end: Deadline
    ) throws {
        let session: (schema: String, searchPath: String)?
        do {
            session = try connection.recognizePooler(until: deadline)
        } catch let error as PostgreSQLError where error.code == .statementTimeout {
            throw timeoutError(end)
        } catch let error as PostgreSQLError where error.code == .connectionLost {
            // A pooler connects to the server only now.
            throw PostgreSQLError(.cannotConnect, error.message)
        }
        connection.schema = session?.schema ?? ""
        connection.preparesStatements = configuration.preparesStatements ?? !connection.isPooled
        guard connection.isPooled, let session, let schema = location.schema else { return }
        guard session.schema == schema.name || session.searchPath == schema.searchPath else {
            throw PostgreSQLError(
                .cannotConnect,
                "a connection pooler ignores the schema \"\(schema.name)\": connect to the server itself, or set it with "
                    + "ALTER ROLE … SET search_path")
        }
    }

    private func timeoutError(_ end: Deadline) -> PostgreSQLError {
        let time = end.hasPassed ? configuration.accessTimeout ?? .zero : configuration.connectTimeout
        return PostgreSQLError(.cannotConnect, "the server did not answer within \(time) (\(location))")
    }

    /// A connected handle, which one thread passes to another.
    ///
    /// `@unchecked Sendable`: only the waiting thread uses it after the connecting thread has passed it.
    private final class Handle: @unchecked Sendable {
        private var handle: OpaquePointer?

        init(_ handle: OpaquePointer) {
            self.handle = handle
        }

        func take() -> OpaquePointer {
            defer { handle = nil }
            return handle!
        }

        deinit {
            if let handle { PQfinish(handle) }
        }
    }

    private func connect(until deadline: Deadline, of end: Deadline) throws -> Handle {
        try checkConnectionString()
        guard let connection = start() else { throw PostgreSQLError(.cannotConnect, "out of memory") }
        let handle = Handle(connection)
        // Notices would be written to the standard error stream, and may contain values.
        PQsetNoticeReceiver(connection, { _, _ in }, nil)
        // The message of a refusal then begins with its SQLSTATE, in every language.
        PQsetErrorVerbosity(connection, PQERRORS_VERBOSE)
        var status = PGRES_POLLING_WRITING
        while status != PGRES_POLLING_OK {
            guard PQstatus(connection) != CONNECTION_BAD, status != PGRES_POLLING_FAILED else {
                throw failure(connection)
            }
            let reads = status == PGRES_POLLING_READING
            let isReady = Socket(of: connection).wait(
                reading: reads, writing: !reads, milliseconds: deadline.milliseconds(atMost: 1000))
            if deadline.hasPassed { throw timeoutError(end) }
            if isReady { status = PQconnectPoll(connection) }
        }
        PQsetErrorVerbosity(connection, PQERRORS_DEFAULT)
        PQsetnonblocking(connection, 1)
        return handle
    }

    /// Throws for parameters that libpq would not read completely, and for a connection string that it cannot parse: its
    /// own message quotes the string, including the password.
    private func checkConnectionString() throws {
        // libpq would stop reading there, and ignore what follows, such as `sslmode`.
        guard !location.parameters.contains(where: { $0.key.utf8.contains(0) || $0.value.utf8.contains(0) }) else {
            throw PostgreSQLError(.cannotConnect, "a parameter of the connection contains a NUL: remove it")
        }
        guard let text = location.parameters["dbname"], text.contains("=") || text.contains("://") else { return }
        var message: UnsafeMutablePointer<CChar>?
        let options = PQconninfoParse(text, &message)
        PQfreemem(message)
        guard let options else {
            throw PostgreSQLError(
                .cannotConnect, "the connection string is not valid: escape special characters in the password")
        }
        PQconninfoFree(options)
    }

    private func start() -> OpaquePointer? {
        // Of several values of a keyword the last one counts. Those of a connection string in `dbname` have the
        // position of `dbname`.
        var parameters = [("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3")]
        parameters += location.parameters.sorted { left, right in (left.key == "dbname") && (right.key != "dbname")
        }
        .map { ($0.key, $0.value) }
        parameters.append(("client_encoding", "UTF8"))
        let keywords = parameters.map { strdup($0.0) } + [nil]
        let values = parameters.map { strdup($0.1) } + [nil]
        defer { for text in keywords + values { free(text) } }
        return keywords.map { UnsafePointer($0) }.withUnsafeBufferPointer { keywords in
            values.map { UnsafePointer($0) }.withUnsafeBufferPointer { values in
                PQconnectStartParams(keywords.baseAddress!, values.baseAddress!, 1)
            }
        }
    }

    /// Returns the error of a failed connection. Its message names the host, the user and the database, but not the
    /// password.
    private func failure(_ connection: OpaquePointer) -> PostgreSQLError {
        let message = PQerrorMessage(connection).map { String(cString: $0) } ?? ""
        var lines = message.split(whereSeparator: \.isNewline).map(String.init)
        // The place in the source code of the server.
        lines.removeAll { $0.hasPrefix("LOCATION: ") }
        var code: String?
        // `FATAL:  53300: too many clients`, with two blanks. With several hosts, the last reason counts.
        for (index, line) in lines.enumerated() {
            guard let match = line.firstMatch(of: #/:  ([0-9A-Z]{5}): /#) else { continue }
            code = String(match.1)
            lines[index].replaceSubrange(match.range, with: ": ")
        }
        if code == nil, let first = lines.first, first.hasPrefix("invalid ") {
            lines = [Self.withoutValue(first)]
        }
        return PostgreSQLError(
            code.map(PostgreSQLError.Code.init(rawValue:)).flatMap { Self.refusals.contains($0) ? $0 : nil }
                ?? .cannotConnect,
            lines.isEmpty ? "cannot connect to \(location)" : lines.joined(separator: " "))
    }

    private static let refusals: Set<PostgreSQLError.Code> = [
        .tooManyConnections, .invalidPassword, .invalidAuthorization, .undefinedDatabase,
    ]

    /// Returns the message about an invalid parameter without its value, which may be a part of a password that was
    /// not escaped; with the possible ones instead.
    private static func withoutValue(_ message: String) -> String {
        let name = message.split(separator: ": \"").first.map(String.init) ?? message
        let kept = name.contains("for connection option") ? "invalid value for a connection option" : name
        let remedy =
            kept.contains("sslmode")
            ? "write disable, allow, prefer, require, verify-ca or verify-full"
            : "correct it, and escape special characters"
        return "\(kept): \(remedy)"
    }
}

struct Socket {
    private let descriptor: Int32

    init(of connection: OpaquePointer) {
        descriptor = PQsocket(connection)
    }

    /// Blocks the thread until the socket can be read or written, as requested, or has failed; returns false if it
    /// takes longer.
    @discardableResult
    func wait(reading: Bool = true, writing: Bool = false, milliseconds: Int32) -> Bool {
        let events = (reading ? POLLIN : 0) | (writing ? POLLOUT : 0)
        var descriptor = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        return poll(&descriptor, 1, milliseconds) > 0
    }

    /// Ends all communication, which wakes threads that wait. Only the thread that uses the connection may call it.
    func shutDown() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }
}

/// The socket of a connection, by which another thread may end the connection.
///
/// It has a descriptor of its own, because libpq closes that of the connection once it notices that the connection was
/// lost: the system then gives the number to the next file that any thread opens.
final class SharedSocket: Sendable {
    private let descriptor: Int32

    /// Throws if the process may open no more files.
    init(of connection: OpaquePointer) throws {
        let copy = fcntl(PQsocket(connection), F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else {
            throw PostgreSQLError(.cannotConnect, "the system cannot share a socket (error \(errno))")
        }
        descriptor = copy
    }

    /// Ends all communication, which wakes threads that wait.
    func shutDown() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    deinit {
        close(descriptor)
    }
}
#endif
