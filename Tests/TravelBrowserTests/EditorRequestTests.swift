#if Server
import Composition
import Foundation
import Synchronization
import TestConcurrency
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting
import TravelFileSamples
@testable import TravelBrowser
@testable import TravelServer

/// Requests as browsers send them, with and without the script, to an app with a store in memory.
@MainActor
@Suite("Requests of editors", .limitedConcurrency)
struct EditorRequestTests {
    private nonisolated static let me = User.ID(seed: 1)
    private nonisolated static let trip = Trip.ID(seed: 1)

    private let memory = InMemoryTripRepository()
    private let sessions = BrowserSessions(time: { 0 })
    private let session: BrowserSessions.Session
    private let application: BrowserApplication
    private let paths = Paths()

    private final class Paths: Sendable {
        let list = Mutex<[String]>([])
        /// The names of the files that were imported together, each time.
        let imports = Mutex<[[String]]>([])
        /// The trips to which they were to be added.
        let targets = Mutex<[Trip.ID?]>([])
    }

    init() async throws {
        try await memory.add(User(seed: 1, nickname: "나그네"))
        let account = InMemorySession(device: Self.me, signedIn: Self.me)
        session = sessions.begin(Self.access(memory, account, paths))
        application = BrowserApplication(
            origins: .init(hosts: ["app.test"], scheme: "http", cookie: "app"), sessions: sessions,
            entrance: .ticket { _ in nil }, patience: .seconds(60))
    }

    /// Runs `work` with the clock of the system: an answer waits for work of the main queue, where nothing takes time.
    private func inScope<Value: Sendable>(_ work: @MainActor () async -> Value) async -> Value {
        await withDependencies {
            $0.context = .live
            $0.places = NoPlace()
        } operation: {
            await work()
        }
    }

    private static func access(
        _ memory: InMemoryTripRepository, _ account: InMemorySession, _ paths: Paths
    ) -> BrowserSessions.Access {
        var useCases = ScreenUseCases(
            store: memory, session: account, identity: account, recentKeywords: InMemoryRecentKeywordRepository(),
            readImage: { path in
                paths.list.withLock { $0.append(path) }
                let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
                // A picture that ends too early has no last byte.
                guard bytes.last != 0 else { throw TravelError.invalid(.init(.image, .keepsMetadata)) }
                return PickedImage(try TripImage(bytes: bytes))
            }, saveLanguage: { _ in })
        useCases.importFiles = { picked in
            // One that takes longer than any test.
            if picked.files.first?.name == "long.gpx" { try await Task.sleep(for: .seconds(3_600)) }
            for file in picked.files {
                guard try file.read().starts(with: Self.track) else {
                    throw ScreenFailure.file(file.name, Text("This is no track.", "이동 기록이 아닙니다."))
                }
            }
            paths.imports.withLock { $0.append(picked.files.map(\.name)) }
            paths.targets.withLock { $0.append(picked.trip) }
            return ImportedTrip(Self.trip, picked.trip == nil ? .made : .extended)
        }
        return .init(useCases: useCases, language: .english, picture: { _, _, _ in nil })
    }

    private func addTrip() async throws {
        let trip = try TripBuilder(seed: 1, author: User(seed: 1, nickname: "나그네")).with {
            $0.title = "부산 밤바다"
            $0.numberOfDays = 3
        }.build()
        try await memory.add([trip])
    }

    private nonisolated static let track = Array("<gpx>".utf8)

    private nonisolated static func png(_ number: UInt8) -> [UInt8] { PictureFile().png + [number] }

    // MARK: Requests

    private func answer(
        _ method: String, _ address: String, session: String? = nil, headers more: [(String, String)] = [],
        body: [UInt8] = []
    ) async throws -> HTTPResponse {
        let parts = address.split(separator: "?", maxSplits: 1).map(String.init)
        let query = (parts.count == 2 ? FormCoding.pairs(in: Array(parts[1].utf8)) : []).map {
            ($0.name, String?.some($0.value))
        }
        var headers = HTTPHeaders()
        let all = [
            ("Host", "app.test"), ("Origin", "http://app.test"),
            ("Cookie", "app=\(session ?? self.session.cookie.text)"),
        ]
        for (name, value) in all where !more.contains(where: { $0.0 == name }) { headers.add(name, value) }
        for (name, value) in more { headers.add(name, value) }
        let request = HTTPRequest(
            method: method, path: parts[0].split(separator: "/").map(String.init), query: query, headers: headers,
            isMalformed: false, client: "127.0.0.1",
            readBody: { limit in
                guard body.count <= limit else { throw HTTPRefusal.bodyTooLarge(limit: limit) }
                return body
            }, reserveAnswer: { _ in })
        let application = application
        return await inScope { await application.answer(request) }
    }

    /// The page of a run once nothing loads.
    private func settled(_ run: BrowserRun) async throws -> CheckedXML {
        CheckedXML(await inScope { await run.page(within: .seconds(60)).document })
    }

    fileprivate struct NoPlace: PlaceRepository {
        func search(_ text: String, limit: Int) async throws -> [KnownPlace] { [] }
        func nearest(to coordinate: Coordinate, within meters: Double) async throws -> KnownPlace? { nil }
    }

    private func page(_ response: HTTPResponse) -> CheckedXML {
        guard case .bytes(let bytes) = response.body else { return CheckedXML(Data()) }
        return CheckedXML(Data(bytes))
    }

    /// Posts the form of a page with what a person has changed, as a browser without the script does.
    private func post(
        _ page: CheckedXML, to address: String, _ changes: [(String, String)], files: [(String, [UInt8])] = [],
        in field: String = "files", press control: String
    ) async throws -> HTTPResponse {
        try await post(body(page, changes, files, in: field, press: control), to: address)
    }

    private func post(_ body: [UInt8], to address: String) async throws -> HTTPResponse {
        try await answer(
            "POST", address, headers: [("Content-Type", "multipart/form-data; boundary=xyz")], body: body)
    }

    private func body(
        _ page: CheckedXML, _ changes: [(String, String)], _ files: [(String, [UInt8])] = [],
        in field: String = "files", press control: String
    ) -> [UInt8] {
        var body: [UInt8] = []
        func add(_ head: String, _ bytes: [UInt8]) {
            body += Array("--xyz\r\nContent-Disposition: form-data; \(head)\r\n\r\n".utf8) + bytes + Array("\r\n".utf8)
        }
        var fields = EditorStates.fields(page)
        for (name, value) in changes {
            fields.removeAll { $0.name == name }
            fields.append((name, value))
        }
        for (name, value) in [("token", session.token)] + fields { add("name=\"\(name)\"", Array(value.utf8)) }
        for (name, bytes) in files { add("name=\"\(field)\"; filename=\"\(name)\"", bytes) }
        add("name=\"do\"", Array(control.utf8))
        return body + Array("--xyz--\r\n".utf8)
    }

    // MARK: Without the script

    @Test("without the script, a trip is written with its cover")
    func tripByForm() async throws {
        let address = "/app/trips/new"
        let form = page(try await answer("GET", address))
        let filled = try await post(
            form, to: address,
            [
                ("title", "제주 올레길"), ("first-day", "2026-05-01"), ("last-day", "2026-05-03"), ("region", "jeju"),
                ("theme-food", "on"), ("audience", "link"),
            ], files: [("바다.png", Self.png(1))], press: "upload")
        let saved = try await post(page(filled), to: address, [], press: "save")
        #expect(saved.status == 200)
        let trip = try #require(try await memory.search(TripQuery(TripCriteria(), viewer: Self.me)).trips.first)
        #expect(trip.title.text == "제주 올레길" && trip.days.count == 3 && trip.content.themes == [.food])
        let cover = try #require(trip.thumbnail)
        #expect(try await memory.image(cover, viewer: Self.me).bytes == Data(Self.png(1)))
    }

    @Test("without the script, a form that is sent twice is saved once")
    func doubleClick() async throws {
        let address = "/app/trips/new"
        let form = page(try await answer("GET", address))
        let fields = [("title", "제주"), ("first-day", "2026-05-01"), ("region", "jeju")]
        let sent = body(form, fields, press: "save")
        async let first = post(sent, to: address)
        async let second = post(sent, to: address)
        let answers = [page(try await first), page(try await second)]
        #expect(answers.allSatisfy { $0.all("p", class: "message").map(\.text).contains { $0.hasPrefix("Saved.") } })
        #expect(try await memory.search(TripQuery(TripCriteria(), viewer: Self.me)).trips.count == 1)
        // Another page is another form.
        _ = try await post(page(try await answer("GET", address)), to: address, fields, press: "save")
        #expect(try await memory.search(TripQuery(TripCriteria(), viewer: Self.me)).trips.count == 2)
    }

    @Test("without the script, a form that cannot be saved comes back with what was typed and its problems")
    func problemsByForm() async throws {
        let address = "/app/trips/new"
        let form = page(try await answer("GET", address))
        let back = page(
            try await post(
                form, to: address, [("title", "<b>"), ("first-day", "2026-05-01")], files: [("a.png", Self.png(1))],
                press: "save"))
        #expect(back.elements.first { $0.attributes["id"] == "edit-title" }?.attributes["value"] == "<b>")
        #expect(back.elements.first { $0.attributes["id"] == "problem-region" }?.text == "Choose a region.")
        // The cover is there with the next form, which has no file.
        _ = try await post(back, to: address, [("region", "jeju")], press: "save")
        let trip = try #require(try await memory.search(TripQuery(TripCriteria(), viewer: Self.me)).trips.first)
        let cover = try #require(trip.thumbnail)
        #expect(try await memory.image(cover, viewer: Self.me).bytes == Data(Self.png(1)))
    }

    @Test("without the script, four of five pictures are saved in their order once the fifth has said why it is not")
    func picturesByForm() async throws {
        try await addTrip()
        let address = "/app/trips/\(Self.trip)/entries/new?day=2"
        let form = page(try await answer("GET", address))
        let files = (1...5).map { ("IMG_\($0).png", Self.png($0 == 3 ? 0 : UInt8($0))) }
        var back = page(
            try await post(
                form, to: address, [("title", "광안리"), ("text", "a\r\nb"), ("time", "21:15")], files: files,
                press: "upload"))
        #expect(back.all("li", class: "problem").map { $0.text.prefix(11) } == ["IMG_3.png: "])
        #expect(try await memory.timeline(of: Self.trip, viewer: Self.me).isEmpty)
        let ids = back.elements.compactMap { $0.attributes["data-item"] }
        try #require(ids.count == 4)
        back = page(try await post(back, to: address, [("describe-\(ids[2])", "다리")], press: "move-left \(ids[2])"))
        back = page(try await post(back, to: address, [], press: "remove-picture \(ids[0])"))
        #expect(back.elements.compactMap { $0.attributes["data-item"] } == [ids[2], ids[1], ids[3]])
        _ = try await post(back, to: address, [], press: "save")
        let entry = try #require(try await memory.timeline(of: Self.trip, viewer: Self.me).first)
        #expect(entry.title.text == "광안리" && entry.text.text == "a\nb" && entry.day == 2)
        #expect(entry.pictures.map { "\($0.id)" } == [ids[2], ids[1], ids[3]])
        #expect(entry.pictures.first?.text?.text == "다리" && entry.time.description == "21:15")
    }

    @Test("without the script, leaving asks with what was typed, and discarding leaves")
    func leavingByForm() async throws {
        let address = "/app/trips/new"
        let form = page(try await answer("GET", address))
        let asked = page(try await post(form, to: address, [("title", "제주")], press: "back"))
        #expect(asked.all("p").contains { $0.text == "Discard your changes?" })
        let kept = page(try await post(asked, to: address, [], press: "answer no"))
        #expect(kept.elements.first { $0.attributes["id"] == "edit-title" }?.attributes["value"] == "제주")
        let left = page(try await post(asked, to: address, [], press: "answer yes"))
        #expect(left.all("form").allSatisfy { $0.attributes["id"] != "editor" } && left.all("h1").count == 1)
    }

    private func stored() async throws -> TripContent { try await memory.trip(Self.trip, viewer: Self.me).content }

    /// The control of a page that merges both versions.
    private func merge(_ page: CheckedXML) -> String {
        page.all("button").compactMap { $0.attributes["value"] }.first { $0.hasPrefix("merge ") } ?? "none"
    }

    /// Changes the trip as another device does.
    private func change(_ body: @escaping @Sendable (inout TripContent) throws(TravelError) -> Void) async throws {
        _ = try await memory.update(Self.trip, expecting: nil, by: Self.me, adding: []) { trip throws(TravelError) in
            var content = trip.content
            try body(&content)
            return try trip.with(content)
        }
    }

    @Test("without the script, what was stored while a form was written is not overwritten without a question")
    func conflictByForm() async throws {
        try await addTrip()
        let address = "/app/trips/\(Self.trip)/edit"
        let form = page(try await answer("GET", address))
        try await change { content throws(TravelError) in
            (content.title, content.region) = (try Title("Elsewhere"), .jeju)
        }
        let asked = page(
            try await post(form, to: address, [("title", "Mine"), ("budget", "under10")], press: "save"))
        #expect(try await stored().title.text == "Elsewhere")
        #expect(Set(asked.all("td").map(\.text)).isSuperset(of: ["Mine", "Elsewhere"]))
        #expect(asked.all("ul", class: "arrived").map(\.text).allSatisfy { $0.contains("Jeju") })
        // Saving again asks again; what is stored meanwhile is seen first as well.
        let again = page(try await post(asked, to: address, [], press: "save"))
        #expect(merge(again) == merge(asked) && merge(asked) != "none")
        try await change { $0.headcount = .two }
        let newer = page(try await post(asked, to: address, [], press: merge(asked)))
        #expect(try await stored().title.text == "Elsewhere")
        #expect(merge(newer) != merge(asked) && merge(newer) != "none")
        _ = try await post(newer, to: address, [("version-title", "mine")], press: merge(newer))
        let trip = try await stored()
        #expect(trip.title.text == "Mine" && trip.region == .jeju && trip.budget == .under10 && trip.headcount == .two)
    }

    @Test("without the script, the stored version of a part is chosen, or all of them are taken")
    func choicesByForm() async throws {
        try await addTrip()
        let address = "/app/trips/\(Self.trip)/edit"
        let form = page(try await answer("GET", address))
        try await change { content throws(TravelError) in content.title = try Title("Elsewhere") }
        let asked = page(
            try await post(form, to: address, [("title", "Mine"), ("budget", "under10")], press: "save"))
        let taken = page(try await post(asked, to: address, [], press: "take-theirs"))
        let title = taken.elements.first { $0.attributes["id"] == "edit-title" }
        #expect(title?.attributes["value"] == "Elsewhere" && taken.all("div", class: "question versions").isEmpty)
        _ = try await post(asked, to: address, [("version-title", "theirs")], press: merge(asked))
        let trip = try await stored()
        #expect(trip.title.text == "Elsewhere" && trip.budget == .under10)
    }

    @Test("without the script, an entry that was changed here and elsewhere is merged, or both versions are kept")
    func entryConflictByForm() async throws {
        try await addTrip()
        let entry = try TimelineEntry(seed: 3, title: "광안리", text: "바다")
        let address = "/app/trips/\(Self.trip)/entries/\(entry.id)/edit"
        for keepsBoth in [false, true] {
            func save(_ title: String, _ text: String) async throws {
                let entry = try TimelineEntry(seed: 3, title: title, text: text)
                _ = try await memory.update(Self.trip, expecting: nil, by: Self.me, adding: []) {
                    trip throws(TravelError) in
                    try trip.with(timeline: [entry])
                }
            }
            try await save("광안리", "바다")
            let form = page(try await answer("GET", address))
            try await save("해운대", "바다")
            let asked = page(
                try await post(form, to: address, [("title", "Mine"), ("text", "More")], press: "save"))
            #expect(asked.all("button").contains { $0.attributes["value"] == "keep-both" })
            _ = try await post(
                asked, to: address, [("version-title", "theirs")], press: keepsBoth ? "keep-both" : merge(asked))
            let timeline = try await memory.timeline(of: Self.trip, viewer: Self.me)
            #expect(Set(timeline.map(\.title.text)) == (keepsBoth ? ["해운대", "Mine"] : ["해운대"]))
            #expect(timeline.contains { $0.text.text == "More" } && timeline.count == (keepsBoth ? 2 : 1))
        }
    }

    @Test(
        "without the script, an entry that was deleted while its form was written is kept, or given up",
        arguments: [true, false])
    func deletedEntryByForm(keeps: Bool) async throws {
        try await addTrip()
        let picture = try TripImage(seed: 9)
        let entry = try TimelineEntry(
            id: .init(seed: 3), day: 1, time: TimeOfDay("09:30"), title: Title("광안리"), text: EntryText("바다"),
            pictures: [Picture(picture.id)])
        func set(_ timeline: [TimelineEntry]) async throws {
            _ = try await memory.update(Self.trip, expecting: nil, by: Self.me, adding: [picture]) {
                trip throws(TravelError) in
                try trip.with(timeline: timeline)
            }
        }
        try await set([entry])
        let address = "/app/trips/\(Self.trip)/entries/\(entry.id)/edit"
        let form = page(try await answer("GET", address))
        try await set([])
        // Whoever opens the form only now finds nothing.
        #expect(page(try await answer("GET", address)).all("textarea").isEmpty)
        let asked = page(
            try await post(
                form, to: address, [("title", "Mine"), ("text", "More")], files: [("a.png", Self.png(1))],
                press: "save"))
        #expect(asked.text.contains("The entry was deleted elsewhere, with its photos."))
        #expect(try await memory.timeline(of: Self.trip, viewer: Self.me).isEmpty)
        // What was stored meanwhile is seen first.
        try await change { $0.headcount = .two }
        let again = page(try await post(asked, to: address, [], press: merge(asked)))
        #expect(merge(again) != merge(asked) && merge(again) != "none")
        let closed = page(try await post(again, to: address, [], press: "close-conflict"))
        #expect(merge(closed) == "none" && closed.all("textarea").map(\.text).contains { $0.contains("More") })
        let last = page(try await post(closed, to: address, [], press: "save"))
        let done = page(try await post(last, to: address, [], press: keeps ? merge(last) : "take-theirs"))
        #expect(done.all("textarea").isEmpty)
        let timeline = try await memory.timeline(of: Self.trip, viewer: Self.me)
        #expect(timeline.map(\.title.text) == (keeps ? ["Mine"] : []) && timeline.allSatisfy { $0.id == entry.id })
        #expect(timeline.allSatisfy { $0.text.text == "More" && $0.pictures.count == 1 })
        #expect(timeline.allSatisfy { $0.pictures.first?.id != picture.id })
    }

    @Test(
        "without the script, what was typed about an entry stays when its trip was deleted meanwhile",
        arguments: [true, false])
    func entryOfDeletedTrip(isNew: Bool) async throws {
        try await addTrip()
        let entry = try TimelineEntry(
            id: .init(seed: 3), day: 1, time: TimeOfDay("09:30"), title: Title("광안리"), text: EntryText("바다"))
        _ = try await memory.update(Self.trip, by: Self.me) { trip throws(TravelError) in
            try trip.with(timeline: [entry])
        }
        let address = "/app/trips/\(Self.trip)/entries/" + (isNew ? "new" : "\(entry.id)/edit")
        let form = page(try await answer("GET", address))
        _ = try await memory.update(Self.trip, by: Self.me) { _ in nil }
        #expect(page(try await answer("GET", address)).all("textarea").isEmpty)
        var shown = form
        for text in ["More", "Even more"] {
            shown = page(try await post(shown, to: address, [("title", "Mine"), ("text", text)], press: "save"))
            #expect(shown.all("p", class: "message failure").map(\.text).count == 1)
            #expect(shown.all("textarea").map(\.text).contains { $0.hasSuffix(text) })
            #expect(shown.elements.first { $0.attributes["id"] == "edit-title" }?.attributes["value"] == "Mine")
        }
        await #expect(throws: TravelError.self) { try await stored() }
    }

    @Test(
        "without the script, a trip that was deleted while its form was written is kept, or given up",
        arguments: [true, false])
    func deletedTripByForm(keeps: Bool) async throws {
        try await addTrip()
        let address = "/app/trips/\(Self.trip)/edit"
        let form = page(try await answer("GET", address))
        try await change { content throws(TravelError) in content.title = try Title("Elsewhere") }
        let merged = page(try await post(form, to: address, [("title", "Mine")], press: "save"))
        _ = try await memory.update(Self.trip, by: Self.me) { _ in nil }
        // A page that has shown another version does not say that the trip is gone.
        let asked = page(try await post(merged, to: address, [("budget", "under10")], press: merge(merged)))
        #expect(asked.text.contains("The trip was deleted elsewhere, with its entries."))
        #expect(merge(asked) == "none" && asked.all("button").contains { $0.attributes["value"] == "merge" })
        let again = page(try await post(form, to: address, [("title", "Mine too")], press: "save"))
        #expect(again.text.contains("The trip was deleted elsewhere"))
        await #expect(throws: TravelError.self) { try await stored() }
        _ = try await post(asked, to: address, [], press: keeps ? "merge" : "take-theirs")
        if keeps {
            let trip = try await stored()
            #expect(trip.title.text == "Mine" && trip.budget == .under10 && trip.days.count == 3)
        } else {
            await #expect(throws: TravelError.self) { try await stored() }
        }
    }

    @Test("without the script, a trip and an entry are deleted after a question")
    func deletionByForm() async throws {
        try await addTrip()
        let entry = try TimelineEntry(seed: 3, title: "광안리", text: "바다")
        _ = try await memory.update(Self.trip, expecting: nil, by: Self.me, adding: []) { trip throws(TravelError) in
            try trip.with(timeline: [entry])
        }
        func delete(at address: String, _ control: String) async throws -> CheckedXML {
            let asked = page(
                try await post(page(try await answer("GET", address)), to: address, [], press: control))
            let yes = asked.all("button").compactMap { $0.attributes["value"] }.filter { $0.hasPrefix("answer yes") }
            #expect(yes == ["answer yes \(control)"])
            return page(try await post(asked, to: address, [], press: yes.first ?? ""))
        }
        let trip = "/app/trips/\(Self.trip)"
        var shown = try await delete(at: trip, "delete-entry \(entry.id)")
        #expect(shown.all("p", class: "message").map { $0.text.hasPrefix("Entry deleted.") } == [true])
        #expect(try await memory.timeline(of: Self.trip, viewer: Self.me).isEmpty)
        _ = try await memory.update(Self.trip, expecting: nil, by: Self.me, adding: []) { trip throws(TravelError) in
            try trip.with(timeline: [entry])
        }
        shown = try await delete(at: "\(trip)/entries/\(entry.id)", "delete")
        #expect(shown.all("p", class: "message").map { $0.text.hasPrefix("Entry deleted.") } == [true])
        #expect(try await memory.timeline(of: Self.trip, viewer: Self.me).isEmpty)
        shown = try await delete(at: trip, "delete")
        #expect(shown.all("p", class: "message").map { $0.text.hasPrefix("Trip deleted.") } == [true])
        await #expect(throws: TravelError.self) { try await memory.trip(Self.trip, viewer: Self.me) }
    }

    @Test(
        "without the script, files that are sent with a form become a trip, which is shown, and a bad one is named",
        arguments: ["/app/", "/app/me", "/app/trips/new"])
    func importByForm(address: String) async throws {
        try await addTrip()
        let form = page(try await answer("GET", address))
        #expect(form.elements.contains { $0.attributes["name"] == "import" })
        #expect(form.all("p").contains { $0.text == "At most 30 MiB at once." })
        let files = [("../산책.gpx", Self.track), ("C:\\b\u{7}.gpx", Self.track)]
        let shown = page(try await post(form, to: address, [], files: files, in: "import", press: "import"))
        #expect(shown.all("h1").map(\.text) == ["부산 밤바다"])
        #expect(shown.all("p", class: "message").map(\.text) == ["Made a trip of 2 files.×"])
        let bad = page(
            try await post(
                page(try await answer("GET", address)), to: address, [], files: [("<b>.gpx", [1])], in: "import",
                press: "import"))
        #expect(bad.all("p", class: "message failure").map(\.text) == ["<b>.gpx: This is no track.×"])
        #expect(paths.imports.withLock { $0 } == [["산책.gpx", "b .gpx"]] && session.pictures.count == 0)
        #expect(paths.targets.withLock { $0 } == [nil])
    }

    @Test(
        "without the script, files that are sent with the form of a trip of one's own are added to it; others have none"
    )
    func importIntoTripByForm() async throws {
        try await addTrip()
        let stranger = try User(seed: 2, nickname: "지우")
        try await memory.add([TripBuilder(seed: 2, author: stranger).build()])
        let address = "/app/trips/\(Self.trip)"
        let form = page(try await answer("GET", address))
        let shown = page(
            try await post(form, to: address, [], files: [("a.gpx", Self.track)], in: "import", press: "import"))
        #expect(shown.all("p", class: "message").map(\.text) == ["Added to the trip: a.gpx.×"])
        #expect(paths.targets.withLock { $0 } == [Self.trip])
        let other = page(try await answer("GET", "/app/trips/\(Trip.ID(seed: 2))"))
        #expect(other.all("h1").count == 1)
        #expect(!other.elements.contains { $0.attributes["name"] == "import" })
    }

    @Test("a form with another token, or none, does nothing")
    func wrongToken() async throws {
        for token in ["", "x", String(repeating: "0", count: 32)] {
            let fields =
                token.isEmpty ? "" : "--x\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\n\(token)\r\n"
            let file = "--x\r\nContent-Disposition: form-data; name=\"files\"; filename=\"a\"\r\n\r\n"
            let body = Array("\(fields)\(file)".utf8) + Self.png(1) + Array("\r\n--x--\r\n".utf8)
            let response = try await answer(
                "POST", "/app/trips/new", headers: [("Content-Type", "multipart/form-data; boundary=x")], body: body)
            #expect(response.status == 403)
        }
        #expect(session.pictures.count == 0 && session.runs.isEmpty)
        let broken = try await answer(
            "POST", "/app/trips/new", headers: [("Content-Type", "multipart/form-data; boundary=x")], body: [1])
        #expect(broken.status == 400)
    }

    // MARK: With the script

    /// Opens the page for a new trip, and returns its run with its screen.
    private func open() async throws -> (run: String, screen: Int) {
        let document = page(try await answer("GET", "/app/trips/new"))
        let run = try #require(document.all("body").first?.attributes["data-run"])
        let screen = try #require(sessions.run(run, in: session)?.topScreen)
        return (run, screen)
    }

    private func send(
        _ bytes: [UInt8], to run: String, _ query: String, token: String? = nil, session: String? = nil
    ) async throws -> Int {
        try await answer(
            "POST", "/app/runs/\(run)/pictures?\(query)", session: session,
            headers: [("X-Token", token ?? self.session.token)], body: bytes
        ).status
    }

    @Test("a picture is sent to a screen, and what is wrong with one is said there")
    func sending() async throws {
        let (id, screen) = try await open()
        #expect(try await send(Self.png(1), to: id, "screen=\(screen)&name=a.png") == 204)
        let run = try #require(sessions.run(id, in: session))
        _ = try await settled(run)
        #expect(try await send(Array("text".utf8), to: id, "screen=\(screen)&name=b.png") == 422)
        #expect(try await send([], to: id, "screen=\(screen)&name=c.png&size=\(TripImage.maximumSize + 1)") == 422)
        let large = [UInt8](repeating: 0xFF, count: TripImage.maximumSize + 1)
        #expect(try await send(large, to: id, "screen=\(screen)&name=d.png") == 422)
        let shown = try await settled(run)
        #expect(shown.all("li", class: "problem").map { $0.text.prefix(7) } == ["d.png: "])
        // The cover is shown to this session alone, as it was read.
        let source = try #require(shown.all("img").first?.attributes["src"])
        let picture = try await answer("GET", source)
        guard case .bytes(let bytes) = picture.body else { return }
        #expect(picture.status == 200 && bytes == Self.png(1))
        #expect(picture.headers.contains { $0 == ("Content-Type", "image/png") })
        #expect(try await answer("GET", source, session: otherSession().cookie.text).status == 404)
    }

    private func otherSession() -> BrowserSessions.Session {
        sessions.begin(Self.access(memory, InMemorySession(), paths))
    }

    @Test("nobody else sends a picture: without the token, in another session, for another screen, from another site")
    func strangers() async throws {
        let (id, screen) = try await open()
        let other = otherSession()
        let query = "screen=\(screen)&name=a.png"
        #expect(try await send(Self.png(1), to: id, query, token: "") == 403)
        #expect(try await send(Self.png(1), to: id, query, token: other.token) == 403)
        #expect(try await send(Self.png(1), to: id, query, token: other.token, session: other.cookie.text) == 404)
        #expect(try await send(Self.png(1), to: id, query, session: "x") == 401)
        #expect(try await send(Self.png(1), to: "x", query) == 404)
        for wrong in ["name=a.png", "screen=x", "screen=99", "screen=-1", "screen=\(screen)0"] {
            #expect(try await send(Self.png(1), to: id, wrong) == 404)
        }
        let elsewhere = try await answer(
            "POST", "/app/runs/\(id)/pictures?\(query)",
            headers: [("X-Token", session.token), ("Origin", "http://evil.test")], body: Self.png(1))
        #expect(elsewhere.status == 403)
        #expect(session.pictures.count == 0 && other.pictures.count == 0)
    }

    private func sendFile(_ bytes: [UInt8], to run: String, _ query: String, token: String? = nil) async throws -> Int {
        try await answer(
            "POST", "/app/runs/\(run)/files?\(query)", headers: [("X-Token", token ?? session.token)], body: bytes
        ).status
    }

    /// Presses a control, as the script does.
    private func press(_ control: String, in run: String, _ number: Int) async throws -> Int {
        let form = "token=\(session.token)&number=\(number)&do=\(control.replacingOccurrences(of: " ", with: "+"))"
        return try await answer(
            "POST", "/app/runs/\(run)", headers: [("Content-Type", "application/x-www-form-urlencoded")],
            body: Array(form.utf8)
        ).status
    }

    @Test("files are sent one after another, wait on the disk, and are imported together when all of them are there")
    func sendingFiles() async throws {
        try await addTrip()
        let (id, _) = try await open()
        let run = try #require(sessions.run(id, in: session))
        for token in ["", "x", otherSession().token] {
            #expect(try await sendFile(Self.track, to: id, "batch=1&name=a", token: token) == 403)
        }
        for query in ["name=a", "batch=&name=a", "batch=x&name=a"] {
            #expect(try await sendFile(Self.track, to: id, query) == 404)
        }
        #expect(session.pictures.waitingSize == 0)
        #expect(try await sendFile(Self.track, to: id, "batch=1&name=..%2Fa.gpx") == 204)
        #expect(try await sendFile(Self.track + [1], to: id, "batch=1&name=b%0A.gpx") == 204)
        #expect(try await sendFile(Self.track, to: id, "batch=2&name=c.gpx") == 204)
        #expect(session.pictures.waitingSize == 3 * Self.track.count + 1)
        let folder = try #require(session.pictures.folderPath)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 3)
        // Another batch than those, and what names none, import nothing.
        for (number, control) in ["import 3", "import", "import x", "import 1 x", "import 1 2 3"].enumerated() {
            #expect(try await press(control, in: id, number + 1) == 204)
        }
        #expect(paths.imports.withLock { $0.isEmpty })
        #expect(try await press("import 1 \(Self.trip)", in: id, 10) == 204)
        _ = try await settled(run)
        #expect(paths.imports.withLock { $0 } == [["a.gpx", "b .gpx"]])
        #expect(paths.targets.withLock { $0 } == [Self.trip])
        #expect(try await press("import 2", in: id, 11) == 204)
        let shown = try await settled(run)
        #expect(shown.all("h1").map(\.text) == ["부산 밤바다"])
        #expect(paths.targets.withLock { $0 } == [Self.trip, nil])
        // Nothing is left of them when their imports have ended, and nothing is imported twice.
        #expect(try await press("import 2", in: id, 12) == 204)
        #expect(paths.imports.withLock { $0.count } == 2 && session.pictures.waitingSize == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    @Test("what an import cannot take is named: a file that is too large, and one that is neither photo nor track")
    func refusedFiles() async throws {
        let (id, _) = try await open()
        let run = try #require(sessions.run(id, in: session))
        let large = [UInt8](repeating: 0x20, count: PickedFile.maximumSize + 1)
        let sent = [(large, "name=a.gpx"), ([], "name=a.gpx&size=\(PickedFile.maximumSize + 1)")]
        for (number, (bytes, query)) in sent.enumerated() {
            #expect(try await sendFile(bytes, to: id, "batch=1&\(query)") == 422)
            #expect(try await press("import 1", in: id, number + 1) == 204)
            let messages = try await settled(run).all("p", class: "message failure").map(\.text)
            #expect(messages.last?.hasPrefix("a.gpx: the file is larger than 15 MiB") == true)
        }
        #expect(try await sendFile([1], to: id, "batch=1&name=b.gpx") == 204)
        #expect(try await press("import 1", in: id, 3) == 204)
        let messages = try await settled(run).all("p", class: "message failure").map(\.text)
        #expect(messages.last == "b.gpx: This is no track.×")
        #expect(paths.imports.withLock { $0.isEmpty } && session.pictures.waitingSize == 0)
    }

    @Test("an import that has begun is cancelled in the page, with those that wait for it, and their files are removed")
    func cancelledImports() async throws {
        let (id, _) = try await open()
        let run = try #require(sessions.run(id, in: session))
        for (batch, name) in [(1, "long.gpx"), (2, "b.gpx")] {
            #expect(try await sendFile(Self.track, to: id, "batch=\(batch)&name=\(name)") == 204)
            #expect(try await press("import \(batch)", in: id, batch) == 204)
        }
        let working = CheckedXML(run.appPage.html.document(.html))
        let button = working.all("button").first { $0.attributes["value"] == "cancel-import" }
        #expect(button?.text == "Cancel" && session.pictures.waitingSize == 2 * Self.track.count)
        #expect(try await press("cancel-import", in: id, 3) == 204)
        let shown = try await settled(run)
        let messages = shown.all("p", class: "message").map(\.text)
        #expect(messages.count == 1 && messages.first?.hasPrefix("Cancelled the import of long.gpx, b.gpx.") == true)
        while session.pictures.waitingSize > 0 {
            try Task.checkCancellation()
            await Task.yield()
        }
        #expect(paths.imports.withLock { $0.isEmpty })
    }

    @Test("files that wait for an import are removed when it is cancelled, and when their tab or their session ends")
    func droppedFiles() async throws {
        let (id, _) = try await open()
        let run = try #require(sessions.run(id, in: session))
        func send(_ batch: Int) async throws {
            for name in ["a", "b"] {
                #expect(try await sendFile(Self.track, to: id, "batch=\(batch)&name=\(name)") == 204)
            }
        }
        try await send(1)
        #expect(session.pictures.waitingSize == 2 * Self.track.count)
        #expect(try await press("cancel-import 1", in: id, 1) == 204)
        #expect(session.pictures.waitingSize == 0)
        #expect(try await press("import 1", in: id, 2) == 204)
        // Batches that are never imported, as of a script that broke off, make room for others.
        for batch in 1...6 { try await send(batch) }
        #expect(session.pictures.waitingSize == 8 * Self.track.count)
        sessions.end(run, in: session)
        #expect(session.pictures.waitingSize == 0 && paths.imports.withLock { $0.isEmpty })
        #expect(try await sendFile(Self.track, to: id, "batch=9&name=a") == 404)
        let folder = try #require(session.pictures.folderPath)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        sessions.end(session)
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test("a batch has at most 500 files, and the first of those that are too many is named")
    func tooManyFiles() async throws {
        let (id, _) = try await open()
        let run = try #require(sessions.run(id, in: session))
        for number in 0..<503 { run.keep(PickedFile(name: "\(number).gpx", bytes: Data(Self.track)), inBatch: 1) }
        #expect(try await press("import 1", in: id, 1) == 204)
        let messages = try await settled(run).all("p", class: "message failure").map(\.text)
        #expect(messages.last?.hasPrefix("500.gpx: left out with those after it: at most 500 files") == true)
    }

    @Test("what only a page without the script has to restore does not reach a run that has it")
    func restoredWithScript() async throws {
        let (id, screen) = try await open()
        #expect(try await send(Self.png(1), to: id, "screen=\(screen)&name=a.png") == 204)
        let run = try #require(sessions.run(id, in: session))
        _ = try await settled(run)
        let body = "token=\(session.token)&number=1&restore=none&title=Sea"
        let response = try await answer(
            "POST", "/app/runs/\(id)", headers: [("Content-Type", "application/x-www-form-urlencoded")],
            body: Array(body.utf8))
        #expect(response.status == 204)
        let shown = try await settled(run)
        #expect(shown.all("img").count == 1)
        #expect(shown.elements.first { $0.attributes["id"] == "edit-title" }?.attributes["value"] == "Sea")
    }

    @Test("of several fields of one name the last one counts, and controls come after fields")
    func order() {
        let form = [
            ("do", "save"), ("theme-food", ""), ("theme-food", "on"), ("number", "3"), ("go", "nowhere"),
            ("title", "x"),
        ]
        #expect(
            BrowserApplication.inputs(form.map { (name: $0.0, value: $0.1) })
                == [.field("theme-food", "on"), .field("title", "x"), .control(.init("save"))])
    }
}
#endif
