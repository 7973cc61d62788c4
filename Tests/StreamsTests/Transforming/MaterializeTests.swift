import Streams
import StreamsTesting
import TestTurns
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("materialize, dematerialize, decode", .takesTurns)
struct MaterializeTests {
    @Test(
        "materialize emits the terminal event as an element",
        arguments: [
            HotCase(
                "complete", [.next(150, 1), .next(210, 2), .completed(250)],
                [.next(210, .next(2)), .next(250, .completed), .completed(250)], until: 250),
            HotCase(
                "failed", [.next(210, 2), .error(250, Failure.expected)],
                [.next(210, .next(2)), .next(250, .error(Failure.expected)), .completed(250)], until: 250),
            HotCase("no events", [], [], until: 1000),
        ] as [HotCase<Int, Event<Int>>])
    func materialize(_ table: HotCase<Int, Event<Int>>) { table.check { $0.materialize() } }

    @Test(
        "dematerialize emits the events that its elements represent",
        arguments: [
            HotCase(
                "completion in an element",
                [.next(210, .next(1)), .next(220, .completed), .next(230, .next(3)), .completed(240)],
                [.next(210, 1), .completed(220)], until: 220),
            HotCase(
                "an error in an element",
                [.next(210, .next(1)), .next(220, .error(Failure.expected)), .completed(240)],
                [.next(210, 1), .error(220, Failure.expected)], until: 220),
            HotCase(
                "completion of the stream", [.next(210, .next(1)), .completed(240)],
                [.next(210, 1), .completed(240)], until: 240),
            HotCase(
                "an error of the stream", [.error(240, Failure.expected)], [.error(240, Failure.expected)], until: 240),
        ] as [HotCase<Event<Int>, Int>])
    func dematerialize(_ table: HotCase<Event<Int>, Int>) { table.check { $0.dematerialize() } }

    @Test("dematerialize is the inverse of materialize")
    func inverse() {
        #expect(trace(of: Observable.of(1, 2).materialize().dematerialize()) == "1 2 |")
        #expect(trace(of: Observable<Int>.error(Failure.expected).materialize().dematerialize()) == "!expected")
    }

    struct Item: Codable, Sendable, Equatable {
        let name: String
    }

    /// Decodes a name from its UTF-8 bytes.
    struct NameDecoder: DataDecoder {
        func decode<Item: Decodable>(_ type: Item.Type, from data: Data) throws -> Item {
            guard let name = String(decoding: data, as: UTF8.self) as? Item else { throw Failure.expected }
            return name
        }
    }

    @Test("decode decodes data and fails with the decoder's error")
    func decode() {
        #expect(
            trace(of: Observable.just(Data("[1, 2]".utf8)).decode(type: [Int].self, decoder: JSONDecoder()))
                == "[1, 2] |")
        let items = Observable.of(Data(#"{"name":"a"}"#.utf8), Data("{}".utf8))
            .decode(type: Item.self, decoder: JSONDecoder()).map(\.name)
        #expect(trace(of: items).hasPrefix("a !"))
        let list = Observable.just(Data("[1]".utf8)).decode(type: String.self, decoder: NameDecoder())
        #expect(trace(of: list) == "[1] |")
        let wrong = Observable.just(Data()).decode(type: Int.self, decoder: NameDecoder())
        #expect(trace(of: wrong) == "!expected")
        #expect(throws: Never.self) {
            let data = try PropertyListEncoder().encode([1])
            #expect(
                trace(of: Observable.just(data).decode(type: [Int].self, decoder: PropertyListDecoder())) == "[1] |")
        }
    }

    @Test("the documented examples of materialize, dematerialize and decode emit their events")
    func examples() {
        #expect(trace(of: Observable.of(1, 2).materialize()) == "next(1) next(2) completed |")
        #expect(
            trace(of: Observable.of(Event.next(1), .next(2), .completed, .next(3)).dematerialize()) == "1 2 |")
    }
}
