import Synchronization
import TestConcurrency
import Testing

@testable import Streams

@Suite("The limits of a queue of work", .limitedConcurrency)
struct WorkQueueTests {
    @Test("the limits are those that the documentation states")
    func constants() {
        #expect(Backlog.limit == 1_024)
        #expect(Backlog.batch == 1_024)
        #expect(Backlog.batchTime == 10_000_000)
        #expect(Backlog.mainBatch == 8)
        #expect(Backlog.turn == 64)
        #expect(Backlog.interval == .milliseconds(5))
        #expect((Backlog.patience, Backlog.longestWait) == (6, 20))
        #expect(Backlog.exemption == 64)
    }

    /// A queue that a thread drains, and the senders that join it.
    private final class World {
        let state = DrainState()
        let drainer = DrainingThread()
        var queue = WorkQueue<Int>()
        var batch: [Int] = []

        init() {
            let hasBegun = state.begin()
            precondition(hasBegun)
        }

        var isIdle: Bool { state.isIdle }
        var isOffered: Bool { state.isOffered }

        var asks: Bool { queue.asks(drainer) }

        func send(_ count: Int) { queue.waiting += Array(repeating: 0, count: count) }

        func take() -> [WaitingSender] {
            batch = []
            return queue.take(&batch, drainer)
        }

        func wait() throws -> WaitingSender {
            guard case .waits(let sender) = queue.join(as: .waits, state, drainer) else { throw RxError.unknown }
            return sender
        }
    }

    @Test("senders wait beyond the limit, and return when their work is taken")
    func limit() throws {
        let world = World()
        world.send(Backlog.limit)
        #expect(!world.asks)
        world.send(1)
        let (first, second) = (try world.wait(), try world.wait())
        #expect(world.take().map(ObjectIdentifier.init) == [first, second].map(ObjectIdentifier.init))
        #expect(!world.queue.end(first, isStuck: false, world.drainer).drains)
        #expect(world.batch.count == Backlog.limit + 1)
        #expect(!world.asks)
    }

    @Test("a sender that was released, or drains now, waits for nobody, also before it has a processor again")
    func endedWaits() throws {
        let (other, otherStack) = (UInt(1) << 40, UInt(1) << 41)
        let world = World()
        world.send(Backlog.limit + 1)
        let released = try world.wait()
        _ = Waits.note(released.stack, for: other, 0)
        defer { Waits.end(other) }
        #expect(Waits.note(other, for: released.stack, 7) == nil)  // each waits for the other
        _ = world.take()
        #expect(Waits.note(other, for: released.stack, 7)?.drainer == released.stack)
        world.send(Backlog.limit + 1)
        let successor = try world.wait()
        _ = Waits.note(successor.stack, for: other, 0)
        guard case .handedOver = world.queue.relieve(&world.batch, 0, world.state, world.drainer) else {
            Issue.record("the queue was not handed over")
            return
        }
        #expect(Waits.note(other, for: successor.stack, 7)?.drainer == successor.stack)
        // The thread that has handed over waits like the others.
        #expect(world.drainer.stack.load(ordering: .relaxed) == successor.stack)
        #expect(Waits.note(otherStack, for: other, 3)?.delivered == 7)
        Waits.end(otherStack)
    }

    @Test("neither a thread that drains nor one of a task waits")
    func roles() {
        let world = World()
        world.send(Backlog.limit + 1)
        for role: SendingThread in [.returns, .helps] {
            guard case .returns = world.queue.join(as: role, world.state, world.drainer) else {
                Issue.record("\(role) waits")
                continue
            }
        }
        #expect(SendingThread.role(for: world.drainer) == .helps)  // a test is a task
        world.drainer.becomeCurrent()
        #expect(SendingThread.role(for: world.drainer) == .returns)
        let other = World()
        let role = Notes<SendingThread>()
        onThread { role.add(SendingThread.role(for: DrainingThread())) }()
        #expect(role.all == [.waits])
        withExtendedLifetime(other) {}
    }

    @Test("the draining thread hands the rest of its batch over to the first sender, after its batch")
    func handOver() throws {
        let world = World()
        world.send(Backlog.limit + 1)
        let first = try world.wait()
        let second = try world.wait()
        world.batch = [1, 2, 3]
        guard case .handedOver(let successor) = world.queue.relieve(&world.batch, 1, world.state, world.drainer) else {
            Issue.record("not handed over")
            return
        }
        #expect(successor === first)
        #expect(world.batch.isEmpty)
        #expect(world.queue.end(first, isStuck: true, world.drainer).drains)
        var (rest, index): ([Int], Int) = ([], 0)
        world.queue.takeRest(&rest, &index)
        #expect(rest[index...] == [2, 3])
        #expect(!world.isIdle)
        #expect(world.take().map(ObjectIdentifier.init) == [ObjectIdentifier(second)])
    }

    @Test("a sender that gives up is handed nothing")
    func givingUp() throws {
        let world = World()
        world.send(Backlog.limit + 1)
        let sender = try world.wait()
        #expect(!world.queue.end(sender, isStuck: false, world.drainer).drains)
        world.batch = [1]
        // This test is a task, which does not wait for anybody to accept an offer.
        guard case .continues = world.queue.relieve(&world.batch, 0, world.state, world.drainer) else {
            Issue.record("handed over")
            return
        }
        #expect(world.batch == [1])
    }

    @Test("after a wait in vain nobody waits for many elements, twice as many each time if few are delivered")
    func exemption() throws {
        let world = World()
        world.send(Backlog.limit + 1)
        for factor in [1, 2, 4] {
            let (sender, other) = (try world.wait(), try world.wait())
            let (drains, resumed) = world.queue.end(sender, isStuck: true, world.drainer)
            #expect(!drains && resumed.map(ObjectIdentifier.init) == [ObjectIdentifier(other)])
            for _ in 0..<factor * Backlog.exemption where world.asks { Issue.record("asks") }
            #expect(world.asks)
        }
        // As many were delivered as were exempt: the thread is slow, and not stuck.
        for _ in 0..<4 * Backlog.exemption { world.drainer.countDelivery() }
        _ = world.queue.end(try world.wait(), isStuck: true, world.drainer)
        for _ in 0..<2 * Backlog.exemption where world.asks { Issue.record("asks") }
        #expect(world.asks)
    }

    @Test("while nobody waits, a thread that has delivered its batch offers its place")
    func offer() throws {
        let world = World()
        world.send(Backlog.limit + 1)
        _ = world.queue.end(try world.wait(), isStuck: true, world.drainer)
        #expect(!world.asks)
        world.drainer.isCalled.store(false, ordering: .relaxed)  // as the draining thread does when nobody waits
        world.drainer.wantsSuccessor.store(true, ordering: .relaxed)
        #expect(world.asks)
        guard case .returns = world.queue.join(as: .waits, world.state, world.drainer) else {
            Issue.record("waits")
            return
        }
        let isCalled = world.drainer.isCalled.load(ordering: .relaxed)
        #expect(isCalled)
        world.state.offer()
        guard case .drains = world.queue.join(as: .waits, world.state, world.drainer) else {
            Issue.record("does not accept")
            return
        }
        #expect(!world.isOffered)
    }

    @Test("an empty queue asks senders to wait again")
    func endOfExemption() throws {
        let world = World()
        world.send(Backlog.limit + 1)
        _ = world.queue.end(try world.wait(), isStuck: true, world.drainer)
        #expect(world.take().isEmpty)
        world.send(Backlog.limit + 1)
        #expect(!world.asks)
        _ = (world.take(), world.take())
        world.send(Backlog.limit + 1)
        #expect(world.asks)
    }

    @Test("one sender at a time is asked to take the place of a thread that has delivered its batch")
    func successor() throws {
        let world = World()
        world.send(1)
        #expect(!world.asks)
        world.drainer.wantsSuccessor.store(true, ordering: .relaxed)
        #expect(world.asks)
        let sender = try world.wait()
        #expect(!world.asks)
        #expect(world.take().isEmpty)  // it goes on waiting for the place
        #expect(world.take().map(ObjectIdentifier.init) == [ObjectIdentifier(sender)])  // until the queue is empty
    }
}
