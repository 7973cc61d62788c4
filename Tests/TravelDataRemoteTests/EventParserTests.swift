import Foundation
import TestConcurrency
import Testing
import TravelDataRemote

@testable import TravelDataRemote

@Suite("Events of a server", .limitedConcurrency)
struct EventParserTests {
    private static let stream =
        "\u{FEFF}id: 1\r\n: a comment\r\nevent: value\r\ndata: {\"a\":1}\r\n\r\n"
        + "data:바다\rdata: second\r\r:\n\nevent: lost\n\nid\ndata\n\nid: 3\u{0}\nother: x\ndata: last\n\ndata: unfinished"

    private static let events = [
        ServerEvent(type: "value", data: Data("{\"a\":1}".utf8), id: "1"),
        ServerEvent(type: "message", data: Data("바다\nsecond".utf8), id: "1"),
        ServerEvent(type: "message", data: Data(), id: ""),
        ServerEvent(type: "message", data: Data("last".utf8), id: ""),
    ]

    @Test("a stream is read alike in one chunk, and split at every byte")
    func chunks() throws {
        let bytes = Data(Self.stream.utf8)
        for split in 0...bytes.count {
            var parser = EventParser(maximumSize: 1_000)
            let events = try parser.events(in: bytes.prefix(split)) + parser.events(in: bytes.dropFirst(split))
            #expect(events == Self.events, "split at \(split)")
        }
        var parser = EventParser(maximumSize: 1_000)
        var events: [ServerEvent] = []
        for byte in bytes { events += try parser.events(in: Data([byte])) }
        #expect(events == Self.events)
    }

    @Test("an event that is too large throws, in one line or in many")
    func tooLarge() {
        for text in ["data: " + String(repeating: "a", count: 100), String(repeating: "data: abc\n", count: 40)] {
            var parser = EventParser(maximumSize: 100)
            #expect(throws: EventParser.TooLarge.self) { try parser.events(in: Data(text.utf8)) }
        }
    }

    @Test("any bytes are read without a fault", arguments: 0..<200 as Range<UInt64>)
    func garbage(seed: UInt64) throws {
        var random = SystemRandomNumberGenerator()
        var parser = EventParser(maximumSize: 10_000)
        let alphabet = Array("id:\r\n data \u{0}é:event".utf8)
        for _ in 0..<20 {
            let chunk = Data(
                (0..<Int.random(in: 0...40, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0 })
            for event in try parser.events(in: chunk) { #expect(!event.type.isEmpty && !event.id.utf8.contains(0)) }
        }
    }
}
