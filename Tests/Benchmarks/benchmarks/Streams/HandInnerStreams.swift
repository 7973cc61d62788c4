import Synchronization

/// What one would write by hand in place of the operators that subscribe to a stream for each element: work that is
/// started with two closures, one for its elements and one for its end, and that returns how to cancel it, or `nil`
/// when there is nothing to cancel.
extension Hand {
    typealias Cancel = @Sendable () -> Void
    typealias Work<E> = @Sendable (_ next: @escaping Next<E>, _ end: @escaping @Sendable () -> Void) -> Cancel?
    typealias Inner<E> =
        @Sendable (
            _ element: E, _ next: @escaping Next<E>, _ end: @escaping @Sendable () -> Void
        ) -> Cancel?

    /// All at once: counts what runs, and keeps what can be cancelled.
    @inline(never)
    static func flatMap<E: Sendable>(_ next: @escaping Next<E>, _ inner: @escaping Inner<E>) -> Next<E> {
        let running = Running()
        let end: @Sendable () -> Void = { running.end() }
        return { element in
            running.begin()
            if let cancel = inner(element, next, end) { running.keep(cancel) }
        }
    }

    /// The newest only: what an earlier one sends is ignored, and it is cancelled.
    @inline(never)
    static func flatMapLatest<E: Sendable>(_ next: @escaping Next<E>, _ inner: @escaping Inner<E>) -> Next<E> {
        let newest = Newest()
        return { element in
            let number = newest.begin()
            let cancel = inner(element, { if newest.isNewest(number) { next($0) } }, { newest.end(number) })
            if let cancel { newest.keep(cancel, number) }
        }
    }

    /// One after the other: elements wait while one runs.
    @inline(never)
    static func concatMap<E: Sendable>(_ next: @escaping Next<E>, _ inner: @escaping Inner<E>) -> Next<E> {
        let line = Line(next, inner)
        return { line.add($0) }
    }

    private final class Running: Sendable {
        private let state = Mutex((count: 0, cancels: [Cancel]()))

        func begin() { state.withLock { $0.count += 1 } }

        func end() { state.withLock { $0.count -= 1 } }

        func keep(_ cancel: @escaping Cancel) { state.withLock { $0.cancels.append(cancel) } }
    }

    private final class Newest: Sendable {
        private let state = Mutex((number: 0, cancel: nil as Cancel?))

        func begin() -> Int {
            let (number, cancel) = state.withLock { state in
                state.number += 1
                return (state.number, state.cancel.take())
            }
            cancel?()
            return number
        }

        func isNewest(_ number: Int) -> Bool { state.withLock { $0.number == number } }

        func end(_ number: Int) {
            let cancel = state.withLock { $0.number == number ? $0.cancel.take() : nil }
            _ = cancel  // released outside the lock
        }

        func keep(_ cancel: @escaping Cancel, _ number: Int) {
            let isLate = state.withLock { state in
                if state.number != number { return true }
                state.cancel = cancel
                return false
            }
            if isLate { cancel() }
        }
    }

    private final class Line<E: Sendable>: Sendable {
        private let state = Mutex((isRunning: false, waiting: [E](), cancel: nil as Cancel?))
        private let next: Next<E>
        private let inner: Inner<E>

        init(_ next: @escaping Next<E>, _ inner: @escaping Inner<E>) {
            self.next = next
            self.inner = inner
        }

        func add(_ element: E) {
            let isFirst = state.withLock { state in
                if state.isRunning {
                    state.waiting.append(element)
                    return false
                }
                state.isRunning = true
                return true
            }
            if isFirst { start(element) }
        }

        private func start(_ element: E) {
            let cancel = inner(element, next) { [self] in end() }
            if let cancel { state.withLock { $0.cancel = cancel } }
        }

        private func end() {
            let element: E? = state.withLock { state in
                if state.waiting.isEmpty {
                    state.isRunning = false
                    return nil
                }
                return state.waiting.removeFirst()
            }
            if let element { start(element) }
        }
    }
}
