public import Synchronization

/// Lets one delivery at a time through, in the order in which they came, without a lock around user code.
///
/// Whoever finds the gate free passes at once and delivers on its own thread; whoever finds it taken, be it by
/// another thread or by a delivery further up its own stack, leaves its work in a queue for the one inside and
/// returns. So several sources may send concurrently and re-entrantly, and all observers see one order.
///
/// Passing a free gate costs two atomic exchanges. `enter` acquires and `leave` releases: what is done inside
/// happens before what the next one inside does.
@usableFromInline
package struct Gate: ~Copyable, Sendable {
    /// Work left for the one inside. `@unchecked Sendable`: it runs inside the gate, like the code that left it.
    @usableFromInline
    struct Work: @unchecked Sendable {
        @usableFromInline let run: () -> Void

        @usableFromInline
        init(run: @escaping () -> Void) {
            self.run = run
        }
    }

    private static let idle: UInt32 = 0
    private static let taken: UInt32 = 1
    private static let takenWithWork: UInt32 = 2

    @usableFromInline let state = Atomic<UInt32>(0)
    private let queue = Mutex<[Work]>([])

    @usableFromInline
    package init() {}

    /// Passes the gate if it is free.
    @inlinable
    func enter() -> Bool {
        state.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged
    }

    /// Leaves the gate after doing the work that others left meanwhile.
    @inlinable
    func leave() {
        if !state.compareExchange(expected: 1, desired: 0, ordering: .releasing).exchanged { drain() }
    }

    /// Does the work inside the gate: at once if it is free, else by the one inside before it leaves.
    @usableFromInline
    package func pass(_ work: @escaping () -> Void) {
        let work = Work(run: work)
        if enterOrQueue(work) {
            work.run()
            leave()
        }
    }

    /// Passes the gate if it is free, and then the work is the caller's to do before it leaves; else queues it.
    @usableFromInline
    func enterOrQueue(_ work: Work) -> Bool {
        queue.withLock { queue in
            while true {
                if state.compareExchange(expected: Self.idle, desired: Self.taken, ordering: .acquiring).exchanged {
                    return true
                }
                let found = state.compareExchange(
                    expected: Self.taken, desired: Self.takenWithWork, ordering: .relaxed)
                if found.exchanged || found.original == Self.takenWithWork {
                    queue.append(work)
                    return false
                }
            }
        }
    }

    /// Whether work was left for the thread inside; to be asked by that.
    @inlinable
    var hasWork: Bool { state.load(ordering: .relaxed) != 1 }

    /// Does the work that was left, and stays inside.
    @usableFromInline
    func doQueuedWork() {
        while let batch = takeBatch(orLeave: false) { for work in batch { work.run() } }
    }

    @usableFromInline
    func drain() {
        while let batch = takeBatch(orLeave: true) { for work in batch { work.run() } }
    }

    /// The work that was left; `nil` if there is none, and then perhaps leaves.
    private func takeBatch(orLeave leaves: Bool) -> [Work]? {
        queue.withLock { queue in
            let batch = queue
            queue = []
            if batch.isEmpty {
                state.store(leaves ? Self.idle : Self.taken, ordering: .releasing)
                return nil
            }
            state.store(Self.taken, ordering: .relaxed)
            return batch
        }
    }
}
