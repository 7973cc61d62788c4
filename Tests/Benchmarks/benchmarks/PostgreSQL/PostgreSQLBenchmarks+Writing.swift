#if PostgreSQL
import CPostgreSQL
import PostgreSQLStore

extension PostgreSQLBenchmarks {
    private static let insertText = "INSERT INTO points VALUES ($1, $2, $3)"

    /// Inserts 1,000 rows in one transaction: by a pipeline, and by one statement with arrays.
    static func insert(_ report: inout Report, _ world: World) async throws {
        let c = world.c
        c.prepare("point", insertText)
        try await report.measure(
            "insert1000", element: "row", count: 1000,
            .whole("PostgreSQLStore, unnest") {
                try await world.database.write(isolation: .readCommitted) { db in
                    let (ids, names) = (Array(0..<1000), (0..<1000).map { "point \($0)" })
                    return try db.execute(
                        """
                        INSERT INTO points
                        SELECT id, name, id / 10.0::float8 FROM unnest(\(ids)::integer[], \(names)::text[]) AS new (id, name)
                        """)
                }
            },
            .whole("PostgreSQLStore") {
                try await world.database.write(isolation: .readCommitted) { db in
                    try db.execute("INSERT INTO points VALUES ($1, $2, $3)", forEach: 0..<1000) { index, values in
                        try values.bind(index)
                        try values.bind("point \(index)")
                        try values.bind(Double(index) / 10)
                    }
                }
            },
            .whole("C") {
                c.execute("BEGIN")
                PQenterPipelineMode(c.handle)
                for index in 0..<1000 { send(index, c) }
                PQpipelineSync(c.handle)
                var count = 0
                while true {
                    guard let result = PQgetResult(c.handle) else { continue }
                    defer { PQclear(result) }
                    if PQresultStatus(result) == PGRES_PIPELINE_SYNC { break }
                    count += Int(String(cString: PQcmdTuples(result))) ?? 0
                }
                PQexitPipelineMode(c.handle)
                c.execute("COMMIT")
                return count
            })
        c.execute("TRUNCATE points")
    }

    /// Sends the insertion of one row.
    private static func send(_ index: Int, _ c: LibpqConnection) {
        withUnsafeBytes(of: Int32(index).bigEndian) { id in
            withUnsafeBytes(of: (Double(index) / 10).bitPattern.bigEndian) { latitude in
                "point \(index)".withCString { name in
                    let values: [UnsafePointer<CChar>?] = [
                        id.baseAddress?.assumingMemoryBound(to: CChar.self), name,
                        latitude.baseAddress?.assumingMemoryBound(to: CChar.self),
                    ]
                    _ = PQsendQueryPrepared(c.handle, "point", 3, values, [4, 0, 8], [1, 0, 1], 1)
                }
            }
        }
    }

    /// Copies 100,000 rows.
    static func copy(_ report: inout Report, _ world: World) async throws {
        let c = world.c
        let count = report.scaled(100_000)
        try await report.measure(
            "copy100k", element: "row", count: count,
            .whole("PostgreSQLStore") {
                try await world.database.writeWithoutTransaction { db in
                    try db.executeScript("TRUNCATE points")
                    return try db.copy(into: "points", columns: ["id", "name", "latitude"], 0..<count) {
                        index, values in
                        try values.bind(index)
                        try values.bind("point \(index)")
                        try values.bind(Double(index) / 10)
                    }
                }
            },
            .whole("C") {
                c.execute("TRUNCATE points")
                PQclear(PQexec(c.handle, "COPY points (id, name, latitude) FROM STDIN (FORMAT binary)"))
                var bytes = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)
                func append(_ integer: some FixedWidthInteger) {
                    withUnsafeBytes(of: integer.bigEndian) { bytes.append(contentsOf: $0) }
                }
                func flush() {
                    _ = bytes.withUnsafeBytes {
                        PQputCopyData(
                            c.handle, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count))
                    }
                    bytes.removeAll(keepingCapacity: true)
                }
                for index in 0..<count {
                    append(Int16(3))
                    append(Int32(4))
                    append(Int32(index))
                    let name = "point \(index)".utf8
                    append(Int32(name.count))
                    bytes.append(contentsOf: name)
                    append(Int32(8))
                    append((Double(index) / 10).bitPattern)
                    if bytes.count > 65_536 { flush() }
                }
                append(Int16(-1))
                flush()
                PQputCopyEnd(c.handle, nil)
                var copied = 0
                while let result = PQgetResult(c.handle) {
                    copied = Int(String(cString: PQcmdTuples(result))) ?? 0
                    PQclear(result)
                }
                return copied
            })
        c.execute("TRUNCATE points")
    }
}
#endif
