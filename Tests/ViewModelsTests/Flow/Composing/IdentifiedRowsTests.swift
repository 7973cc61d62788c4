import Synchronization
import Testing
import ViewModels

@Suite("Identified rows")
struct IdentifiedRowsTests {
    struct Row: Identifiable, Hashable, Sendable {
        let id: Int
        var text = ""
    }

    private func rows(_ ids: Int...) -> IdentifiedRows<Row> { IdentifiedRows(ids.map { Row(id: $0) }) }

    @Test("identified rows are ordered, and found by id")
    func reading() {
        let rows = rows(3, 1, 2)
        #expect(rows.ids == [3, 1, 2])
        #expect(rows.count == 3 && rows[1].id == 1 && rows.last?.id == 2)
        #expect(rows[id: 2] == Row(id: 2) && rows[id: 9] == nil)
        #expect(rows.index(id: 1) == 1 && rows.contains(id: 3) && !rows.contains(id: 9))
    }

    @Test("of several rows with one id, identified rows keep the last at the position of the first")
    func duplicates() {
        var rows = IdentifiedRows([Row(id: 1, text: "a"), Row(id: 2), Row(id: 1, text: "b")])
        #expect(rows.map(\.text) == ["b", ""])
        rows.append(Row(id: 2, text: "c"))
        #expect(rows.map(\.text) == ["b", "c"])
        rows.insert(Row(id: 1, text: "d"), at: 2)
        #expect(rows.map(\.text) == ["c", "d"])
    }

    @Test("identified rows change, replace, append and remove a row by its id")
    func byID() {
        var rows = rows(1, 2, 3)
        rows[id: 2]?.text = "x"
        #expect(rows.map(\.text) == ["", "x", ""])
        rows[id: 2] = Row(id: 2, text: "y")
        rows[id: 4] = Row(id: 4)
        rows[id: 5]?.text = "nobody"
        rows[id: 1] = nil
        rows[id: 9] = nil
        #expect(rows.ids == [2, 3, 4])
        #expect(rows[id: 2]?.text == "y")
        #expect(
            rows.update(3) { row in
                row.text += "z"; return row.text
            } == "z")
        #expect(rows.update(9) { _ in 0 } == nil)
    }

    #if os(Linux) || os(macOS)
    @Test("setting a row for another id than its own stops the process", arguments: [[1], [2]])
    func otherID(ids: [Int]) async {
        await #expect(processExitsWith: .failure) { [ids] in
            var rows = IdentifiedRows(ids.map { Row(id: $0) })
            rows[id: 1] = Row(id: 3)
        }
    }
    #endif

    @Test("identified rows equal an array after the same random changes", arguments: 0..<16 as Range<UInt64>)
    func model(seed: UInt64) {
        // Few ids, and many, of which more are removed than added.
        let (ids, kinds) = seed < 8 ? (12, 8) : (200, 16)
        var random = Random(seed: seed)
        var rows = IdentifiedRows<Row>()
        var model: [Row] = []
        if seed >= 8 {
            model = (0..<150).map { Row(id: $0) }
            rows.append(contentsOf: model)
        }
        for step in 0..<200 {
            let row = Row(id: random.next(below: ids), text: "\(step)")
            let place = random.next(below: model.count + 1)
            let old = model.firstIndex { $0.id == row.id }
            switch random.next(below: kinds) {
            case 0, 1:
                rows.append(row)
                if let old { model[old] = row } else { model.append(row) }
            case 2:
                rows.insert(row, at: place)
                model.insert(row, at: place)
                if let old { model.remove(at: old < place ? old : old + 1) }
            case 3:
                #expect(rows.remove(id: row.id) == old.map { model.remove(at: $0) })
            case 4, 8..<14:
                rows[id: row.id] = nil
                if let old { model.remove(at: old) }
            case 5, 14...:
                rows[id: row.id]?.text = row.text
                if let old { model[old].text = row.text }
            case 6:
                rows.sort { $0.text < $1.text }
                model.sort { $0.text < $1.text }
            default:
                if let old, !model.isEmpty {
                    let target = min(place, model.count - 1)
                    rows.move(id: row.id, to: target)
                    model.insert(model.remove(at: old), at: target)
                }
            }
            #expect(Array(rows) == model)
            #expect(model.map { rows.index(id: $0.id) } == Array(model.indices))
        }
    }

    @Test(
        "identified rows equal an array after many insertions in one place and anywhere",
        arguments: 0..<8 as Range<UInt64>)
    func insertions(seed: UInt64) {
        var random = Random(seed: seed)
        var model = (0..<[0, 1, 40, 600][Int(seed % 4)]).map { Row(id: $0) }
        var rows = IdentifiedRows(model)
        let fixed = random.next(below: model.count + 1)
        for step in 0..<2_000 {
            let row = Row(id: 1_000 + step)
            let place = random.next(below: model.count + 1)
            switch random.next(below: 12) {
            case 0..<5:
                let place = min(fixed, model.count)
                rows.insert(row, at: place)
                model.insert(row, at: place)
            case 5: rows.insert(row, at: 0); model.insert(row, at: 0)
            case 6, 7: rows.insert(row, at: place); model.insert(row, at: place)
            case 8: rows.append(row); model.append(row)
            case 9 where place < model.count:
                let target = random.next(below: model.count)
                rows.move(id: model[place].id, to: target)
                model.insert(model.remove(at: place), at: target)
            case 10...:
                for _ in 0..<(seed < 4 ? 1 : 3) where !model.isEmpty {
                    rows.remove(id: model.remove(at: random.next(below: model.count)).id)
                }
            default: break
            }
            if step % 50 == 0 || model.count < 5 {
                #expect(Array(rows) == model)
                #expect(model.map { rows.index(id: $0.id) } == Array(model.indices))
            }
        }
    }

    @Test(
        "inserting a row takes look-ups whose number does not grow with that of the rows", arguments: [1_000, 10_000])
    func insertionCost(count: Int) {
        struct ID: Hashable, Sendable {
            let number: Int
            let hashes: Counter

            static func == (first: ID, second: ID) -> Bool { first.number == second.number }
            func hash(into hasher: inout Hasher) {
                hashes.count.add(1, ordering: .relaxed)
                hasher.combine(number)
            }
        }
        final class Counter: Sendable {
            let count = Atomic(0)
        }
        struct Item: Identifiable, Sendable { let id: ID }
        let counter = Counter()
        for (place, isSpaced) in [(0, false), (1, false), (count / 2, true), (count, false)] {
            var rows = IdentifiedRows((0..<count).map { Item(id: ID(number: $0, hashes: counter)) })
            // The first insertion between rows numbers those before or behind it.
            if isSpaced { rows.insert(Item(id: ID(number: -1, hashes: counter)), at: place) }
            let before = counter.count.load(ordering: .relaxed)
            for number in 0..<500 { rows.insert(Item(id: ID(number: count + number, hashes: counter)), at: place) }
            let hashes = counter.count.load(ordering: .relaxed) - before
            #expect(hashes < 500 * 24, "at \(place): \(hashes)")
        }
    }

    @Test("a comparison that throws leaves the order of identified rows unchanged")
    func failedSort() {
        struct Failure: Error {}
        struct Item: Identifiable, Equatable, Sendable { let id: Int }
        var rows = IdentifiedRows([3, 2, 1, 5, 4].map(Item.init))
        #expect(throws: Failure.self) {
            try rows.sort { first, second in
                if first.id == 4 || second.id == 4 { throw Failure() }
                return first.id < second.id
            }
        }
        #expect(rows.map(\.id) == [3, 2, 1, 5, 4])
        #expect(rows.allSatisfy { rows[id: $0.id] == $0 })
    }

    @Test("identified rows change a row in place at any position")
    func inPlace() {
        struct Probed: Identifiable, Sendable {
            let id: Int
            var probe = CopyProbe()
        }
        var rows = IdentifiedRows((0..<5).map { Probed(id: $0) })
        for id in 0..<5 {
            rows[id: id]?.probe.change()
            rows.update(id) { $0.probe.change() }
        }
        #expect(rows.map(\.probe.copies) == [0, 0, 0, 0, 0])
    }

    @Test("removing rows takes look-ups whose number does not grow with that of the rows", arguments: [1_000, 10_000])
    func removalCost(count: Int) {
        struct ID: Hashable, Sendable {
            let number: Int
            let hashes: Counter

            static func == (first: ID, second: ID) -> Bool { first.number == second.number }
            func hash(into hasher: inout Hasher) {
                hashes.count.add(1, ordering: .relaxed)
                hasher.combine(number)
            }
        }
        final class Counter: Sendable {
            let count = Atomic(0)
        }
        struct Item: Identifiable, Sendable { let id: ID }
        let counter = Counter()
        func hashes(_ body: () -> Void) -> Int {
            let before = counter.count.load(ordering: .relaxed)
            body()
            return counter.count.load(ordering: .relaxed) - before
        }
        let ids = (0..<count).map { ID(number: $0, hashes: counter) }
        var random = Random(seed: 1)
        for order in [ids, ids.reversed(), ids.shuffled(using: &random)] {
            var rows = IdentifiedRows(ids.map(Item.init))
            #expect(hashes { for id in order { rows.remove(id: id) } } < 40 * count)
            #expect(rows.isEmpty)
            rows = IdentifiedRows(ids.map(Item.init))
            #expect(hashes { for id in order.prefix(100) { rows[id: id] = nil } } < 100 * 20)
            let rest = hashes { for id in order.dropFirst(100) { #expect(rows[id: id]?.id == id) } }
            #expect(rest < 20 * count)
        }
    }

    @Test("identified rows are compared and described like their array")
    func conformances() {
        #expect(rows(1, 2) == rows(1, 2) && rows(1, 2) != rows(2, 1))
        #expect("\(rows(1))" == "\([Row(id: 1)])")
        #expect(([] as IdentifiedRows<Row>).isEmpty)
    }
}

/// A small generator with the same numbers for the same seed.
private struct Random: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed &* 2_862_933_555_777_941_757 &+ 3_037_000_493
    }

    mutating func next() -> UInt64 { UInt64(next(below: 1 << 31)) << 33 | UInt64(next(below: 1 << 31)) }

    mutating func next(below bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
    }
}
