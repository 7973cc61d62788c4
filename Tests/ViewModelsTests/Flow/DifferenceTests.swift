import Testing
import ViewModels

@Suite("Difference of two states")
struct DifferenceTests {
    private enum Phase: Equatable { case idle, loading(page: Int), failed(String) }

    private struct Item: Identifiable, Equatable, Sendable {
        let id: Int
        var title = "a"
    }

    /// A type that is not Equatable.
    private struct Note {
        var text: String
    }

    private struct Screen {
        var title: String? = "a"
        var phase = Phase.idle
        var items: [Item] = [Item(id: 1), Item(id: 2)]
        var rows: IdentifiedRows<Item> = [Item(id: 1)]
        var counts = ["a": 1, "b": 2]
        var note = Note(text: "n")
        var tags: Set<Int> = [1]
        @Pulse var toast: String?
    }

    private func lines(_ change: (inout Screen) -> Void) -> [String] {
        var after = Screen()
        change(&after)
        return Difference(Screen(), after).lines
    }

    @Test("equal states have no difference")
    func equal() {
        #expect(lines { _ in }.isEmpty)
    }

    @Test("a difference lists each changed part with its path")
    func parts() {
        #expect(lines { $0.title = "b" } == [#"title: "a" → "b""#])
        #expect(lines { $0.title = nil } == [#"title: "a" → nil"#])
        #expect(lines { $0.note.text = "m" } == [#"note.text: "n" → "m""#])
        #expect(lines { $0.tags = [] } == ["tags: [1] → []"])
        #expect(
            lines {
                $0.items[1].title = "b"
                $0.rows[id: 1]?.title = "c"
            } == [#"items[1].title: "a" → "b""#, #"rows[0].title: "a" → "c""#])
        #expect(
            lines {
                $0.counts["b"] = 3
                $0.counts["c"] = 4
                $0.counts["a"] = nil
            } == [#"counts["a"]: 1 → nothing"#, #"counts["b"]: 2 → 3"#, #"counts["c"]: nothing → 4"#])
        #expect(lines { $0.toast = "t" } == [#"toast: nil → "t""#])
        #expect(lines { $0.toast = nil } == ["toast: nil (assigned 0 times) → nil (assigned 1 times)"])
    }

    @Test("a difference shows a different case as a whole, and the changes within the same case")
    func cases() {
        #expect(lines { $0.phase = .failed("x") } == [#"phase: idle → failed("x")"#])
        #expect(Difference(Phase.loading(page: 1), .loading(page: 2)).lines == ["loading.page: 1 → 2"])
    }

    @Test("a difference shows insertions and removals with their positions")
    func elements() {
        #expect(Difference([1, 2, 3], [1, 9, 2, 3]).lines == ["[1]: nothing → 9"])
        #expect(Difference([1, 2, 3], [1, 3]).lines == ["[1]: 2 → nothing"])
        #expect(Difference([1, 1], [1]).lines == ["[1]: 1 → nothing"])
        #expect(Difference(1, 2).lines == ["1 → 2"])
    }
}
