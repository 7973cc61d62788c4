import Foundation
import TravelDataSQLite
import TravelDataShared
import TravelDomain
import TravelPresentation
import TravelSamples

#if PostgreSQL
import TravelDataPostgreSQL
#endif

/// `traveline seed`: fills a database with generated trips, to try it at any size.
struct SeedCommand: CommandLineCommand {
    static let help = CommandHelp(
        name: "seed", summary: Text("adds generated trips, to test a database of any size", "가상 여행을 더해 큰 데이터베이스 시험하기"),
        usage: ["seed --count N [--seed SEED] [--json] [--database PLACE]", "seed --samples [--database PLACE]"],
        notes: [
            Text(
                "The same N and SEED always give the same trips. Either all of them are added or, if the command is "
                    + "interrupted, none.", "N과 SEED가 같으면 여행도 같습니다. 모두 더해지거나, 중단하면 하나도 더해지지 않습니다.")
        ],
        options: [
            OptionHelp("--count", "N", Text("the number of trips", "여행 수")),
            OptionHelp("--samples", Text("add the sample trips that a new database has", "새 파일에 있는 예시 여행 더하기")),
            OptionHelp(
                "--seed", "SEED", Text("the seed of the generator: a whole number, 1 by default", "여행의 종류, 정수, 기본은 1")),
            .json,
        ],
        examples: [
            (
                "seed --count 1000000 --seed 7 --database million.sqlite",
                Text("a database of a million trips", "여행 백만 개의 데이터베이스")
            ),
            ("seed --count 500", Text("500 more trips in your own database", "내 데이터베이스에 여행 500개 더하기")),
            (
                "seed --samples --database postgresql:///travel",
                Text("the sample trips, in a database without them", "예시 여행이 없는 데이터베이스에 예시 여행 더하기")
            ),
        ])

    /// The number of generated trips; `nil` for the sample trips.
    let count: Int?
    let seed: UInt64
    let store: StoreOptions

    init(_ arguments: Arguments) throws {
        try Self.rejectWords(arguments)
        count = try arguments.positiveNumber("--count")
        seed = try arguments.value("--seed", Self.seed) ?? 1
        store = try StoreOptions(arguments)
        let areSamples = arguments.has("--samples")
        if count == nil, !areSamples {
            throw Self.missing(
                "a number of trips: traveline seed --count N, or --samples",
                "여행 수: traveline seed --count N 또는 --samples")
        }
        if count != nil, areSamples {
            throw UsageError("--samples adds a fixed set of trips; omit --count", "--samples에는 --count를 쓰지 않습니다")
        }
    }

    private static func seed(_ text: String) throws -> UInt64 {
        guard let seed = UInt64(text) else {
            throw UsageError(
                "--seed needs a whole number from 0 to \(UInt64.max), not '\(text)'",
                "--seed에는 0부터 \(UInt64.max)까지의 정수가 필요합니다. '\(text)'은(는) 쓸 수 없습니다")
        }
        return seed
    }

    private var language: Language { store.outputLanguage }

    func run() async throws {
        let (location, isNamed) = try store.location()
        let start = ContinuousClock.now
        let line = ProgressLine(environment: ProcessInfo.processInfo.environment)
        defer { line.clear() }
        try await FileError.naming(location.description) {
            switch location {
            case .file(let path):
                // A new database is abandoned immediately; a write to an existing one is cancelled, and undone.
                let draft = DatabaseDraft(of: path)
                try await Signal.cancelling(orAbandoning: { draft.abandon() }) {
                    try await fill(draft, makesFolder: !isNamed, line, since: start)
                }
            case .server(let address):
                try await Signal.cancelling(orAbandoning: { false }) { try await fill(address, line, since: start) }
            }
        }
        line.clear()
        try Standard.write(try summary(path: location.description, duration: ContinuousClock.now - start))
    }

    /// Runs `add`, and says in a person's words that the trips are there already.
    private func refusingRepetition(at name: String, _ add: () async throws -> Void) async throws {
        do {
            try await add()
        } catch TravelError.conflict {
            throw count == nil
                ? FileError(name, "it already contains the sample trips", "예시 여행이 이미 있습니다", .dataError)
                : FileError(
                    name, "it already contains the trips of seed \(seed); choose another --seed",
                    "시드 \(seed)의 여행이 이미 있습니다. 다른 --seed를 고르세요", .dataError)
        }
    }

    private func fill(
        _ draft: DatabaseDraft, makesFolder: Bool, _ line: ProgressLine, since start: ContinuousClock.Instant
    ) async throws {
        let path = draft.target
        draft.removeAbandoned()
        if FileManager.default.fileExists(atPath: path) {
            let database = try await TravelDatabase.open(path: path)
            return try await closing(database.close) { try await fill(database, at: path, line, since: start) }
        }
        let isPublished = try await draft.create(makesFolder: makesFolder) { database in
            try await fill(database, at: path, line, since: start)
        }
        if !isPublished {
            throw FileError(
                path, "another program created it in the meantime; try again",
                "그사이 다른 프로그램이 만들었습니다. 다시 시도하세요", .unavailable)
        }
    }

    private func fill(
        _ database: TravelDatabase, at path: String, _ line: ProgressLine, since start: ContinuousClock.Instant
    ) async throws {
        try await refusingRepetition(at: path) {
            guard let count else { return try await database.addSamples() }
            try await database.seed(count: count, seed: seed) { progress in
                let isFrequent = if case .writing = progress { true } else { false }
                line.show(
                    Self.text(for: progress, count: count, duration: ContinuousClock.now - start, in: language),
                    always: !isFrequent)
            }
        }
    }

    private func fill(
        _ address: DatabaseAddress, _ line: ProgressLine, since start: ContinuousClock.Instant
    ) async throws {
        #if PostgreSQL
        let database = try await PostgreSQLTravelDatabase.open(.url(address.text))
        try await closing(database.close) {
            try await refusingRepetition(at: address.description) {
                guard let count else { return try await database.addSamples() }
                try await database.seed(count: count, seed: seed) { trips in
                    let isLast = trips == count
                    line.show(
                        Self.text(
                            for: isLast ? .committing : .writing(trips: trips), count: count,
                            duration: ContinuousClock.now - start, in: language), always: isLast)
                }
            }
        }
        #else
        throw CommandError.withoutServers
        #endif
    }

    /// What the line says that shows how far it has got with `count` trips after `duration`.
    static func text(
        for progress: SeedProgress, count: Int, duration: Duration, in language: Language
    ) -> String {
        let all = grouped(count)
        switch progress {
        case .writing(let trips):
            let (trips, speed) = (grouped(trips), grouped(speed(trips, duration)))
            return language.say("\(trips) of \(all) trips, \(speed) a second", "여행 \(all)개 중 \(trips)개, 초당 \(speed)개")
        case .indexing(let index, let indexes):
            return language.say(
                "\(all) trips, making index \(index) of \(indexes)", "여행 \(all)개, 색인 만드는 중 (\(index)/\(indexes))")
        case .committing: return language.say("\(all) trips, writing them to disk", "여행 \(all)개, 디스크에 쓰는 중")
        }
    }

    private func summary(path: String, duration: Duration) throws -> String {
        let summary = Summary(
            database: path, trips: count ?? SampleTrips.all.count, seed: count == nil ? nil : seed,
            seconds: Double(Int(duration / .milliseconds(1))) / 1_000,
            tripsPerSecond: Self.speed(count ?? SampleTrips.all.count, duration))
        if store.isJSON { return try JSONLine.text(summary) + "\n" }
        let (trips, speed) = (Self.grouped(summary.trips), Self.grouped(summary.tripsPerSecond))
        return language.say(
            "\(path): \(trips) trips, \(speed) a second\n", "\(path): 여행 \(trips)개, 초당 \(speed)개\n")
    }

    private struct Summary: Encodable {
        let database: String
        let trips: Int
        let seed: UInt64?
        let seconds: Double
        let tripsPerSecond: Int
    }

    static func speed(_ count: Int, _ duration: Duration) -> Int {
        Int(Double(count) / max(duration / .seconds(1), 0.001))
    }

    /// The number with a comma before every third digit: `1,000,000`.
    static func grouped(_ number: Int) -> String {
        let digits = String(number)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return text
    }
}
