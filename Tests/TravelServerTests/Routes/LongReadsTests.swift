#if Server
import Foundation
import Synchronization
import TestConcurrency
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@testable import TravelServer

@Suite("Long reads", .limitedConcurrency)
struct LongReadsTests {
    private final class Numbers: Sendable {
        private let numbers = Mutex<[Int]>([])
        var all: [Int] { numbers.withLock { $0 } }

        func add(_ number: Int) {
            numbers.withLock { $0.append(number) }
        }
    }

    @Test("happen a few at a time and in order, and cancelled ones do not happen")
    func turns() async throws {
        let reads = Turns(limit: 2)
        let done = Numbers()
        let (go, signal) = AsyncStream<Void>.makeStream()
        func read(_ number: Int) -> Task<Void, any Error> {
            Task {
                try await reads.inTurn(for: "client") {
                    done.add(number)
                    for await _ in go { break }
                }
            }
        }
        let first = [read(1), read(2)]
        #expect(try await eventually { done.all.count == 2 })
        var waiting: [Task<Void, any Error>] = []
        for number in 3...6 {
            waiting.append(read(number))
            #expect(try await eventually { reads.waitingCount == number - 2 })
        }
        waiting[1].cancel()
        await #expect(throws: CancellationError.self) { try await waiting[1].value }
        #expect(reads.waitingCount == 3)
        #expect(done.all.count == 2)
        for _ in 0..<5 { signal.yield() }
        signal.finish()
        for task in first + waiting where task != waiting[1] { try await task.value }
        #expect(Set(done.all.prefix(2)) == [1, 2])
        #expect(Set(done.all.dropFirst(2)) == [3, 5, 6])
        // Nobody has taken a turn along.
        struct Fault: Error {}
        for _ in 0..<3 {
            await #expect(throws: Fault.self) { try await reads.inTurn(for: "client") { throw Fault() } }
        }
    }

    @Test("of a client with many of them do not hold up those of another one")
    func fairness() async throws {
        let reads = Turns(limit: 2)
        let done = Numbers()
        let (go, signal) = AsyncStream<Void>.makeStream()
        var tasks: [Task<Void, any Error>] = []
        for (number, client) in ["a", "a", "a", "a", "a", "b", "b", "c"].enumerated() {
            tasks.append(
                Task {
                    try await reads.inTurn(for: client) {
                        done.add(number)
                        for await _ in go { break }
                    }
                })
            #expect(try await eventually { done.all.count + reads.waitingCount == number + 1 })
        }
        for count in 3...8 {
            signal.yield()
            #expect(try await eventually { done.all.count == count })
        }
        signal.finish()
        for task in tasks { try await task.value }
        #expect(done.all.prefix(3) == [0, 1, 5])
        #expect(done.all.prefix(5).contains(7), "\(done.all)")
        #expect(done.all.filter { $0 < 5 } == [0, 1, 2, 3, 4])
    }

    @Test("of whole trips wait for each other, while short ones are answered", arguments: [nil, 1] as [UInt64?])
    func routes(changes: UInt64?) async throws {
        let store = InMemoryTripRepository()
        let trip = try TripBuilder(seed: 1).build()
        try await store.add([trip])
        let entered = Atomic(0)
        let isOpen = Atomic(false)
        let blocking = InterceptedStore(store) { call in
            guard call == .track else { return }
            entered.add(1, ordering: .sequentiallyConsistent)
            while !isOpen.load(ordering: .sequentiallyConsistent) { try await Task.sleep(for: .milliseconds(5)) }
        }
        let server = try TravelHTTPServer(
            ServerConfiguration(port: 0), stores: ServerStores(trips: blocking, accounts: store) { changes },
            pages: nil,
            review: .everyImage, log: { _ in }, now: { Date() }, hashing: PlainHashing(), tokens: Sodium())
        let port = try server.start().port
        try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<20 { group.addTask { await ask(port, "GET", "/v1/trips/\(trip.id)/track")?.status } }
            #expect(try await eventually { server.application.longReads.waitingCount == 12 })
            #expect(entered.load(ordering: .sequentiallyConsistent) == 8)
            #expect(await ask(port, "GET", "/v1/trips/\(trip.id)/summary")?.status == 200)
            isOpen.store(true, ordering: .sequentiallyConsistent)
            for try await status in group { #expect(status == 200) }
        }
        // Those that have waited find the answer of the first ones in memory, if there is any.
        #expect(entered.load(ordering: .sequentiallyConsistent) == (changes == nil ? 20 : 8))
        await server.drain()
    }
}
#endif
