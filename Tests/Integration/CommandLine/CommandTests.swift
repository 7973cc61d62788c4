import Foundation
import Testing
import TestConcurrency
import TravelDataSQLite
import TravelDomain
import TravelPresentation
import TravelSamples
@testable import traveline
import TravelTerminal

@Suite("The command line")
struct CommandTests {
    @Test(
        "filters accept identifiers and names in either language, repeated or separated by commas",
        arguments: [
            ["--region", "busan", "--region", "제주"], ["--region=busan,jeju"], ["--region", "BUSAN,Jeju"],
        ])
    func regions(arguments: [String]) throws {
        let search = try search(arguments)
        #expect(search.criteria.regions == [.busan, .jeju])
    }

    @Test("every filter and option is parsed")
    func everything() throws {
        let search = try search([
            "--keyword", " 바다 ", "--theme", "food", "--companion", "pets", "--season", "여름", "--period", "oneNight",
            "--headcount", "5+", "--budget", "under10", "--transportation", "ownCar", "--sort", "liked", "--limit", "7",
            "--json", "--database", "/tmp/x.sqlite",
        ])
        #expect(
            search.criteria
                == TripCriteria(
                    keyword: Keyword("바다"), themes: [.food], companions: [.pets], seasons: [.summer],
                    period: .oneNight, headcount: .fiveOrMore, budget: .under10, transportation: .ownCar,
                    sort: .mostLiked))
        #expect(search.list.isJSON)
        #expect(search.list.limit == 7)
        #expect(search.store.database == .file("/tmp/x.sqlite"))
    }

    @Test("the order is the newest, the most liked or the latest date of the trip")
    func orders() throws {
        let orders = try ["newest", "liked", "date"].map { try search(["--sort", $0]).criteria.sort }
        #expect(orders == TripSort.allCases)
    }

    @Test("a keyword can begin with a dash or contain an equals sign")
    func oddKeywords() throws {
        #expect(try search(["--keyword", "-20%"]).criteria.keyword?.text == "-20%")
        #expect(try search(["--keyword=a=b"]).criteria.keyword?.text == "a=b")
    }

    @Test("words without an option are the keyword, which proposes the region that it names")
    func words() throws {
        #expect(try search(["바다"]).criteria == TripCriteria(keyword: Keyword("바다")))
        #expect(try search(["밤", "--json", "바다"]).criteria.keyword?.text == "밤 바다")
        #expect(try search(["--", "-20%"]).criteria.keyword?.text == "-20%")
        #expect(try search([""]).criteria == TripCriteria())
        #expect(try search(["바다"]).proposedRegion == nil)
        #expect(try search(["제주도"]).proposedRegion == .jeju)
        #expect(try search(["--keyword", "ＢＵＳＡＮ"]).proposedRegion == .busan)
        #expect(try search(["부산", "--region", "busan"]).proposedRegion == nil)
    }

    @Test(
        "at most three people are named whose trips only they see",
        arguments: [
            (["가가"], "1 trip is visible only to '가가', on", "여행 1개는 '가가'이(가) 쓴"),
            (["가가", "나나"], "2 trips are visible only to '가가' and '나나', on", "여행 2개는 '가가', '나나'이(가) 쓴"),
            (
                ["가가", "나나", "다다"], "3 trips are visible only to '가가', '나나' and '다다', on",
                "여행 3개는 '가가', '나나', '다다'이(가) 쓴"
            ),
            (
                ["가가", "나나", "다다", "라라"], "4 trips are visible only to '가가', '나나', '다다' and 1 other person, on",
                "여행 4개는 '가가', '나나', '다다' 외 1명이 쓴"
            ),
            (
                (1...2_000).map { "사람\($0)" },
                "2000 trips are visible only to '사람1', '사람2', '사람3' and 1997 other people, on",
                "여행 2000개는 '사람1', '사람2', '사람3' 외 1997명이 쓴"
            ),
        ] as [([String], String, String)])
    func hiddenTrips(names: [String], english: String, korean: String) throws {
        let text = Text.hiddenTrips(names.count, by: try names.map { try Nickname($0) }, in: .file("db"))
        #expect(text.english.hasPrefix("db: \(english) the device where"), "\(text.english)")
        #expect(text.korean.hasPrefix("db: \(korean) 기기에서만 보입니다."), "\(text.korean)")
    }

    @Test(
        "the options of the app can come before its link and after it",
        arguments: [
            ["traveline://home", "--database", "/tmp/x.sqlite"], ["--database=/tmp/x.sqlite", "traveline://home"],
        ])
    func linkAndOptions(arguments: [String]) throws {
        guard case .app(let options, let link) = try Command(arguments) else {
            return #expect(Bool(false), "not the app")
        }
        #expect(options.database == .file("/tmp/x.sqlite"))
        #expect(link == "traveline://home")
    }

    @Test(
        "the help of help is that of the program, in any language",
        arguments: [["help", "help"], ["help", "--lang", "ko"], ["--lang", "ko", "--help"], ["help", "--help"]])
    func helpOfHelp(arguments: [String]) throws {
        guard case .help(nil) = try Command(arguments) else {
            return #expect(Bool(false), "not the help of the program")
        }
    }

    @Test("a file whose name begins with a dash follows two dashes")
    func oddFile() throws {
        guard case .run(let command as ImportCommand) = try Command(["import", "--", "-walk.gpx"]) else {
            return #expect(Bool(false), "not an import")
        }
        #expect(command.file == "-walk.gpx")
    }

    @Test(
        "invalid arguments are rejected with a hint",
        arguments: [
            (["fly"], "choose one of: search, show, map"), (["serach"], "did you mean search?"),
            (["EDTI", "x"], "did you mean edit?"),
            (["search", "--regoin", "jeju"], "did you mean --region?"),
            (["search", "--region", "buasn"], "did you mean busan?"),
            (["--lang", "ko", "search"], "--lang comes after a command"),
            (["--as", "Mina", "search", "--limit", "1"], "--as comes after a command"),
            (["help", "--fast"], "help has no option --fast"),
            (["traveline://trip/b487da88"], "with the whole ID"), (["--json"], "comes after a command"),
            (["search", "--region", "atlantis"], "choose one of: seoul, busan"),
            (["search", "--region", ""], "unknown region"),
            (["search", "--limit", "0"], "from 1"), (["search", "--limit", "many"], "from 1"),
            (["search", "--headcount", "6"], "5+"), (["search", "--sort", "best"], "newest, liked"),
            (["search", "--json=yes"], "takes no value"), (["search", "--keyword"], "needs a value"),
            (["search", "바다", "--keyword", "산"], "leave one out"), (["help", "search", "show"], "one command"),
            (["import"], "needs a file"),
            (["search", "--database", ""], "path"), (["search", "--fast"], "search has no option --fast"),
            (["search", "--lang", "fr"], "choose one of: en, ko"), (["search", "--after", "xyz"], "is not an ID"),
            (["show"], "needs the ID"), (["show", "6f1", "6f2"], "unexpected argument '6f2'"),
            (["show", "g"], "is not an ID"),
            (["show", "6f1", "--day", "0"], "--day needs a whole number from 1"), (["map"], "needs the ID"),
            (["write", "--title", "a"], "a region: --region"), (["write", "--region", "busan"], "a title: --title"),
            (["write", "--title", "a", "--region", "busan", "--from", "2024-02-30"], "--from cannot be '2024-02-30'"),
            (["write", "--title", "a", "--region", "busan", "--from", "2024-02-02", "--to", "2024-02-01"], "before"),
            (
                ["write", "--title", "a", "--region", "busan", "--from", "9999-12-30", "--days", "3"],
                "after the year 9999"
            ),
            (["write", "--to", "2024-02-02", "--days", "2"], "are alternatives"),
            (["write", "--text", "a"], "specify its trip: --in"),
            (["write", "--in", "6f1", "--title", "a"], "a text: --text"), (["edit", "6f1"], "something to change"),
            (["edit", "6f1", "--time", "9:00"], "--time cannot be '9:00'"),
            (["edit", "6f1", "--at", "95,1"], "--at needs"),
            (["edit", "6f1", "--place", "a"], "specify the entry: --entry"),
            (["edit", "6f1", "--entry", "1"], "to change"),
            (["edit", "6f1", "--budget", "0"], "over100, none"), (["like"], "needs the ID"), (["delete"], "--samples"),
            (["delete", "--samples", "6f1"], "omit the rest"),
            (["delete", "6f1", "6f2", "--entry", "1"], "one trip"),
            (["export"], "--mine"), (["export", "6f1", "--output", "trip.doc"], "json, geojson, gpx, svg, html"),
            (["export", "6f1", "6f2", "--format", "gpx"], "holds one trip"),
            (["export", "6f1", "--mine"], "omit the IDs"),
            (["me", "dance"], "show, trips, likes"), (["me", "rename"], "new nickname"),
            (["me", "show", "x"], "unexpected argument 'x'"),
            (["completion"], "bash, zsh or fish"), (["completion", "csh"], "unknown shell 'csh'"),
            (["doctor", "x"], "unexpected argument 'x'"),
            (["seed"], "a number of trips"), (["help", "fly"], "unknown command 'fly'"),
        ] as [([String], String)])
    func refused(arguments: [String], hint: String) throws {
        let error = try #require(throws: UsageError.self) { try Command(arguments) }
        #expect(error.description.contains(hint))
        #expect(!error.description.contains("\n"))
        #expect(error.text(in: .korean).contains { ("가"..."힣").contains($0) })
    }

    @Test(
        "seeding reports its progress, also while indexes are created",
        arguments: [
            (SeedProgress.writing(trips: 250_000), "250,000 of 1,000,000 trips, 62,500 a second"),
            (.writing(trips: 1_000_000), "1,000,000 of 1,000,000 trips, 250,000 a second"),
            (.indexing(2, of: 4), "1,000,000 trips, making index 2 of 4"),
            (.committing, "1,000,000 trips, writing them to disk"),
        ])
    func seedProgress(progress: SeedProgress, text: String) {
        func shown(in language: Language) -> String {
            SeedCommand.text(for: progress, count: 1_000_000, duration: .seconds(4), in: language)
        }
        #expect(shown(in: .english) == text)
        #expect(shown(in: .korean).contains("여행 1,000,000개"))
    }

    @Test("a draft that is abandoned while it is filled is removed immediately and not published")
    func abandonedDraft() async throws {
        let folder = try Shell.temporaryFolder()
        defer { Shell.remove(folder) }
        let draft = DatabaseDraft(of: folder.appending(path: "db").path)
        #expect(!draft.abandon())
        await #expect(throws: CancellationError.self) {
            _ = try await draft.create { _ in
                let isAbandoned = draft.abandon()
                let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                #expect(isAbandoned && files == [])
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test("a complete draft is published and cannot be abandoned")
    func publishedDraft() async throws {
        let folder = try Shell.temporaryFolder()
        defer { Shell.remove(folder) }
        let draft = DatabaseDraft(of: folder.appending(path: "db").path)
        let isPublished = try await draft.create { try await $0.seed(count: 1, seed: 1) }
        #expect(isPublished && !draft.abandon())
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["db"])
    }

    @Test("a new database is not published beside the log of one that is gone", arguments: ["-wal", "-journal"])
    func draftBesideALog(suffix: String) async throws {
        let folder = try Shell.temporaryFolder()
        defer { Shell.remove(folder) }
        let log = folder.appending(path: "db\(suffix)")
        try Data("log".utf8).write(to: log)
        let path = folder.appending(path: "db").path
        await #expect(throws: TravelError.self) {
            _ = try await DatabaseDraft(of: path).create { try await $0.seed(count: 1, seed: 1) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["db\(suffix)"])
        try Data().write(to: log)
        #expect(try await DatabaseDraft(of: path).create { try await $0.seed(count: 1, seed: 1) })
    }

    @Test("the sample trips of a first run are added in one commit, with their likes")
    func samples() async throws {
        let folder = try Shell.temporaryFolder()
        defer { Shell.remove(folder) }
        let database = try await TravelDatabase.open(path: folder.appending(path: "db").path)
        let before = try #require(database.changeCount())
        try await database.addSamples()
        #expect(database.changeCount() == before + 1)
        for sample in SampleTrips.all {
            let stored = try await database.trips.trip(sample.trip.id, viewer: nil)
            #expect(stored.likeCount == sample.likedBy.count && stored.author == sample.trip.author)
        }
        await database.close()
    }

    @Test(
        "the database is in the data directory of the XDG specification, unless that is relative",
        arguments: [
            (["XDG_DATA_HOME": "/data", "HOME": "/home/a"], "/data/traveline/trips.sqlite"),
            (["XDG_DATA_HOME": "data", "HOME": "/home/a"], "/home/a/.local/share/traveline/trips.sqlite"),
            (["HOME": "/home/a"], "/home/a/.local/share/traveline/trips.sqlite"),
        ])
    func dataDirectory(environment: [String: String], path: String) throws {
        #if !canImport(Darwin)
        #expect(try DataDirectory.databasePath(in: environment) == path)
        #endif
    }

    @Test(
        "errors of use cases have the exit codes of sysexits",
        arguments: [
            (TravelError.signedOut, .noPermission), (.forbidden(.trip(.init())), .noPermission),
            (.notFound(.trip(.init())), .dataError), (.conflict(.trip(.init())), .dataError),
            (.invalid(.init(.title, .empty)), .dataError), (.unavailable(.init("", canRetry: true)), .temporaryFailure),
            (.unavailable(.init("", canRetry: false)), .unavailable),
        ] as [(TravelError, ExitCode)])
    func exitCodes(error: TravelError, code: ExitCode) {
        #expect(error.exitCode == code)
    }

    @Test("without a home directory, the database path must be given")
    func homeless() {
        #expect(throws: UsageError.self) { try DataDirectory.databasePath(in: [:]) }
    }

    private func search(_ arguments: [String]) throws -> SearchCommand {
        guard case .run(let search as SearchCommand) = try Command(["search"] + arguments) else {
            throw CancellationError()
        }
        return search
    }
}

@Suite("The executable", .limitedConcurrency)
struct ProgramTests {
    private static let isBuilt = Program.isBuilt

    private func run<Value>(
        _ command: String, _ check: (_ result: Shell.Result, _ folder: String) throws -> Value
    ) throws -> Value {
        try Program.run(command, check)
    }

    @Test(
        "a failure to write output exits with 74 and prints one line with the reason",
        .enabled(if: isBuilt && FileManager.default.fileExists(atPath: "/dev/full")),
        arguments: [
            "--version > /dev/full", "help > /dev/full", "--version >&-", "search >&-",
            "search --database db > /dev/full",
        ])
    func unwritableOutput(arguments: String) throws {
        try run("$traveline \(arguments)") { result, _ in
            #expect(result.status == 74)
            let lines = result.error.split(separator: "\n")
            #expect(lines.last?.hasPrefix("traveline: standard output cannot be written: ") == true)
            #expect(lines.count == (arguments.contains("db") ? 2 : 1))
        }
    }

    @Test(
        "a missing database is created with a note, and closing it leaves a single file",
        .enabled(if: isBuilt))
    func newDatabase() throws {
        try run("$traveline search --database db --limit 1 && $traveline search --database db --limit 1 2> second") {
            result, folder in
            #expect(result.status == 0)
            #expect(
                result.error == """
                    traveline: db: there was no such file; a new database with sample trips was created (to remove them: delete --samples)
                    traveline: 1 of 79 trips; for more: --after 0326c600

                    """)
            let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            #expect(files == ["data", "db", "second"])
            let second = try String(contentsOf: URL(fileURLWithPath: folder + "/second"), encoding: .utf8)
            #expect(second == "traveline: 1 of 79 trips; for more: --after 0326c600\n")
        }
    }

    @Test(
        "a database in a missing folder, or a file that is not a database, is an error that names the path",
        .enabled(if: isBuilt))
    func wrongPaths() throws {
        try run("$traveline search --database tpyo/db") { result, folder in
            #expect(result.status == ExitCode.usage.rawValue)
            #expect(result.error.hasPrefix("traveline: "))
            #expect(result.error.contains("/tpyo/db: there is no directory "))
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(files == [])
        }
        try run("echo 'this is a letter, and no database at all' > letter && $traveline search --database letter") {
            result, _ in
            #expect(result.status != 0)
            #expect(result.error.hasPrefix("traveline: letter: "))
        }
        try run("$traveline search --database :memory:") { result, folder in
            #expect(result.status == ExitCode.usage.rawValue)
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(files == [])
        }
    }

    @Test("only the owner can access the data directory and the database", .enabled(if: isBuilt))
    func permissions() throws {
        try run("umask 022; $traveline search --limit 1") { result, folder in
            #expect(result.status == 0)
            for (path, mode) in [("data/traveline", 0o700), ("data/traveline/trips.sqlite", 0o600)] {
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(path)")
                #expect(attributes[.posixPermissions] as? Int == mode, "\(path)")
            }
        }
    }

    @Test("another process removes a draft only after its lock is released")
    func drafts() async throws {
        let root = try Shell.temporaryFolder()
        defer { Shell.remove(root) }
        let folder = root.path
        for name in [
            "db.1.draft", "db.1.draft-wal", "db.1.draft-lock", "db.2.draft", "db.2.draft-lock", "db.3.draft-lock",
        ] {
            try Data("x".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        }
        // Not inherited by the programs that other tests start meanwhile.
        let lock = open(folder + "/db.2.draft-lock", O_RDWR | O_CLOEXEC)
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        DatabaseDraft(of: folder + "/db").removeAbandoned()
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["db.2.draft", "db.2.draft-lock"])
        close(lock)
        DatabaseDraft(of: folder + "/db").removeAbandoned()
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(files == [])
    }
}

/// The executable, built beside the tests.
enum Program {
    static let path = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0])
        .deletingLastPathComponent().appendingPathComponent("traveline").path
    static let isBuilt = FileManager.default.isExecutableFile(atPath: path)

    /// Runs a shell command in an empty folder, in which `$traveline` is the program, in the locale `C`.
    static func run<Value>(
        _ command: String, _ check: (_ result: Shell.Result, _ folder: String) throws -> Value
    ) throws -> Value {
        let folder = try Shell.temporaryFolder()
        defer { Shell.remove(folder) }
        let script =
            "cd '\(folder.path)' && export XDG_DATA_HOME=$PWD/data LC_ALL=C COLUMNS=80 && traveline='\(path)' && \(command)"
        return try check(try Shell.run("bash", "-c", script), folder.path)
    }
}
