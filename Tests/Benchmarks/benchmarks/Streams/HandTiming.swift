import Dispatch
import Synchronization

/// What one would write by hand in place of the operators that wait.
extension Hand {
    /// Passes an element on when none has come for `ticks` after it.
    ///
    /// `@unchecked Sendable`: as its benchmark, on one thread; with several, one would put a lock around it.
    final class Debounce<E>: @unchecked Sendable {
        private let ticks: Int
        private let clock: HandClock
        private let next: Next<E>
        @exclusivity(unchecked) private var timer: HandClock.Timer?

        init(_ ticks: Int, on clock: HandClock, _ next: @escaping Next<E>) {
            self.ticks = ticks
            self.clock = clock
            self.next = next
        }

        func send(_ element: E) {
            timer?.cancel()
            timer = clock.schedule(after: ticks) { [next] in next(element) }
        }
    }

    /// Passes on the first element and, at the end of each pause of `ticks`, the newest that has come in it.
    ///
    /// `@unchecked Sendable`: as its benchmark, on one thread; with several, one would put a lock around it.
    final class Throttle<E>: @unchecked Sendable {
        private let ticks: Int
        private let clock: HandClock
        private let next: Next<E>
        @exclusivity(unchecked) private var lastSent: Int?
        @exclusivity(unchecked) private var waiting: E?

        init(_ ticks: Int, on clock: HandClock, _ next: @escaping Next<E>) {
            self.ticks = ticks
            self.clock = clock
            self.next = next
        }

        func send(_ element: E) {
            guard let lastSent, clock.now - lastSent < ticks else { return pass(element) }
            let isScheduled = waiting != nil
            waiting = element
            if isScheduled { return }
            _ = clock.schedule(after: lastSent + ticks - clock.now) { [self] in
                if let element = waiting.take() { pass(element) }
            }
        }

        private func pass(_ element: E) {
            waiting = nil
            next(element)
            lastSent = clock.now
        }
    }

    /// Collects elements and passes them on when there are enough or it is time.
    ///
    /// There is one timer: one that comes too early, because a full buffer was passed on meanwhile, sets itself anew.
    final class Buffer<E: Sendable>: Sendable {
        private struct State {
            var elements: [E] = []
            var deadline: DispatchTime
            var isStopped = false

            mutating func take(reserving count: Int) -> [E] {
                var taken: [E] = []
                taken.reserveCapacity(count)
                swap(&taken, &elements)
                return taken
            }
        }

        private let span: DispatchTimeInterval
        private let count: Int
        private let queue: DispatchQueue
        private let next: Next<[E]>
        private let state: Mutex<State>

        init(_ span: DispatchTimeInterval, _ count: Int, on queue: DispatchQueue, _ next: @escaping Next<[E]>) {
            self.span = span
            self.count = count
            self.queue = queue
            self.next = next
            let deadline = DispatchTime.now() + span
            state = Mutex(State(deadline: deadline))
            wait(until: deadline)
        }

        func send(_ element: E) {
            let full: [E]? = state.withLock { state in
                state.elements.append(element)
                if state.elements.count < count { return nil }
                state.deadline = .now() + span
                return state.take(reserving: count)
            }
            if let full { next(full) }
        }

        func stop() {
            state.withLock { $0.isStopped = true }
        }

        private func wait(until deadline: DispatchTime) {
            queue.asyncAfter(deadline: deadline) { [weak self] in self?.timePassed() }
        }

        private func timePassed() {
            let (due, deadline): ([E]?, DispatchTime?) = state.withLock { state in
                if state.isStopped { return (nil, nil) }
                if state.deadline > .now() { return (nil, state.deadline) }
                state.deadline = .now() + span
                return (state.take(reserving: count), state.deadline)
            }
            if let due { next(due) }
            if let deadline { wait(until: deadline) }
        }
    }
}
