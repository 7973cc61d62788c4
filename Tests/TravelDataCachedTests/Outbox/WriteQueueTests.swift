import Foundation
import StreamsTesting
import TestConcurrency
import Testing
import TravelDomainTesting

@testable import TravelDataCached

@Suite("The writes of an outbox in memory", .limitedConcurrency)
struct WriteQueueTests {
    @Test("a queue has the writes of a simple list, in their order, after any operations", arguments: UInt64(1)...20)
    func equalsList(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = WriteQueue()
        var list: [QueuedWrite] = []
        for number in 1...300 {
            let write = Self.write(number, by: UInt64.random(in: 1...3, using: &random))
            switch Int.random(in: 0...9, using: &random) {
            case 0...3:
                queue.append(write)
                list.append(write)
            case 4...6:
                guard let first = queue.firstPending else { break }
                queue.remove([first.number])
                list.removeAll { $0.number == first.number }
            case 7:
                guard let index = list.indices.filter({ list[$0].conflict == nil }).randomElement(using: &random) else {
                    break
                }
                let (number, write) = (list[index].number, list[index].write)
                let conflict = TripConflict(id: number, wanted: write, reason: .taken, theirs: nil)
                queue.refuse(conflict)
                list[index].conflict = conflict
            case 8:
                let numbers = Set(list.map(\.number).filter { _ in Int.random(in: 0...9, using: &random) == 0 })
                queue.remove(numbers)
                list.removeAll { numbers.contains($0.number) }
            default:
                let user = User.ID(seed: 1)
                #expect(
                    queue.numbers(of: user).sorted() == list.filter { $0.write.author == user }.map(\.number))
            }
            let pending = list.filter { $0.conflict == nil }
            #expect(queue.pending.map(\.number) == pending.map(\.number))
            #expect(queue.firstPending?.number == pending.first?.number)
            #expect(queue.pendingCount == pending.count)
            #expect(queue.conflicts == list.compactMap(\.conflict))
        }
    }

    @Test("a write and a send cost the same with 200 pending writes as with 20,000")
    func costsTheSame() {
        // The processor time of this thread, the least of several runs: a linear cost would be a hundred times as much.
        let (few, many) = (Self.cost(pending: 200), Self.cost(pending: 20_000))
        #expect(many < few * 10, "\(few) and \(many) ns")
    }

    private static func cost(pending: Int) -> UInt64 {
        var queue = WriteQueue()
        var number = 0
        func append() {
            number += 1
            queue.append(write(number, by: 1))
        }
        for _ in 0..<pending { append() }
        return (0..<20).map { _ in
            let begin = threadTime()
            for _ in 0..<100 {
                append()
                if let first = queue.firstPending { queue.remove([first.number]) }
            }
            return threadTime() - begin
        }.min() ?? 0
    }

    private static func threadTime() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    private static func write(_ number: Int, by user: UInt64) -> QueuedWrite {
        QueuedWrite(number: number, write: .setLiked(true, Trip.ID(seed: UInt64(number)), by: User.ID(seed: user)))
    }
}

@Suite("The state of a cached repository in memory", .limitedConcurrency)
struct CacheStateTests {
    @Test(
        "waiting tasks and observers are woken in the order in which they began to wait, so that histories can be repeated",
        arguments: [false, true])
    func wakesInOrder(isObserving: Bool) throws {
        let scheduler = TestScheduler(resolution: 0.001)
        let clock = scheduler.virtualClock
        let (woken, wake) = AsyncStream<Int>.makeStream()
        try scheduler.run {
            let state = CacheState([], owner: nil)
            await state.enqueue(.user(World.author))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<20 {
                    group.addTask {
                        if isObserving {
                            for await status in await state.observeStatus() where status.connection == .offline {
                                break
                            }
                        } else {
                            await state.waitUntilSettled()
                        }
                        wake.yield(index)
                    }
                }
                try await clock.sleep(for: .milliseconds(1))
                await state.setConnection(.offline)
                try await group.waitForAll()
            }
            wake.finish()
            #expect(await woken.reduce(into: []) { $0.append($1) } == Array(0..<20))
        }
    }
}
