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
    }

    @Test(
        "suggested assignments descend into structures, and assign collections, optionals and enumerations as a whole")
    func assignments() {
        struct State: Equatable {
            var title = ""
            var place = Place(id: 1, name: "Jeju")
            var chosen: Place.Kind?
            var rows: IdentifiedRows<Place> = []
            @Pulse var toast: String?
        }
        var state = State()
        state.title = "t"
        state.place.name = "Busan"
        state.chosen = .other("x")
        state.rows = [Place(id: 2, name: "b")]
        state.toast = "hi"
        #expect(
            SourceCode.assignments(from: State(), to: state) == [
                #"$0.title = "t""#, #"$0.place.name = "Busan""#, #"$0.chosen = .other("x")"#,
                #"$0.rows = [SourceCodeTests.Place(id: 2, name: "b", kind: .city, note: nil, toast: nil)]"#,
                #"$0.toast = "hi""#,
            ])
        #expect(SourceCode.assignments(from: 1, to: 2) == ["$0 = 2"])
    }
}
