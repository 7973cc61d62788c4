#if Server
import Foundation
import Synchronization
import TestConcurrency
import Testing
import TravelDomain
import TravelDomainTesting

@testable import TravelServer

@Suite("Rendered events", .limitedConcurrency)
struct RenderedEventsTests {
    private func address(_ path: String, _ query: String = "") -> RenderedEvents.Address {
        RenderedEvents.Address(
            HTTPRequest(
                method: "GET", path: [path], query: query.isEmpty ? [] : [(query, "1")], headers: HTTPHeaders(),
                isMalformed: false, client: "", readBody: { _ in [] }, reserveAnswer: { _ in }))
    }

    @Test("of equal values are rendered once, whoever observes, and of others apart")
    func rendersOnce() async throws {
        let events = RenderedEvents()
        let count = Mutex(0)
        func event(_ value: Int, in slot: RenderedEvents.Slot<Int>) -> String {
            slot.event(for: value) {
                count.withLock { $0 += 1 }
                return RenderedEvents.Event(id: "\(value)", bytes: Array("\(value)".utf8))
            }.id
        }
        try await events.sharing(address("trips"), of: Int.self) { first in
            try await events.sharing(address("trips"), of: Int.self) { second in
                for value in [1, 1, 2, 3, 4, 1] {
                    #expect(event(value, in: first) == "\(value)")
                    #expect(event(value, in: second) == "\(value)")
                }
                #expect(count.withLock { $0 } == 4)
                // Only some are kept.
                for value in 5...8 { #expect(event(value, in: first) == "\(value)") }
                #expect(event(1, in: second) == "1")
                #expect(count.withLock { $0 } == 9)
                // Those of another address are others.
                try await events.sharing(address("trips", "limit"), of: Int.self) { #expect(event(1, in: $0) == "1") }
                #expect(count.withLock { $0 } == 10)
            }
        }
    }

    @Test("are dropped with the last observer, also when it fails")
    func drops() async throws {
        struct Failure: Error {}
        let events = RenderedEvents()
        try await events.sharing(address("a"), of: Int.self) { _ in
            await #expect(throws: Failure.self) {
                try await events.sharing(address("a"), of: Int.self) { _ in throw Failure() }
            }
            #expect(events.count == 1)
            try await events.sharing(address("b"), of: Int.self) { _ in #expect(events.count == 2) }
        }
        #expect(events.count == 0)
    }

    @Test("show each viewer what is theirs")
    func viewers() async throws {
        try await withWorld { world in
            let mina = try await world.signUp("Mina")
            let jun = try await world.signUp("Jun")
            let ara = try await world.signUp("Ara")
            let trip = try world.trip(1, by: mina.user)
            #expect(try await world.put(trip, token: mina.access).status == 201)
            #expect(try await world.ask("PUT", "/v1/trips/\(trip.id)/like", token: jun.access).status == 204)
            let viewers = [(mina, false, true), (jun, true, false), (ara, false, false), (nil, false, false)]
            let clients = try await viewers.asyncMap { viewer, _, _ in
                let client = try RawClient(port: world.port)
                let token = viewer.map { "Authorization: Bearer \($0.access)\r\n" } ?? ""
                await client.send(
                    "GET /v1/trips HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\(token)\r\n")
                return client
            }
            for (client, (_, isLiked, isMine)) in zip(clients, viewers) {
                let event = await client.receive(until: "\n\n\r\n")
                let text = event.contains("data:") ? event : event + (await client.receive(until: "}]}"))
                #expect(text.contains(#""isLiked":\#(isLiked)"#) && text.contains(#""isMine":\#(isMine)"#), "\(text)")
            }
        }
    }
}

extension Array {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
#endif
