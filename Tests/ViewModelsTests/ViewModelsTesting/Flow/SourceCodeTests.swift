import Foundation
import Testing
import ViewModels

@testable import ViewModelsTesting

@Suite("Values as source code")
struct SourceCodeTests {
    struct Place: Equatable, Identifiable, Sendable {
        enum Kind: Equatable, Sendable {
            case city
            case beach(sand: Bool, Int)
            case other(String)
            case sized(width: Int)
        }
        let id: Int
        var name: String
        var kind: Kind = .city
        var note: String?
        @Pulse var toast: String?
    }

    /// Each expression twice: compiled, and as text.
    static var samples: [(value: Any, text: String)] {
        [
            (1, #"1"#), (-2.5, #"-2.5"#), (true, #"true"#), ("a \"b\"\n", #""a \"b\"\n""#), (Character("x"), #""x""#),
            (Optional(3) as Any, #"3"#), (Int?.none as Any, #"nil"#), ([1, 2], #"[1, 2]"#), ([Int](), #"[]"#),
            (Set([2, 1]), #"[1, 2]"#), (["b": 2, "a": 1], #"["a": 1, "b": 2]"#), ([Int: Int](), #"[:]"#),
            (0..<3, #"0..<3"#), ((1, "a"), #"(1, "a")"#),
            (
                Date(timeIntervalSinceReferenceDate: 1.5), #"Date(timeIntervalSinceReferenceDate: 1.5)"#
            ),
            (
                UUID(uuidString: "00000000-0000-0000-0000-000000000001")!,
                #"UUID(uuidString: "00000000-0000-0000-0000-000000000001")!"#
            ),
            (URL(string: "https://example.com/a?b=c")!, #"URL(string: "https://example.com/a?b=c")!"#),
            (Place.Kind.city, #".city"#), (Place.Kind.beach(sand: true, 2), #".beach(sand: true, 2)"#),
            (Place.Kind.other("x"), #".other("x")"#), (Place.Kind.sized(width: 3), #".sized(width: 3)"#),
            (
                Place(id: 1, name: "Jeju", kind: .sized(width: 3), toast: "hi"),
                #"SourceCodeTests.Place(id: 1, name: "Jeju", kind: .sized(width: 3), note: nil, toast: "hi")"#
            ),
            (
                PagedList<Place, String>([], phase: .failed(.next, "offline"), hasMore: true),
                #"PagedList<SourceCodeTests.Place, String>([], phase: .failed(.next, "offline"), hasMore: true)"#
            ),
            (CursorPage<Int, Int>([1, 2], next: 3), "CursorPage<Int, Int>([1, 2], next: 3)"),
            (CursorPage<Int, Int>([], next: nil), "CursorPage<Int, Int>([], next: nil)"),
            (
                FormFieldState<String, Int>("a", .invalid(3), isTouched: true),
                #"FormFieldState<String, Int>("a", .invalid(3), isTouched: true)"#
            ),
            (
                [Place(id: 1, name: "a")] as IdentifiedRows<Place>,
                #"[SourceCodeTests.Place(id: 1, name: "a", kind: .city, note: nil, toast: nil)]"#
            ),
        ]
    }

    @Test("literals, enumerations, structures and collections are written as valid source code")
    func expressions() {
        for sample in Self.samples { #expect(SourceCode.expression(sample.value) == sample.text) }
    }

    @Test("objects, functions, and values that contain them have no source code")
    func none() {
        final class Object {}
        struct Holder { let object = Object() }
        #expect(SourceCode.expression(Object()) == nil)
        #expect(SourceCode.expression(Holder()) == nil)
        #expect(SourceCode.expression({ () -> Int in 1 }) == nil)
        // Without a public initializer.
        var list = Paging<String, Place, Int, String>()
        #expect(SourceCode.expression(list) == nil)
        #expect(SourceCode.expression(list.show("sea")) == nil)
    }

    /// A state with one part of each kind.
    struct Guide: Equatable {
        var title = ""
        var place = Place(id: 1, name: "Jeju")
        var chosen: Place.Kind?
        var sheet: Place?
        var rows: IdentifiedRows<Place> = []
        var list: [Place] = []
        var counts: [String: Int] = [:]
        @Pulse var toast: String?
    }

    /// A state with a list of pages, whose properties only its methods set.
    struct Feed: Equatable {
        var isOffline = false
        var places = Paging<String, Place, Int, String>()
    }

    /// Changes of a list of pages, twice: compiled, and as the text that is suggested for them.
    static var pages: [(change: @Sendable (inout Feed) -> Void, text: String)] {
        [
            ({ _ = $0.places.show("sea") }, #"{ _ = $0.places.show("sea") }"#),
            ({ _ = $0.places.refresh() }, "{ _ = $0.places.refresh() }"),
            ({ _ = $0.places.reachEnd() }, "{ _ = $0.places.reachEnd() }"),
            (
                {
                    $0.isOffline = true
                    _ = $0.places.show("sky")
                }, #"{ $0.isOffline = true; _ = $0.places.show("sky") }"#
            ),
            (
                { _ in /* $0.places changes by a method of Paging: call the one that the flow calls */ },
                "{ _ in /* $0.places changes by a method of Paging: call the one that the flow calls */ }"
            ),
        ]
    }

    @Test("a change of a list of pages is suggested as a call of its method, or as a comment that compiles")
    func paging() {
        var before = Feed()
        before.places.receive(CursorPage([Place(id: 1, name: "a")], next: 2), of: before.places.show("sea"))
        for change in Self.pages.dropLast() {
            var after = before
            change.change(&after)
            #expect(SourceCode.closure(from: before, to: after) == change.text)
        }
        var loading = before
        let request = loading.places.reachEnd()
        var loaded = loading
        if let request { loaded.places.receive(CursorPage([], next: nil), of: request) }
        #expect(SourceCode.closure(from: loading, to: loaded) == Self.pages.last?.text)
        loaded.isOffline = true
        #expect(SourceCode.closure(from: loading, to: loaded)?.hasPrefix("{ $0.isOffline = true; /* $0.places") == true)
        if let request { loading.places.fail("offline", of: request) }
        var again = loading
        _ = again.places.retry()
        #expect(SourceCode.closure(from: loading, to: again) == "{ _ = $0.places.retry() }")
        #expect(SourceCode.closure(from: loading, to: loading) == nil)
    }

    /// Fifty rows with the ids 1 to 50.
    private static let fifty = (1...50).map { Place(id: $0, name: "place \($0)") }

    @Test("suggested assignments descend into structures, and assign what has no parts in common as a whole")
    func assignments() {
        var state = Guide()
        state.title = "t"
        state.place.name = "Busan"
        state.chosen = .other("x")
        state.rows = [Place(id: 2, name: "b")]
        state.toast = "hi"
        #expect(
            SourceCode.assignments(from: Guide(), to: state) == [
                #"$0.title = "t""#, #"$0.place.name = "Busan""#, #"$0.chosen = .other("x")"#,
                #"$0.rows = [SourceCodeTests.Place(id: 2, name: "b", kind: .city, note: nil, toast: nil)]"#,
                #"$0.toast = "hi""#,
            ])
        #expect(SourceCode.assignments(from: 1, to: 2) == ["$0 = 2"])
    }

    /// Changes of a large state, twice: compiled, and as the text that is suggested for them.
    static var changes: [(change: @Sendable (inout Guide) -> Void, text: [String])] {
        [
            ({ $0.rows[id: 17]?.name = "new" }, [#"$0.rows[id: 17]?.name = "new""#]),
            (
                {
                    $0.rows[id: 17]?.name = "new"
                    $0.rows[id: 17]?.kind = .other("x")
                    $0.rows[id: 50]?.note = "n"
                },
                [
                    #"$0.rows[id: 17]?.name = "new""#, #"$0.rows[id: 17]?.kind = .other("x")"#,
                    #"$0.rows[id: 50]?.note = "n""#,
                ]
            ),
            (
                {
                    $0.rows.remove(id: 3)
                    $0.rows.remove(id: 40)
                },
                ["$0.rows.remove(id: 3)", "$0.rows.remove(id: 40)"]
            ),
            (
                { $0.rows.append(Place(id: 51, name: "a")) },
                [#"$0.rows.append(SourceCodeTests.Place(id: 51, name: "a", kind: .city, note: nil, toast: nil))"#]
            ),
            (
                {
                    $0.rows.remove(id: 1)
                    $0.rows.insert(Place(id: 51, name: "a"), at: 0)
                    $0.rows[id: 2]?.name = "b"
                },
                [
                    "$0.rows.remove(id: 1)", #"$0.rows[id: 2]?.name = "b""#,
                    #"$0.rows.insert(SourceCodeTests.Place(id: 51, name: "a", kind: .city, note: nil, toast: nil), at: 0)"#,
                ]
            ),
            ({ $0.list[16].name = "new" }, [#"$0.list[16].name = "new""#]),
            (
                { $0.list.append(Place(id: 51, name: "a")) },
                [#"$0.list.append(SourceCodeTests.Place(id: 51, name: "a", kind: .city, note: nil, toast: nil))"#]
            ),
            ({ $0.list.remove(at: 16) }, ["$0.list.remove(at: 16)"]),
            (
                {
                    $0.counts["place 1"] = nil
                    $0.counts["place 2"] = 3
                    $0.counts["place 51"] = 4
                },
                [
                    #"$0.counts["place 1"] = nil"#, #"$0.counts["place 2"] = 3"#, #"$0.counts["place 51"] = 4"#,
                ]
            ),
            ({ $0.sheet?.name = "Busan" }, [#"$0.sheet?.name = "Busan""#]),
            ({ $0.sheet = nil }, ["$0.sheet = nil"]),
            ({ $0.rows = [] }, ["$0.rows = []"]),
            ({ $0.rows.move(id: 1, to: 49) }, ["$0.rows.move(id: 1, to: 49)"]),
        ]
    }

    @Test("a change of one part of a collection is suggested for that part only")
    func parts() {
        var before = Guide(sheet: Place(id: 1, name: "Jeju"))
        for place in Self.fifty { before.counts[place.name] = place.id }
        before.rows = IdentifiedRows(Self.fifty)
        before.list = Self.fifty
        for change in Self.changes {
            var after = before
            change.change(&after)
            #expect(SourceCode.assignments(from: before, to: after) == change.text)
        }
    }

    @Test("ids of texts, and rows that are replaced or that contain rows, are suggested as source code")
    func nestedRows() {
        struct Memo: Equatable, Identifiable, Sendable {
            let id: String
            var title = ""
            var replies: IdentifiedRows<Memo> = []
        }
        struct Memos: Equatable { var memos: IdentifiedRows<Memo> }
        let memos = (1...50).map { Memo(id: "u\($0)", replies: [Memo(id: "r1"), Memo(id: "r2")]) }
        let before = Memos(memos: IdentifiedRows(memos))
        var after = before
        after.memos[id: "u17"]?.title = "new"
        after.memos[id: "u18"]?.replies[id: "r2"]?.title = "deep"
        #expect(
            SourceCode.assignments(from: before, to: after) == [
                #"$0.memos[id: "u17"]?.title = "new""#, #"$0.memos[id: "u18"]?.replies[id: "r2"]?.title = "deep""#,
            ])
    }
}
