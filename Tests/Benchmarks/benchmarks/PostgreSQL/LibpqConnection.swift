#if PostgreSQL
import CPostgreSQL

/// A connection of libpq, as a C program would use it.
final class LibpqConnection: @unchecked Sendable {
    let handle: OpaquePointer
    private let text: String

    /// Connects; a connection that cannot be made ends the program.
    init(_ text: String) {
        self.text = text
        handle = PQconnectdb(text)
        precondition(PQstatus(handle) == CONNECTION_OK, String(cString: PQerrorMessage(handle)))
    }

    deinit { PQfinish(handle) }

    /// Returns another connection to the same database.
    func another() -> LibpqConnection { LibpqConnection(text) }

    func execute(_ sql: String) {
        let result = PQexec(handle, sql)
        precondition(
            [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result)),
            String(cString: PQerrorMessage(handle)))
        PQclear(result)
    }

    func prepare(_ name: String, _ sql: String) {
        PQclear(PQprepare(handle, name, sql, 0, nil))
    }

    /// Runs a prepared statement with one `integer`, and returns its result.
    @inline(__always)
    func run(_ name: StaticString, _ value: Int32) -> OpaquePointer? {
        withUnsafeBytes(of: value.bigEndian) { bytes in
            var address = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) as UnsafePointer<CChar>?
            var (length, format): (Int32, Int32) = (4, 1)
            return name.utf8Start.withMemoryRebound(to: CChar.self, capacity: name.utf8CodeUnitCount + 1) {
                PQexecPrepared(handle, $0, 1, &address, &length, &format, 1)
            }
        }
    }
}
#endif
