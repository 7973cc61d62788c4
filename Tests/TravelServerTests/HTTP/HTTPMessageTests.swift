#if Server
import Testing

@testable import TravelServer

@Suite("The forms of HTTP")
struct HTTPMessageTests {
    @Test(
        "a range selects bytes as RFC 9110 says, and anything else selects all",
        arguments: [
            (nil, .whole), ("bytes=0-4", .part(0..<5)), ("bytes=5-", .part(5..<10)), ("bytes=-3", .part(7..<10)),
            ("bytes=-30", .part(0..<10)), ("bytes=8-100", .part(8..<10)), ("bytes=10-", .unsatisfiable),
            ("bytes=-0", .unsatisfiable), ("bytes=4-2", .whole), ("bytes=-", .whole), ("bytes=a-b", .whole),
            ("items=0-1", .whole), ("bytes=0-1,3-4", .whole), ("bytes=0-99999999999999999999", .part(0..<10)),
            ("bytes=99999999999999999999-", .unsatisfiable), ("bytes=0-9223372036854775807", .part(0..<10)),
        ] as [(String?, HTTPRange)])
    func ranges(header: String?, expected: HTTPRange) {
        #expect(HTTPRange(header, of: 10) == expected)
    }

    @Test("a thousand ranges select all")
    func manyRanges() {
        let header = "bytes=" + (0..<1_000).map { "\($0)-\($0)" }.joined(separator: ",")
        #expect(HTTPRange(header, of: 10_000) == .whole)
        #expect(HTTPRange("bytes=0-", of: 0) == .unsatisfiable)
    }

    @Test(
        "a condition is a list of tags, or any",
        arguments: [
            ("*", .any), ("\"a\"", .tags(["a"])), ("W/\"a\", \"b,c\"", nil), ("W/\"a\", \"b\"", .tags(["a", "b"])),
            ("a", nil),
            ("", nil), ("\"", nil),
        ] as [(String, HTTPCondition?)])
    func conditions(header: String, expected: HTTPCondition?) {
        #expect(HTTPCondition(header) == expected)
    }

    @Test(
        "a client observes if it accepts events, and does not prefer JSON",
        arguments: [
            ("text/event-stream", true), ("Text/Event-Stream; charset=utf-8", true), ("text/event-stream, */*", true),
            ("application/json, text/event-stream", true), ("application/json;q=0.5, text/event-stream", true),
            ("application/json, text/event-stream;q=0.1", false), ("text/event-stream;q=0", false),
            ("text/event-stream;q=none", false), ("text/event-streams", false), ("application/json", false),
            ("text/*", false), ("*/*", false), ("", false),
        ])
    func events(accept: String, expected: Bool) {
        var headers = HTTPHeaders()
        headers.add("Accept", accept)
        #expect(headers.acceptsEvents == expected)
    }

    @Test("an address is one of a machine, and says whether only this machine reaches it")
    func addresses() {
        #expect(SocketAddress(host: "127.0.0.9", port: 80)?.isLoopback == true)
        #expect(SocketAddress(host: "::1", port: 80)?.isLoopback == true)
        #expect(SocketAddress(host: "localhost", port: 80)?.host == "127.0.0.1")
        #expect(SocketAddress(host: "0.0.0.0", port: 80)?.isLoopback == false)
        #expect(SocketAddress(host: "example.org", port: 80) == nil)
        #expect(SocketAddress(host: "127.0.0.1", port: 65_536) == nil)
    }
}
#endif
