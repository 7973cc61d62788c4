import Foundation
import TestTurns
import Testing

@Suite("Bindings of an observed store", .takesTurns(within: .seconds(600)))
struct ObservedStoreBindingTests {
    @Test("bindings of an observed store compile without a warning where SwiftUI is", arguments: ["5", "6"])
    func bindings(mode: String) throws {
        let file = Repository.root.appendingPathComponent("Presentation/ViewModels/Binding/ObservedStore.swift")
        let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "#if canImport(SwiftUI)\n")
        let part = try #require(parts.count == 2 ? parts[1].components(separatedBy: "#endif").first : nil)
            .replacing("public import SwiftUI", with: "")
        let result = try SmallProgram.check(Self.swiftUI + part, mode: mode)
        #expect(result.status == 0 && !result.error.contains("warning:"), "\(result.error)")
    }

    /// The part of SwiftUI that the bindings use, and a view that uses them.
    private static let swiftUI = """
        import Observation
        import ViewModels

        public struct Binding<Value> {
            public init(
                get: @escaping @isolated(any) @Sendable () -> Value,
                set: @escaping @isolated(any) @Sendable (Value) -> Void
            ) {}
        }

        struct Search: Flow {
            struct State: Equatable, Sendable { var text = "" }
            enum Action: Equatable, Sendable { case typed(String) }
            var initialState: State { State() }
            func reduce(_ state: inout State, _ action: Action) -> Next<Never, Never> { .none }
        }

        @MainActor struct SearchView {
            let store: ObservedStore<Search.State, Search.Action, Never>
            var text: Binding<String> { store.binding(\\.text, send: Search.Action.typed) }
            var sameText: Binding<String> { store.binding(\\.text) { .typed($0) } }
        }

        """
}
