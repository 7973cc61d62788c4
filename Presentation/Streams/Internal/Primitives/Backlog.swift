import Dispatch
import Synchronization

#if canImport(Darwin)
import Darwin
#else
import Foundation
#endif

// How a queue of work stays short, and how the thread that drains it is relieved.
//
// A sender enqueues its element first, always. It returns at once, with two exceptions, each for senders that may wait:
//
// - More than `limit` elements are enqueued. It waits until the draining thread takes them.
// - The draining thread *wants a successor*, because it has delivered its batch. The sender waits until that thread
//   hands over, between two elements, and then drains.
//
// States of a queue, with the thread that causes each change. All but `begin` and `end` happen under its lock.
//
//     idle ─── begin: a sender ──────────────────────────▶ draining
//     draining ─── end: the draining thread, queue empty ─▶ idle
//     draining ─── hand over, to the first waiting sender ▶ draining, by that sender
//     draining ─── offer: a sender that never waits called ▶ offered
//     offered ─── join: a sender, with its element ────────▶ draining, by that sender
//     offered ─── withdraw: the thread that offered ───────▶ draining, by that thread again
//
// So a queue that is not empty always has exactly one thread that is bound to drain it, and the elements that it took
// and did not deliver pass on with the role: no element is stranded, and none overtakes another.
//
// A waiting sender is in one of three states, which change under the lock: it waits; it was released, because the
// elements were taken; it delivers, because the role was handed to it. One whose time is over removes itself while it
// still waits, so that nothing is handed to a thread that has left.
//
// A wait ends early when the draining thread makes no progress, because it may wait for a lock that the sender holds; and
// at once if that thread waits for another queue, and so for the sender (`Waits`). Then nobody waits for the next `exemption` elements; after a further wait in
// vain twice as many, if fewer than the last ones were delivered meanwhile, otherwise half as many. So a lock that is
// held around sends costs one wait in a burst, or a few in a long one, and not one for each element; and a thread that
// was only denied a processor causes no flood. Meanwhile the draining thread offers its place, as it does to senders that
// never wait.

/// The limits of queues.
enum Backlog {
    /// The number of enqueued elements beyond which senders wait.
    static let limit = 1_024
    /// The number of enqueued elements that a thread delivers before it hands over to the next sender.
    static let batch = 1_024
    /// How long it does so at most, if elements take long, in nanoseconds.
    static let batchTime: UInt64 = 10_000_000
    /// The number of elements for the main queue.
    static let mainBatch = 8
    /// The number of elements of other threads that are delivered in one turn of the main queue, where work is scheduled.
    static let turn = 64
    /// A sender that waits looks for progress at this interval.
    static let interval = DispatchTimeInterval.milliseconds(5)
    /// The number of intervals that a sender waits while the draining thread makes no progress.
    static let patience = 6
    /// The number of intervals that a sender waits in all.
    static let longestWait = 20
    /// The number of elements for which nobody waits after a wait in vain, at first.
    static let exemption = 64
    /// How long a draining thread waits for a sender that never waits itself, in nanoseconds.
    static let offer: UInt64 = 100_000
}

/// What the current thread may do for a long queue.
enum SendingThread {
    case waits
    /// A thread of the cooperative pool never blocks.
    case helps
    /// The main thread waits for nobody; the thread that drains does not wait for itself.
    case returns

    static func role(for drainer: borrowing DrainingThread) -> SendingThread {
        if drainer.isCurrent || isOnMainQueue { return .returns }
        if withUnsafeCurrentTask(body: { $0 != nil }) { return .helps }
        return isMainThread ? .returns : .waits
    }

    /// The main thread, once it has asked; 1 if the main queue runs on another one.
    private static let mainThread = Atomic<UInt>(0)

    /// Whether the current code runs on the main queue. Comparing threads takes a fraction of the time of the look-up.
    private static var isOnMainQueue: Bool {
        let known = mainThread.load(ordering: .relaxed)
        if known == Thread.current { return true }
        guard DispatchQueue.isMain else { return false }
        if known == 0 { mainThread.store(isMainThread ? Thread.current : 1, ordering: .relaxed) }
        return true
    }

    /// Whether this is the main thread, whatever queue it works for.
    private static var isMainThread: Bool {
        #if canImport(Darwin)
        pthread_main_np() != 0
        #else
        Foundation.Thread.isMainThread
        #endif
    }
}

/// A sender that waits for a queue.
///
/// `@unchecked Sendable`: the lock of the queue guards `state`.
final class WaitingSender: @unchecked Sendable {
    enum State {
        case waits
        /// The elements were taken, or nobody waits any more.
        case released
        /// The draining thread has handed over.
        case delivers
    }

    @exclusivity(unchecked) var state = State.waits
    /// An address in the stack of its thread, which creates it.
    let stack = StackAddress.current
    private let semaphore = DispatchSemaphore(value: 0)

    /// Resumes the sender. Called without a lock, after `state` was changed.
    func resume() { semaphore.signal() }

    /// Waits for ``resume()``.
    ///
    /// - Returns: Whether the draining thread seems to be stuck.
    func wait(for drainer: borrowing DrainingThread) -> Bool {
        defer { Waits.end(stack) }
        /// The thread that must make progress, and signs of that; `nil` if it is this one.
        func progress() -> (UInt, UInt32, UInt)? {
            let delivered = drainer.delivered.load(ordering: .relaxed)
            return Waits.note(stack, for: drainer.stack.load(ordering: .relaxed), delivered).map {
                ($0.drainer, $0.delivered, Pulse.sum(below: $0.drainer))
            }
        }
        guard let first = progress() else { return true }
        var before = first
        var idle = 0
        for _ in 0..<Backlog.longestWait {
            if semaphore.wait(timeout: .now() + Backlog.interval) == .success { return false }
            guard let now = progress() else { return true }
            idle = now == before ? idle + 1 : 0
            // Scheduled work may begin much later.
            if idle == Backlog.patience, now.0 != DrainingThread.unknown { return true }
            before = now
        }
        return before == first
    }
}

/// The senders that wait for a queue. Accessed under its lock, which makes it `Sendable`.
class Congestion: @unchecked Sendable {
    /// In the order in which they came.
    @exclusivity(unchecked) private(set) final var senders: [WaitingSender] = []
    /// The number of elements for which nobody is asked to wait.
    @exclusivity(unchecked) private final var exemption = 0
    /// The last exemption, and the number of deliveries when it began.
    @exclusivity(unchecked) private final var last: (exemption: Int, delivered: UInt32)?

    final var isExempt: Bool { exemption > 0 }

    /// Counts an element for which its sender is not asked to wait.
    final func useExemption() { exemption -= 1 }

    final func add() -> WaitingSender {
        let sender = WaitingSender()
        senders.append(sender)
        return sender
    }

    /// Removes the sender that takes the place of the draining thread.
    final func removeFirst() -> WaitingSender? { senders.isEmpty ? nil : senders.removeFirst() }

    /// Removes a sender whose time is over.
    ///
    /// - Returns: The senders to resume.
    final func remove(_ sender: WaitingSender, isStuck: Bool, _ delivered: UInt32) -> [WaitingSender] {
        senders.removeAll { $0 === sender }
        sender.state = .released
        if !isStuck { return [] }
        exemption = last?.exemption ?? Backlog.exemption
        if let last {
            let isSlow = Int(delivered &- last.delivered) < last.exemption
            exemption = isSlow ? min(exemption * 2, 1 << 30) : max(exemption / 2, Backlog.exemption)
        }
        last = (exemption, delivered)
        return takeSenders(from: 0)
    }

    /// Releases the senders whose work was taken.
    ///
    /// - Parameter kept: The number of those that go on waiting.
    /// - Returns: The senders to resume.
    final func release(except kept: Int = 0) -> [WaitingSender] {
        senders.count <= kept ? [] : takeSenders(from: kept)
    }

    /// Asks senders to wait again, because the queue is empty.
    final func endExemption() { exemption = 0 }

    private func takeSenders(from first: Int) -> [WaitingSender] {
        let released = Array(senders[first...])
        senders.removeSubrange(first...)
        for sender in released {
            sender.state = .released
            Waits.end(sender.stack)
        }
        return released
    }
}

/// The senders that wait for a queue, and the elements that pass from one draining thread to the next.
final class Overload<Work>: Congestion, @unchecked Sendable {
    // `@unchecked Sendable`: see its superclass.

    @exclusivity(unchecked) var rest: [Work] = []
    @exclusivity(unchecked) var index = 0
}

/// Enqueued work, under the lock of its owner. The methods are the changes of state that the head of this file lists;
/// none calls user code.
struct WorkQueue<Work: Sendable>: Sendable {
    /// The work that no thread has taken.
    var waiting: [Work] = []
    private(set) var overload: Overload<Work>?

    /// What a sender does after it has enqueued its work.
    enum Join {
        case returns, drains
        case waits(WaitingSender)
    }

    /// What the draining thread does that has delivered its batch.
    enum Relief {
        case continues, offered
        case handedOver(WaitingSender)
    }

    /// Whether a sender should call ``join(as:_:_:)``. Called once after it has enqueued its work.
    func asks(_ drainer: borrowing DrainingThread) -> Bool {
        let wantsSuccessor = drainer.wantsSuccessor.load(ordering: .relaxed)
        if !wantsSuccessor, waiting.count <= Backlog.limit { return false }
        guard let overload else { return true }
        if !overload.isExempt { return waiting.count > Backlog.limit || overload.senders.isEmpty }
        overload.useExemption()
        return wantsSuccessor && !drainer.isCalled.load(ordering: .relaxed)
    }

    /// - Parameter mayDrain: Whether the sender may take the place of the draining thread.
    mutating func join(
        as role: SendingThread, draining mayDrain: Bool = true, _ state: borrowing DrainState,
        _ drainer: borrowing DrainingThread
    ) -> Join {
        if role == .returns { return .returns }
        if state.takeOffer() {
            drainer.wantsSuccessor.store(false, ordering: .relaxed)
            drainer.becomeCurrent()
            return .drains
        }
        if state.isIdle { return .returns }
        let wantsSuccessor = drainer.wantsSuccessor.load(ordering: .relaxed)
        let isLong = waiting.count > Backlog.limit
        if role == .helps || overload?.isExempt == true || (!isLong && !mayDrain) {
            if wantsSuccessor { drainer.isCalled.store(true, ordering: .relaxed) }
            return .returns
        }
        if !isLong, !wantsSuccessor || overload?.senders.isEmpty == false { return .returns }
        drainer.isCalled.store(true, ordering: .relaxed)
        return .waits(makeOverload().add())
    }

    /// Ends the wait of a sender.
    ///
    /// - Returns: Whether it drains now, and the senders to resume.
    mutating func end(
        _ sender: WaitingSender, isStuck: Bool, _ drainer: borrowing DrainingThread
    ) -> (drains: Bool, resumed: [WaitingSender]) {
        switch sender.state {
        case .delivers: return (true, [])
        case .released: return (false, [])
        case .waits:
            let delivered = drainer.delivered.load(ordering: .relaxed)
            return (false, makeOverload().remove(sender, isStuck: isStuck, delivered))
        }
    }

    /// Hands `batch` from `index` on over to a sender, or offers it.
    mutating func relieve(
        _ batch: inout [Work], _ index: Int, _ state: borrowing DrainState, _ drainer: borrowing DrainingThread
    ) -> Relief {
        let overload = makeOverload()
        let successor = overload.removeFirst()
        drainer.isCalled.store(!overload.senders.isEmpty, ordering: .relaxed)
        if successor == nil, !Stay.mayOffer { return .continues }
        swap(&overload.rest, &batch)
        overload.index = index
        guard let successor else {
            state.offer()
            return .offered
        }
        drainer.wantsSuccessor.store(false, ordering: .relaxed)
        // Now, because the successor may get a processor much later, and the caller sends again: it waits like the others.
        drainer.stack.store(successor.stack, ordering: .relaxed)
        successor.state = .delivers
        Waits.end(successor.stack)
        return .handedOver(successor)
    }

    /// Keeps `batch` from `index` on for scheduled work.
    ///
    /// - Returns: The senders to resume.
    mutating func pause(
        _ batch: inout [Work], _ index: Int, _ drainer: borrowing DrainingThread
    ) -> [WaitingSender] {
        let overload = makeOverload()
        swap(&overload.rest, &batch)
        overload.index = index
        drainer.wantsSuccessor.store(false, ordering: .relaxed)
        drainer.isCalled.store(false, ordering: .relaxed)
        drainer.becomeUnknown()
        return waiting.count > Backlog.limit ? [] : overload.release()
    }

    /// Takes the rest of a batch that was handed over or offered, or kept in a pause; there may be none.
    mutating func takeRest(_ batch: inout [Work], _ index: inout Int) {
        guard let overload else { return }
        swap(&overload.rest, &batch)
        index = batch.isEmpty ? 0 : overload.index
    }

    /// Takes the waiting work, and gives the memory of `batch`, which is empty, to the queue.
    ///
    /// - Returns: The senders to resume.
    mutating func take(_ batch: inout [Work], _ drainer: borrowing DrainingThread) -> [WaitingSender] {
        if !waiting.isEmpty || batch.capacity > waiting.capacity { swap(&batch, &waiting) }
        let wantsSuccessor = drainer.wantsSuccessor.load(ordering: .relaxed)
        if !wantsSuccessor, overload == nil { return [] }
        if batch.isEmpty {
            drainer.wantsSuccessor.store(false, ordering: .relaxed)
            drainer.isCalled.store(false, ordering: .relaxed)
            overload?.endExemption()
            return overload?.release() ?? []
        }
        return overload?.release(except: wantsSuccessor ? 1 : 0) ?? []
    }

    private mutating func makeOverload() -> Overload<Work> {
        if let overload { return overload }
        let overload = Overload<Work>()
        self.overload = overload
        return overload
    }
}

/// The work of one stay of the draining thread.
struct Stay {
    private let isScheduled: Bool
    private var deliveries = 0
    /// The number of deliveries after which the batch may be over; 0 if it is.
    private var limit: Int
    /// When the thread had delivered a few elements.
    private var begin: UInt64 = 0
    /// Known after a few elements: most stays are short.
    private var pulse: Pulse?

    init(isScheduled: Bool = false) {
        self.isScheduled = isScheduled
        limit = isScheduled ? Backlog.turn : Backlog.mainBatch
    }

    /// Counts a delivered element.
    mutating func count(_ drainer: borrowing DrainingThread) {
        deliveries += 1
        drainer.countDelivery()
        pulse?.beat()
    }

    /// Whether the thread has delivered its batch, and a sender called. Called between two elements.
    mutating func endsEarly(_ drainer: borrowing DrainingThread) -> Bool {
        if deliveries < limit { return false }
        if pulse == nil { pulse = .current }
        if limit != 0 {
            if !hasDeliveredBatch() { return false }
            limit = 0
        }
        drainer.wantsSuccessor.store(true, ordering: .relaxed)
        return drainer.isCalled.load(ordering: .relaxed)
    }

    /// Called when `limit` elements are delivered: reads the clock from time to time.
    private mutating func hasDeliveredBatch() -> Bool {
        if isScheduled || limit >= Backlog.batch { return true }
        let now = DispatchTime.now().uptimeNanoseconds
        if limit == Backlog.mainBatch {
            if DispatchQueue.isMain { return true }
            begin = now
        } else if now - begin > Backlog.batchTime {
            return true
        }
        limit *= 2
        return false
    }

    /// Whether the current thread may wait for a sender that accepts its offer. A thread of the cooperative pool does not.
    static var mayOffer: Bool { DispatchQueue.isMain || !withUnsafeCurrentTask { $0 != nil } }

    /// Waits until a sender has accepted the offered queue, but not for long.
    static func waitForAcceptance(of state: borrowing DrainState) {
        let end = DispatchTime.now().uptimeNanoseconds + Backlog.offer
        while state.isOffered, DispatchTime.now().uptimeNanoseconds < end { sched_yield() }
    }
}
