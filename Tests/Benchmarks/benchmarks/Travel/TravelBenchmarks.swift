import TravelDomain

/// The group `travel`: what people do in the travel log, on seeded trips in a SQLite file, and with the trait
/// `PostgreSQL` on a server.
///
/// Each shape has three rows: the median of all operations, the time that 95 % of them keep, named with the suffix
/// `95`, and the worst of them, named with the suffix `Worst`. All times are those of the clock: a search passes from
/// thread to thread, and the processor's time of a process lacks what its other threads have just run.
///
/// With `TRAVEL_DATABASE=/path/to/file` the trips are seeded into that file once, and a copy of it is measured.
enum TravelBenchmarks {
    static func run(_ report: inout Report) async throws {
        let count = report.count ?? 100_000
        if report.isWanted(column: "SQLite") {
            let folder = FileManager.default.temporaryDirectory.appending(path: "benchmark-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }  // What is left is the system's to remove.
            try await run(&report, .sqlite(path: folder.appending(path: "database").path(), count: count))
        }
        #if PostgreSQL
        if report.isWanted(column: "PostgreSQL") {
            try await withServer { location in
                try await run(&report, .postgresql(location, count: count))
            }
        }
        #endif
    }

    private static func run(_ report: inout Report, _ world: World) async throws {
        try await pages(&report, world)
        try await keywords(&report, world)
        try await entries(&report, world)
        try await suggestions(&report, world)
        try await users(&report, world)
        try await timelines(&report, world)
        try await pictures(&report, world)
        try await anySearch(&report, world)
        try await likes(&report, world)
        try await likesAtObserver(&report, world)
        try await edits(&report, world)
        try await photos(&report, world)
        try await removal(&report, world)
        await world.close()
    }

    /// What was found, in its order.
    static func checksum(_ page: TripPage) -> Int {
        page.trips.reduce(0) { ($0 &* 31) &+ $1.title.text.utf8.count &+ $1.likeCount }
    }

    /// Measures a read for each of `inputs`: the least time of five runs.
    static func measureReads<Input>(
        _ report: inout Report, _ shape: String, element: String, _ world: World, _ inputs: [Input],
        _ read: (Input) async throws -> Int
    ) async throws {
        guard report.isWanted(shape), !inputs.isEmpty else { return }
        var times: [Double] = []
        for input in inputs {
            var best = Double.infinity
            for _ in 0..<5 {
                let start = Report.Clock.wall.now
                _ = try await read(input)
                best = min(best, Double(Report.Clock.wall.now - start))
            }
            times.append(best)
        }
        add(&report, shape, element: element, world, times)
    }

    /// Measures a write for each of `inputs`, and the bytes that the process writes meanwhile.
    static func measureWrites<Input>(
        _ report: inout Report, _ shape: String, element: String, _ world: World, _ inputs: [Input],
        _ write: (Input) async throws -> Void
    ) async throws {
        guard report.isWanted(shape) else { return }
        var (times, bytes): ([Double], [Double]) = ([], [])
        for input in inputs {
            let (start, before) = (Report.Clock.wall.now, bytesWritten())
            try await write(input)
            times.append(Double(Report.Clock.wall.now - start))
            bytes.append(Double(bytesWritten() - before))
        }
        add(&report, shape, element: element, world, times)
        // A server writes the bytes in a process of its own.
        if world.column == "SQLite" { add(&report, "\(shape)Bytes", element: "bytes", world, bytes) }
    }

    static func add(_ report: inout Report, _ shape: String, element: String, _ world: World, _ values: [Double]) {
        let sorted = values.sorted()
        guard let worst = sorted.last else { return }
        report.add(shape: shape, column: world.column, element: element, times: values)
        report.add(
            shape: "\(shape)95", column: world.column, element: element, times: [sorted[(sorted.count - 1) * 95 / 100]])
        report.add(shape: "\(shape)Worst", column: world.column, element: element, times: [worst])
    }

    /// The bytes that this process has written so far; 0 where the system does not tell.
    private static func bytesWritten() -> Int {
        guard let text = try? String(contentsOfFile: "/proc/self/io", encoding: .utf8) else { return 0 }
        let line = text.split(separator: "\n").first { $0.hasPrefix("wchar: ") }
        return line.flatMap { Int($0.dropFirst(7)) } ?? 0
    }
}
