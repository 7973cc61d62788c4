import Synchronization

/// What one would write by hand in place of a subject: a locked list of closures, called outside the lock.
///
/// `@unchecked Sendable`: the closures are called by one thread at a time in these benchmarks, as in a program that
/// sends from one place.
final class HandSubject<Element: Sendable>: @unchecked Sendable {
    struct Observer: Sendable {
        let key: Int
        let next: @Sendable (Element) -> Void
    }

    private struct State {
        var observers: [Observer] = []
        var nextKey = 0
    }

    private let state = Mutex(State())

    @discardableResult
    func add(_ next: @escaping @Sendable (Element) -> Void) -> Int {
        state.withLock { state in
            state.nextKey += 1
            state.observers.append(Observer(key: state.nextKey, next: next))
            return state.nextKey
        }
    }

    func remove(_ key: Int) {
        state.withLock { state in
            if let index = state.observers.firstIndex(where: { $0.key == key }) { state.observers.remove(at: index) }
        }
    }

    func send(_ element: Element) {
        let observers = state.withLock { $0.observers }
        for observer in observers { observer.next(element) }
    }
}
