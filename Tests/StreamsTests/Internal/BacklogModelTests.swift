import Synchronization
import TestConcurrency
import Testing

@testable import Streams

/// Every schedule of a few threads at one queue, with batches of one element: the steps are the atomic operations and
/// the locked parts of a gate, on the types that gates use.
@Suite("Draining threads that relieve each other, in every order of their steps", .limitedConcurrency)
struct BacklogModelTests {
    /// What a thread that sends does next.
    private enum Step {
        case begin
        case deliverOwn, end
        case arrive, join
        case wait(WaitingSender)
        case startDraining(isSuccessor: Bool)
        case deliver, relieve, withdraw, take
        case done
    }

    private struct Sender {
        let number: Int
        let role: SendingThread
        let count: Int
        var sent = 0
        var step = Step.begin
        var batch: [Int] = []
        var index = 0
        var deliveries = 0

        var element: Int { number * 10 + sent }
    }

    /// A gate whose steps are taken one at a time.
    private final class World {
        private let state = DrainState()
        private let drainer = DrainingThread()
        private var queue = WorkQueue<Int>()
        private var senders: [Sender]
        /// The number of delivered elements of each sender.
        private var delivered: [Int]
        private(set) var isInOrder = true
        private(set) var handovers = 0
        private(set) var isExclusive = true

        init(_ senders: [(role: SendingThread, count: Int)]) {
            self.senders = senders.enumerated().map { Sender(number: $0, role: $1.role, count: $1.count) }
            delivered = senders.map { _ in 0 }
        }

        /// The steps that can be next. A waiting sender has two: its time is over, and the thread it waits for seems to be
        /// stuck, or not.
        var choices: [(sender: Int, isStuck: Bool)] {
            senders.indices.flatMap { index -> [(sender: Int, isStuck: Bool)] in
                switch senders[index].step {
                case .done: []
                case .wait(let sender) where sender.state == .waits: [(index, false), (index, true)]
                default: [(index, false)]
                }
            }
        }

        var isComplete: Bool { state.isIdle && queue.waiting.isEmpty && delivered == senders.map(\.count) }

        /// The state: two worlds with the same description go on alike.
        var description: String {
            let threads = senders.map { sender in
                let step =
                    if case .wait(let waiting) = sender.step { "wait \(waiting.state)" } else { "\(sender.step)" }
                return "\(step) \(sender.sent) \(sender.batch.dropFirst(sender.index)) \(sender.deliveries > 0)"
            }
            let waiting = queue.overload.map { overload in
                let numbers = overload.senders.map { waiting in
                    senders.firstIndex { if case .wait(let its) = $0.step { its === waiting } else { false } } ?? -1
                }
                return "\(overload.rest.dropFirst(overload.index)) \(numbers) \(overload.isExempt)"
            }
            let flags = (drainer.wantsSuccessor.load(ordering: .relaxed), drainer.isCalled.load(ordering: .relaxed))
            let word = state.word.load(ordering: .relaxed)
            return "\(threads) \(word) \(queue.waiting) \(waiting ?? "") \(flags) \(delivered)"
        }

        private func deliver(_ element: Int) {
            if delivered[element / 10] != element % 10 { isInOrder = false }
            delivered[element / 10] += 1
        }

        /// Counts the threads that believe that they drain.
        private func checkExclusion() {
            let inside = senders.filter {
                switch $0.step {
                case .deliverOwn, .end, .startDraining, .deliver, .relieve, .take: true
                default: false
                }
            }
            if inside.count > 1 { isExclusive = false }
        }

        func take(_ choice: (sender: Int, isStuck: Bool)) {
            var sender = senders[choice.sender]
            step(&sender, choice.isStuck)
            senders[choice.sender] = sender
            checkExclusion()
        }

        private func next(_ sender: inout Sender) {
            sender.sent += 1
            sender.step = sender.sent == sender.count ? .done : .begin
        }

        private func step(_ sender: inout Sender, _ isStuck: Bool) {
            switch sender.step {
            case .begin: sender.step = state.begin() ? .deliverOwn : .arrive
            case .deliverOwn:
                deliver(sender.element)
                sender.step = .end
            case .end: if state.end() { next(&sender) } else { sender.step = .startDraining(isSuccessor: false) }
            case .arrive:
                if !state.isDraining(elseBecome: DrainState.draining) {
                    sender.step = .deliverOwn
                } else {
                    queue.waiting.append(sender.element)
                    if queue.asks(drainer) { sender.step = .join } else { next(&sender) }
                }
            case .join:
                switch queue.join(as: sender.role, state, drainer) {
                case .returns: next(&sender)
                case .drains:
                    handovers += 1
                    sender.step = .startDraining(isSuccessor: true)
                case .waits(let waiting): sender.step = .wait(waiting)
                }
            case .wait(let waiting):
                if queue.end(waiting, isStuck: isStuck, drainer).drains {
                    handovers += 1
                    sender.step = .startDraining(isSuccessor: true)
                } else {
                    next(&sender)
                }
            case .startDraining(let isSuccessor):
                (sender.batch, sender.index, sender.deliveries) = ([], 0, 0)
                if isSuccessor { queue.takeRest(&sender.batch, &sender.index) }
                goOn(&sender)
            case .deliver:
                deliver(sender.batch[sender.index])
                sender.index += 1
                sender.deliveries += 1
                drainer.countDelivery()
                goOn(&sender)
            case .relieve:
                switch queue.relieve(&sender.batch, sender.index, state, drainer) {
                case .continues: sender.step = .deliver
                case .offered: sender.step = .withdraw
                case .handedOver: next(&sender)
                }
            case .withdraw:
                if state.takeOffer() {
                    queue.takeRest(&sender.batch, &sender.index)
                    sender.step = .deliver
                } else {
                    next(&sender)
                }
            case .take:
                sender.batch = []
                sender.index = 0
                _ = queue.take(&sender.batch, drainer)
                if sender.batch.isEmpty {
                    state.becomeIdle()
                    next(&sender)
                } else {
                    state.continueDraining()
                    goOn(&sender)
                }
            case .done: break
            }
        }

        /// After one element, the thread wants a successor.
        private func goOn(_ sender: inout Sender) {
            if sender.index == sender.batch.count {
                sender.step = .take
                return
            }
            if sender.deliveries > 0 { drainer.wantsSuccessor.store(true, ordering: .relaxed) }
            let isCalled = sender.deliveries > 0 && drainer.isCalled.load(ordering: .relaxed)
            sender.step = isCalled ? .relieve : .deliver
        }
    }

    /// Takes every choice in every state that is reached.
    ///
    /// - Returns: The number of states, and whether one thread took the place of another in one of them.
    private func explore(_ senders: [(role: SendingThread, count: Int)]) -> (states: Int, handsOver: Bool) {
        var known: Set<String> = []
        var schedules: [[Int]] = [[]]
        var handsOver = false
        while let schedule = schedules.popLast() {
            let world = World(senders)
            for choice in schedule { world.take(world.choices[choice]) }
            let choices = world.choices
            let isRight = world.isExclusive && world.isInOrder && (!choices.isEmpty || world.isComplete)
            if !isRight {
                Issue.record("after the choices \(schedule): \(world.description)")
                return (known.count, handsOver)
            }
            if world.handovers > 0 { handsOver = true }
            if known.insert(world.description).inserted { schedules += choices.indices.map { schedule + [$0] } }
        }
        return (known.count, handsOver)
    }

    @Test("two threads lose, repeat and reorder no element in any order of their steps")
    func twoThreads() {
        for roles: [SendingThread] in [[.waits, .waits], [.returns, .waits], [.returns, .helps], [.waits, .helps]] {
            #expect(explore(roles.map { ($0, 3) }).states > 500)
        }
    }

    @Test("three threads lose, repeat and reorder no element in any order of their steps")
    func threeThreads() {
        for senders: [(SendingThread, Int)] in [
            [(.returns, 2), (.waits, 2), (.waits, 1)], [(.returns, 2), (.waits, 1), (.helps, 2)],
        ] {
            let (states, handsOver) = explore(senders)
            #expect(states > 2_000)
            #expect(handsOver)
        }
    }
}
