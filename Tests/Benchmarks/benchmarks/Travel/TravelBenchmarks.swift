#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import TravelDataSQLite
import TravelDomain

/// The group `travel`: what people do in the travel log, on seeded travels in a SQLite file.
///
/// Each shape has two rows: the median of all operations, and the worst of them, named with the suffix `Worst`. Times
/// of reads are those of the processor, times of writes those of the clock, because writes wait for the disk.
///
/// With `TRAVEL_DATABASE=/path/to/file` the travels are seeded into that file once, and a copy of it is measured.
enum TravelBenchmarks {
    static func run(_ report: inout Report) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "benchmark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // What is left is the system's to remove.
        let world = try await World(path: folder.appending(path: "database").path(), count: report.count ?? 100_000)
        try await pages(&report, world)
        try await keywords(&report, world)
        try await suggestions(&report, world)
        try await people(&report, world)
        try await timelines(&report, world)
        try await anySearch(&report, world)
        try await likes(&report, world)
        try await edits(&report, world)
        try await photos(&report, world)
        try await removal(&report, world)
        await world.database.close()
    }

    /// A database of seeded travels.
    struct World {
        let path: String
        let database: TravelDatabase
        var store: SQLiteTravelRepository { database.travels }
        /// Some of the travels, from all over the time in which they were recorded.
        let travels: [Travel]
        /// The authors of these travels.
        let authors: [User.ID]
        /// A person without travels and likes.
        let visitor: User

        init(path: String, count: Int) async throws {
            self.path = path
            if let file = ProcessInfo.processInfo.environment["TRAVEL_DATABASE"] {
                if !FileManager.default.fileExists(atPath: file) { try await TravelBenchmarks.seed(file, count) }
                try FileManager.default.copyItem(atPath: file, toPath: path)
            } else {
                try await TravelBenchmarks.seed(path, count)
            }
            database = try await TravelDatabase.open(path: path)
            visitor = try User(nickname: Nickname("visitor"))
            try await database.travels.add(visitor)
            let everything = TravelCriteria(sort: .newest)
            let newest = try await database.travels.search(TravelQuery(everything, viewer: nil, limit: 2)).travels
            guard let template = newest.first else { fatalError("there are no travels") }
            var travels: [Travel] = []
            // One travel is recorded every two minutes on average.
            let age = Double(count) * 120
            for step in 0..<400 {
                let somewhere = try Travel(
                    id: template.id, author: template.author, content: template.content,
                    createdAt: template.createdAt.addingTimeInterval(-age * Double(step) / 400), likeCount: 0,
                    isLiked: false, isMine: false)
                let cursor = TravelCursor(after: somewhere, in: .newest)
                let query = try TravelQuery(everything, viewer: nil, after: cursor, limit: 5)
                travels += try await database.travels.search(query).travels
            }
            self.travels = travels
            var known: Set<User.ID> = []
            authors = travels.map(\.author.id).filter { known.insert($0).inserted }
        }
    }

    /// Creates a file, which is complete when it is closed.
    private static func seed(_ path: String, _ count: Int) async throws {
        let database = try await TravelDatabase.open(path: path)
        try await database.seed(count: count, seed: 7)
        await database.close()
    }

    /// What was found, in its order.
    static func checksum(_ page: TravelPage) -> Int {
        page.travels.reduce(0) { ($0 &* 31) &+ $1.title.text.utf8.count &+ $1.likeCount }
    }

    /// Measures a read for each of `inputs`: the least processor time of three runs.
    static func measureReads<Input>(
        _ report: inout Report, _ shape: String, element: String, _ inputs: [Input],
        _ read: (Input) async throws -> Int
    ) async throws {
        guard report.isWanted(shape), !inputs.isEmpty else { return }
        var times: [Double] = []
        for input in inputs {
            var best = Double.infinity
            for _ in 0..<3 {
                let start = Report.Clock.processor.now
                _ = try await read(input)
                best = min(best, Double(Report.Clock.processor.now - start))
            }
            times.append(best)
        }
        add(&report, shape, element: element, times)
    }

    /// Measures a write for each of `inputs`, and the bytes that the process writes meanwhile.
    static func measureWrites<Input>(
        _ report: inout Report, _ shape: String, element: String, _ inputs: [Input],
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
        add(&report, shape, element: element, times)
        add(&report, "\(shape)Bytes", element: "bytes", bytes)
    }

    static func add(_ report: inout Report, _ shape: String, element: String, _ values: [Double]) {
        guard let worst = values.max() else { return }
        report.add(shape: shape, column: "SQLite", element: element, times: values)
        report.add(shape: "\(shape)Worst", column: "SQLite", element: element, times: [worst])
    }

    /// The bytes that this process has written so far; 0 where the system does not tell.
    private static func bytesWritten() -> Int {
        guard let text = try? String(contentsOfFile: "/proc/self/io", encoding: .utf8) else { return 0 }
        let line = text.split(separator: "\n").first { $0.hasPrefix("wchar: ") }
        return line.flatMap { Int($0.dropFirst(7)) } ?? 0
    }
}
