import Dispatch
import Foundation
import Synchronization
import TravelDataSQLite
import TravelDataShared
import TravelDomain
import TravelPresentation

#if PostgreSQL
import TravelDataPostgreSQL
#endif

/// `traveline copy`: copies a whole database into another place, such as a file to a server and back.
struct CopyCommand: CommandLineCommand {
    static let help = CommandHelp(
        name: "copy",
        summary: Text("copies a whole database into another file or server", "데이터베이스 전체를 다른 파일이나 서버로 복사하기"),
        usage: ["copy --to PLACE [--database PLACE] [--replace] [--json]"],
        notes: [
            Text(
                "Copies users, trips, pictures, likes, reports and blocks with their versions and dates, in one "
                    + "transaction, and compares both databases before the commit. If anything fails, the other database "
                    + "is unchanged. It must be empty, unless --replace is given.",
                "사람, 여행, 사진, 좋아요, 신고, 차단을 버전과 날짜까지 한 트랜잭션으로 복사하고, 확정하기 전에 두 데이터베이스를 비교합니다. 실패하면 대상은 그대로입니다. "
                    + "--replace가 없으면 대상이 비어 있어야 합니다."),
            Text(
                "Users with accounts on a server keep their passwords, and sign in again on their devices.",
                "서버에 계정이 있는 사람은 비밀번호를 그대로 쓰고, 기기에서 다시 로그인합니다."),
            Text(
                "The source is your own database, or that of --database. You stay signed in on this device.",
                "원본은 내 데이터베이스나 --database의 것입니다. 이 기기에서는 로그인이 유지됩니다."),
        ],
        options: [
            OptionHelp(
                "--to", "PLACE", completes: .files,
                Text("the database to copy into, a file or a server", "복사할 데이터베이스, 파일이나 서버")),
            OptionHelp("--replace", Text("remove the contents of the other database first", "대상 데이터베이스의 내용 지우기")),
            .json,
        ],
        examples: [
            (
                "copy --to postgresql://mina@db.example.org/travel",
                Text("move your own trips to a server", "내 여행을 서버로 옮기기")
            ),
            ("copy --database postgresql:///travel --to new.sqlite", Text("and back into a new file", "다시 새 파일로")),
        ])

    let target: StoreLocation
    let policy: CopyPolicy
    let store: StoreOptions

    init(_ arguments: Arguments) throws {
        try Self.rejectWords(arguments)
        guard let target = try arguments.location("--to") else {
            throw Self.missing("a place to copy into: traveline copy --to PLACE", "복사할 곳: traveline copy --to PLACE")
        }
        self.target = target
        policy = arguments.has("--replace") ? .replace : .requireEmpty
        store = try StoreOptions(arguments)
    }

    private var language: Language { store.outputLanguage }

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let source = try store.location().location
        if source.place(in: environment) == target.place(in: environment) {
            throw UsageError("the source and the destination are the same: \(target)", "두 곳이 같습니다: \(target)")
        }
        let line = ProgressLine(environment: environment)
        defer { line.clear() }
        let copied = Mutex(StoreSummary())
        // Undone by rolling back, or by removing the draft of a new file.
        try await Signal.cancelling(orAbandoning: { false }) {
            let summary = try await copy(from: source, line)
            copied.withLock { $0 = summary }
        }
        line.clear()
        try Standard.write(try text(of: copied.withLock { $0 }, from: source))
    }

    private func copy(from location: StoreLocation, _ line: ProgressLine) async throws -> StoreSummary {
        let source = try await FileError.naming(location.description) { try await OpenStore.existing(location) }
        return try await closing(source.close) {
            let summary = try await write(source, from: location, line)
            try await DeviceState.keepSession(from: location, to: target)
            return summary
        }
    }

    /// Copies into the target; where that is a file that does not exist yet, all of it appears at once.
    private func write(
        _ source: OpenStore, from location: StoreLocation, _ line: ProgressLine
    ) async throws -> StoreSummary {
        let named = NamedStore(store: source.records, name: location.description)
        return try await FileError.naming(target.description) {
            if case .file(let path) = target, !FileManager.default.fileExists(atPath: path) {
                return try await write(named, toNewFile: path, line)
            }
            let endpoint = try await OpenStore.existing(target, creates: true)
            return try await closing(endpoint.close) { try await run(named, into: endpoint.records, line) }
        }
    }

    private func write(_ source: NamedStore, toNewFile path: String, _ line: ProgressLine) async throws -> StoreSummary
    {
        try DataDirectory.requireFolder(of: path)
        let database = try await TravelDatabase.temporary()
        return try await closing(database.close) {
            let summary = try await run(source, into: database, line)
            line.show(language.say("writing \(path)", "\(path)에 쓰는 중"), always: true)
            try await database.backup(to: path)
            return summary
        }
    }

    private func run(
        _ source: NamedStore, into target: any CopiedStore, _ line: ProgressLine
    ) async throws -> StoreSummary {
        let named = NamedStore(store: target, name: self.target.description)
        let start = ContinuousClock.now
        let copy = StoreCopy(source: source, target: named, policy: policy) { [language] trips, isComparing in
            let speed = SeedCommand.speed(trips, ContinuousClock.now - start)
            line.show(
                isComparing
                    ? language.say(
                        "\(SeedCommand.grouped(trips)) trips, comparing",
                        "여행 \(SeedCommand.grouped(trips))개, 비교하는 중")
                    : language.say(
                        "\(SeedCommand.grouped(trips)) trips, \(SeedCommand.grouped(speed)) a second",
                        "여행 \(SeedCommand.grouped(trips))개, 초당 \(SeedCommand.grouped(speed))개"), always: isComparing)
        }
        do {
            return try await copy.run()
        } catch is StoreNotEmpty {
            throw FileError(
                named.name,
                "it already contains users or trips; choose an empty database, or replace them with --replace",
                "이미 사람이나 여행이 있습니다. 빈 데이터베이스를 고르거나 --replace로 바꾸세요", .dataError)
        } catch let error as StoreCopy.Difference {
            throw FileError(
                named.name, "the \(error.kind.rawValue) differ from those of \(source.name); nothing was changed",
                "\(error.kind.korean)이(가) \(source.name)의 것과 다릅니다. 아무것도 바꾸지 않았습니다", .dataError)
        }
    }

    private func text(of summary: StoreSummary, from source: StoreLocation) throws -> String {
        if store.isJSON {
            let report = Report(
                from: source.description, to: target.description,
                rows: Dictionary(
                    uniqueKeysWithValues: StoreSummary.Kind.allCases.map { ($0.rawValue, summary.count(of: $0)) }))
            return try JSONLine.text(report) + "\n"
        }
        let counts = StoreSummary.Kind.allCases.map { kind in
            language.say(
                "\(summary.count(of: kind)) \(kind.english(summary.count(of: kind)))",
                "\(kind.korean) \(summary.count(of: kind))")
        }
        return Page.standard.lines(
            "\(target): " + counts.joined(separator: ", ")
                + language.say("; the same as in \(source)", ". \(source)와 같습니다")
        ).map { $0 + "\n" }.joined()
    }

    private struct Report: Encodable {
        let from: String
        let to: String
        let rows: [String: Int]
    }
}

extension StoreSummary.Kind {
    fileprivate func english(_ count: Int) -> String {
        switch (self, count) {
        case (.users, 1): "person"
        case (.trips, _): count == 1 ? "trip" : "trips"
        case (.entries, 1): "entry"
        case (_, 1): String(rawValue.dropLast())
        default: rawValue
        }
    }

    fileprivate var korean: String {
        switch self {
        case .users: "사람"
        case .avatars: "프로필 사진"
        case .accounts: "계정"
        case .trips: "여행"
        case .entries: "기록"
        case .images: "사진"
        case .likes: "좋아요"
        case .reports: "신고"
        case .blocks: "차단"
        }
    }
}

extension OpenStore {
    /// Opens an existing database, without adding sample trips.
    ///
    /// - Parameter creates: Whether to create the tables in a database on a server that has none.
    static func existing(_ location: StoreLocation, creates: Bool = false) async throws -> OpenStore {
        switch location {
        case .file(let path):
            guard FileManager.default.fileExists(atPath: path) else {
                throw FileError(path, "there is no such file", "파일이 없습니다", .noInput)
            }
            return OpenStore(file: try await TravelDatabase.open(path: path))
        case .server(let address):
            #if PostgreSQL
            let configuration = Database.Configuration().with {
                // A copy cannot be run again in the middle, and its last statements read everything.
                ($0.retryCount, $0.statementTimeout) = (0, .seconds(600))
            }
            return OpenStore(
                server: creates
                    ? try await PostgreSQLTravelDatabase.open(.url(address.text), configuration: configuration)
                    : try await PostgreSQLTravelDatabase.openUnchanged(
                        .url(address.text), configuration: configuration))
            #else
            throw CommandError.withoutServers
            #endif
        }
    }
}

/// A store whose errors name it: a copy has two stores, and an error must show which one failed.
struct NamedStore: CopiedStore {
    let store: any CopiedStore
    let name: String

    func readRecords(_ receive: @escaping @Sendable (StoreRecord) throws -> Void) async throws {
        try await FileError.naming(name) { try await store.readRecords(receive) }
    }

    func writeRecords(
        _ policy: CopyPolicy, next: @escaping @Sendable () throws -> StoreRecord?,
        check: (@Sendable (StoreSummary) throws -> Void)?
    ) async throws {
        try await FileError.naming(name) { try await store.writeRecords(policy, next: next, check: check) }
    }
}

/// A copy of one store into another: one snapshot, one transaction, compared before the commit.
///
/// The source is read once, and summarized as it is read. The target is read back before the commit, because the
/// comparison is of what has been stored, not of what was sent: a copy takes one reading of the source, and one writing
/// and one reading of the target.
struct StoreCopy {
    let source: any CopiedStore
    let target: any CopiedStore
    let policy: CopyPolicy
    /// Called with the number of trips that have been read, and whether the rest is comparing and committing.
    let progress: @Sendable (_ trips: Int, _ isComparing: Bool) -> Void

    /// The target holds something else than the source: nothing was committed.
    struct Difference: Error {
        let kind: StoreSummary.Kind
    }

    /// Copies everything, and returns what both stores hold.
    ///
    /// - Throws: ``Difference``; the errors of both stores; `CancellationError`. The target is as it was then.
    func run() async throws -> StoreSummary {
        let channel = RecordChannel()
        let copied = Copied()
        async let reading: Void = read(into: channel, copied)
        do {
            try await withTaskCancellationHandler {
                try await target.writeRecords(policy) { [progress] in
                    let record = try channel.next()
                    if record == nil { progress(copied.summary.count(of: .trips), true) }
                    return record
                } check: { found in
                    if let kind = copied.summary.difference(from: found) { throw Difference(kind: kind) }
                }
            } onCancel: {
                channel.close()
            }
        } catch {
            channel.close()
            // An error of the source has come here through the channel.
            _ = try? await reading
            throw error
        }
        try await reading
        return copied.summary
    }

    /// The records read so far.
    private final class Copied: Sendable {
        private let state = Mutex(StoreSummary())

        var summary: StoreSummary { state.withLock { $0 } }

        func add(_ record: StoreRecord) { state.withLock { $0.add(record) } }
    }

    private func read(into channel: RecordChannel, _ copied: Copied) async throws {
        do {
            try await source.readRecords { [progress] record in
                copied.add(record)
                try channel.put(record)
                if case .trip = record { progress(copied.summary.count(of: .trips), false) }
            }
            channel.end(.success(()))
        } catch {
            channel.end(.failure(error))
            throw error
        }
    }
}

/// Hands records from the thread that reads a store to the thread that writes another, which wait for each other.
///
/// Both run in accesses of their databases, on threads that may block.
final class RecordChannel: Sendable {
    private struct State {
        /// The records, each with the number of spaces that it takes.
        var records: [(record: StoreRecord, spaces: Int)] = []
        var end: Result<Void, any Error>?
        /// Whether the consumer has ended.
        var isClosed = false
    }

    private let state = Mutex(State())
    // Semaphores have to be created with the lowest value that they ever have.
    private let spaces = DispatchSemaphore(value: 0)
    private let arrivals = DispatchSemaphore(value: 0)

    /// The number of spaces, and the bytes of images that take one more.
    private static let (capacity, bytesInSpace) = (128, 262_144)

    init() {
        for _ in 0..<Self.capacity { spaces.signal() }
    }

    /// Adds a record, once there is space for it.
    ///
    /// - Throws: `CancellationError` when the consumer has ended.
    func put(_ record: StoreRecord) throws {
        let needed = min(1 + record.imageBytes / Self.bytesInSpace, Self.capacity)
        for _ in 0..<needed { spaces.wait() }
        let isClosed = state.withLock { state in
            if !state.isClosed { state.records.append((record, needed)) }
            return state.isClosed
        }
        if isClosed {
            // For whoever waits for the next ones.
            for _ in 0..<needed { spaces.signal() }
            throw CancellationError()
        }
        arrivals.signal()
    }

    /// Ends the records, with an error if they are not all.
    func end(_ result: Result<Void, any Error>) {
        state.withLock { $0.end = $0.end ?? result }
        arrivals.signal()
    }

    /// The next record, once there is one; `nil` after the last.
    ///
    /// - Throws: The error with which the records end.
    func next() throws -> StoreRecord? {
        arrivals.wait()
        let (next, end) = state.withLock { state in
            (state.records.isEmpty ? nil : state.records.removeFirst(), state.end)
        }
        if let next {
            for _ in 0..<next.spaces { spaces.signal() }
            return next.record
        }
        // For the next call.
        arrivals.signal()
        try end?.get()
        return nil
    }

    /// Ends both sides: the consumer has ended, or the task is cancelled.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.end = .failure(CancellationError())
        }
        for _ in 0..<Self.capacity { spaces.signal() }
        arrivals.signal()
    }
}

extension StoreRecord {
    fileprivate var imageBytes: Int {
        switch self {
        case .user(_, let avatar, _): avatar?.bytes.count ?? 0
        case .trip(let trip): trip.images.reduce(0) { $0 + $1.bytes.count }
        case .block, .removed: 0
        }
    }
}
