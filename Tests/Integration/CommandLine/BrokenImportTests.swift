import Foundation
import SQLiteStore
import TestConcurrency
import Testing
import TravelDomain
import TravelSamples

@testable import traveline

/// Imports that end early, as processes: by a signal, by their store, and by one of their files.
@Suite("An import that ends early", .limitedConcurrency, .enabled(if: Program.isBuilt))
struct BrokenImportTests {
    /// A folder with a database of one generated trip, in which scripts run.
    private struct Place {
        let folder: URL
        var database: String { folder.appending(path: "db").path }

        init() throws {
            folder = try Shell.temporaryFolder()
            _ = try run("$traveline seed --count 1 $d > /dev/null && mkdir photos bin")
        }

        func run(_ script: String) throws -> Shell.Result {
            let prelude =
                "cd '\(folder.path)' && export XDG_DATA_HOME=$PWD/data LC_ALL=C COLUMNS=80 d='--database db --lang en' && "
                + "traveline='\(Program.path)' && "
            return try Shell.run("bash", "-c", prelude + script)
        }

        /// Writes photos that were taken one minute after the other, on 1 May 2024 from this minute after 09:00.
        func addPhotos(_ numbers: Range<Int>) throws {
            for number in numbers {
                let (hour, minute) = (9 + number / 60, number % 60)
                let date = "2024:05:01 \(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute):00"
                try Data(ImageFileTests.jpeg(date)).write(to: folder.appending(path: "photos/\(number).jpg"))
            }
        }

        /// Writes a photo in the colours of print, which needs a converter: it was taken at 23:00, after all others.
        func addPrint() throws {
            var bytes = ImageFileTests.jpeg("2024:05:01 23:00:00")
            let frame: [UInt8] =
                [0xFF, 0xC0, 0, 20, 8, 0, 8, 0, 8, 4] + (1...4).flatMap { [$0, 0x11, 0] as [UInt8] }
            bytes.insert(contentsOf: frame, at: bytes.count - 10)
            try Data(bytes).write(to: folder.appending(path: "photos/print.jpg"))
        }

        /// Puts a converter on the path that sends its parent a signal, and waits until that has ended.
        func addConverter(sending signal: String) throws {
            let script = "#!/bin/sh\nkill -\(signal) $PPID\nwhile kill -0 $PPID 2> /dev/null; do sleep 0.02; done\n"
            let path = folder.appending(path: "bin/vips").path
            try Data(script.utf8).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }

        /// Runs statements in the database: triggers make its writes fail.
        func execute(_ script: String) async throws {
            let store = try await Database.open(.file(database))
            try await store.write { try $0.executeScript(script) }
            await store.close()
        }

        /// How many photos each trip of the user has.
        func photos() throws -> [Int] {
            let ids = try run("$traveline me trips $d | grep -oE '^[0-9a-f-]{8,36} '").output
            return try ids.split(separator: "\n").map { id in
                Int(
                    try run("$traveline export \(id) --format json $d | grep -c '\"bytes\"'").output.prefix {
                        $0 != "\n"
                    })
                    ?? -1
            }
        }

        func kept() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "data/traveline").path)
                .filter { $0.hasPrefix("imported") }
        }
    }

    private func inPlace(_ body: (Place) async throws -> Void) async throws {
        let place = try Place()
        defer { Shell.remove(place.folder) }
        try await body(place)
    }

    private let fromFolder = "PATH=$PWD/bin:$PATH $traveline import photos $d"

    @Test("by a signal is undone, whatever it has written", arguments: ["KILL", "INT", "TERM"])
    func signals(signal: String) async throws {
        try await inPlace { place in
            try place.addPhotos(0..<25)
            try place.addPrint()
            try place.addConverter(sending: signal)
            let broken = try place.run("\(fromFolder) > out; echo \"rc $?\"")
            let code = ["KILL": 137, "INT": 130, "TERM": 143][signal] ?? 0
            #expect(broken.output == "rc \(code)\n", "\(broken)")
            let hint = "the import ended early; to undo what it added: traveline undo --database db"
            #expect(broken.error.contains(hint) == (signal != "KILL"), "\(broken.error)")
            #expect(try place.photos() == [24])
            let undo = try place.run("$traveline undo $d; $traveline undo $d; echo \"rc $?\"")
            #expect(undo.output == "import undone: 'photos'\nrc 65\n", "\(undo)")
            #expect(try place.photos() == [] && place.kept() == [])
        }
    }

    @Test("goes on with what is new, which alone is undone then")
    func repeated() async throws {
        try await inPlace { place in
            try place.addPhotos(0..<25)
            try place.addPrint()
            try place.addConverter(sending: "KILL")
            _ = try place.run(fromFolder)
            let again = try place.run("rm photos/print.jpg; \(fromFolder)")
            #expect(again.error.contains("1 photo added; 24 were there already"), "\(again)")
            #expect(try place.photos() == [25])
            let undo = try place.run("$traveline undo $d; $traveline undo $d; echo \"rc $?\"")
            #expect(undo.output == "import undone: 'photos'\nrc 65\n" && undo.status == 0, "\(undo)")
            #expect(try place.photos() == [24])
        }
    }

    @Test("and adds to a trip is undone by one undo, and the trip is as before", arguments: [false, true])
    func extended(isKilled: Bool) async throws {
        try await inPlace { place in
            try place.addPhotos(0..<10)
            #expect(try place.run(fromFolder).status == 0)
            try place.addPhotos(10..<60)
            if isKilled {
                try place.addPrint()
                try place.addConverter(sending: "KILL")
            } else {
                try await place.execute(
                    """
                    CREATE TRIGGER full BEFORE INSERT ON image WHEN (SELECT COUNT(*) FROM image) >= 34
                    BEGIN SELECT RAISE(ABORT, 'full'); END;
                    """)
            }
            let broken = try place.run("\(fromFolder); echo \"rc $?\"")
            #expect(!broken.output.hasSuffix("rc 0\n"), "\(broken)")
            #expect(try place.photos() == [isKilled ? 58 : 34], "\(broken)")
            if !isKilled { try await place.execute("DROP TRIGGER full;") }
            let undo = try place.run("$traveline undo $d")
            #expect(undo.output == "import undone: 'photos'\n", "\(undo)")
            #expect(try place.photos() == [10])
        }
    }

    @Test("by a store that fails at the second write is undone; at the first, it leaves the import before it")
    func failingStore() async throws {
        try await inPlace { place in
            func fail(from count: Int) async throws {
                try await place.execute(
                    """
                    CREATE TRIGGER full BEFORE INSERT ON image WHEN (SELECT COUNT(*) FROM image) >= \(count)
                    BEGIN SELECT RAISE(ABORT, 'full'); END;
                    """)
            }
            try place.addPhotos(0..<60)
            try await fail(from: 0)
            let nothing = try place.run("\(fromFolder); echo \"rc $?\"")
            #expect(!nothing.output.contains("rc 0") && !nothing.error.contains("undo"), "\(nothing)")
            #expect(try place.photos() == [] && place.kept() == [])
            try await place.execute("DROP TRIGGER full;")
            try await fail(from: 24)
            let broken = try place.run("\(fromFolder); echo \"rc $?\"")
            #expect(!broken.output.contains("rc 0"), "\(broken)")
            #expect(broken.error.contains("to undo what it added: traveline undo --database db"), "\(broken)")
            #expect(try place.photos() == [24])
            // An import that adds nothing at all does not hide it.
            let again = try place.run("\(fromFolder); $traveline undo $d")
            #expect(again.output == "import undone: 'photos'\n", "\(again)")
            #expect(try place.photos() == [])
        }
    }

    @Test("of exported trips adds all of them at once, replaces one after the other, and is undone")
    func exportedTrips() async throws {
        try await inPlace { place in
            let start = """
                write() { $traveline write --title $1 --region busan --from 2024-05-01 $d | cut -c 1-36; }; \
                titles() { $traveline me trips --json $d | grep -o '"title":"[^"]*' | cut -c 10- | sort | xargs; }; \

                """
            let before = try place.run(
                start + """
                    a=$(write A); b=$(write B); c=$(write C); $traveline export --mine --output all.json $d; \
                    for i in $a $b; do $traveline edit $i --title new $d > /dev/null; done; \
                    $traveline delete $c --yes $d > /dev/null; titles
                    """)
            #expect(before.output == "new new\n", "\(before)")
            try await place.execute(
                """
                CREATE TRIGGER full BEFORE UPDATE ON trip WHEN NEW.title = 'B'
                BEGIN SELECT RAISE(ABORT, 'full'); END;
                CREATE TRIGGER none BEFORE INSERT ON trip WHEN NEW.title = 'C'
                BEGIN SELECT RAISE(ABORT, 'full'); END;
                """)
            let none = try place.run(start + "$traveline import all.json --replace $d; echo \"rc $?\"; titles")
            #expect(!none.output.contains("rc 0") && none.output.hasSuffix("\nnew new\n"), "\(none)")
            #expect(try place.kept() == [] && !none.error.contains("undo what"), "\(none)")
            try await place.execute("DROP TRIGGER none;")
            let broken = try place.run(start + "$traveline import all.json --replace $d; echo \"rc $?\"; titles")
            #expect(!broken.output.contains("rc 0"), "\(broken)")
            #expect(broken.error.contains("to undo what it added: traveline undo"), "\(broken)")
            // Whether A or B comes first is up to their IDs.
            #expect(["A C new\n", "C new new\n"].contains { broken.output.hasSuffix("\n" + $0) }, "\(broken)")
            let undo = try place.run(start + "$traveline undo $d | cut -c 1-13; titles")
            #expect(undo.output == "import undone\nnew new\n", "\(undo)")
        }
    }

    @Test("before its first write leaves the import before it, and undo says so")
    func beforeTheFirstWrite() async throws {
        try await inPlace { place in
            try place.addPhotos(0..<3)
            #expect(try place.run(fromFolder).status == 0)
            var log = try DeletionLog(
                in: ["XDG_DATA_HOME": place.folder.appending(path: "data").path], keeping: .imported)
            let last = try #require(log.deletions.first?.deletion)
            let change = ImportedChange(of: nil, from: nil, writing: try #require(SampleTrips.all.first).trip)
            let user = try #require(last.actor)
            try log.keep(Deletion([], imports: [change], by: User.ID(user), in: last.place))
            let undo = try place.run("$traveline undo $d")
            #expect(
                undo.output == "the last import ended before it had added anything; nothing was changed\n", "\(undo)")
            #expect(try place.photos() == [3])
            let next = try place.run("$traveline undo $d")
            #expect(next.output == "import undone: 'photos'\n", "\(next)")
            #expect(try place.photos() == [])
        }
    }

    @Test("keeps with each write its version and what it adds, so that later changes are not undone")
    func outcomes() throws {
        func entry() throws -> TimelineEntry {
            try TimelineEntry(day: 1, time: TimeOfDay(hour: 9), title: Title("x"), text: EntryText("x"))
        }
        let before = try #require(SampleTrips.all.first).trip
        let planned = try before.with(timeline: before.timeline + [entry()])
        let written = try planned.revision(of: before)
        var content = before.content
        content.title = try Title("x")
        let edited = try before.with(content: content).revision(of: before)
        let change = ImportedChange(of: before, from: before, writing: planned)
        #expect(change.outcome(in: before) == .none)
        #expect(change.outcome(in: written) == .written)
        #expect(change.outcome(in: edited) == .changedSince)
        let next = try written.with(timeline: written.timeline + [entry()])
        let second = ImportedChange(of: before, from: written, writing: next)
        #expect(second.addition?.entries.count == 2)
        for (trip, outcome) in try [
            (before, .none), (written, .written), (next.revision(of: written), .written),
            (edited.revision(of: written), .changedSince),
        ] as [(RecordedTrip, ImportedChange.Outcome)] { #expect(second.outcome(in: trip) == outcome) }
        let new = ImportedChange(of: nil, from: nil, writing: before)
        #expect(new.outcome(in: before) == .written && new.outcome(in: written) == .changedSince)
        let done = ImportedChange(of: before, to: written)
        #expect(done.outcome(in: written) == .written)
        #expect(done.outcome(in: try next.revision(of: written)) == .changedSince)
    }
}
