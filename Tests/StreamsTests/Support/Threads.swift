import Foundation
import Synchronization

/// Runs `body` on a new thread.
///
/// - Returns: A function that waits for the thread to finish.
func onThread(_ body: @escaping @Sendable () -> Void) -> () -> Void {
    let end = Moment()
    Thread.detachNewThread {
        body()
        end.reach()
    }
    return end.wait
}

/// A condition that one thread awaits and another one fulfils. Waiting ends after at most 10 seconds, so that a test
/// fails instead of hanging.
final class Moment: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func reach() { semaphore.signal() }

    func wait() {
        if semaphore.wait(timeout: .now() + 10) == .success { semaphore.signal() }
    }
}

/// The elements that an observer received, with the receiving threads.
final class Arrivals<Element: Sendable & Equatable>: Sendable {
    private let list = Mutex<[(element: Element, thread: ObjectIdentifier)]>([])

    var elements: [Element] { list.withLock { $0.map(\.element) } }
    var areAllOnThisThread: Bool {
        let current = ObjectIdentifier(Thread.current)
        return list.withLock { $0.allSatisfy { $0.thread == current } }
    }

    func add(_ element: Element) {
        list.withLock { $0.append((element, ObjectIdentifier(Thread.current))) }
    }
}

/// Detects whether two threads execute the same code concurrently.
final class Flag: Sendable {
    private let isUp = Atomic(false)

    func tryToEnter() -> Bool { !isUp.exchange(true, ordering: .acquiringAndReleasing) }
    func leave() { isUp.store(false, ordering: .releasing) }
}

/// A counter that any thread can increment.
final class Counter: Sendable {
    private let number = Atomic(0)

    var value: Int { number.load(ordering: .acquiring) }

    func add(_ amount: Int) { number.add(amount, ordering: .acquiringAndReleasing) }
}

/// Stores the values that a test's closures record.
final class Notes<Value: Sendable>: Sendable {
    private let notes = Mutex<[Value]>([])

    var all: [Value] { notes.withLock { $0 } }

    func add(_ value: Value) { notes.withLock { $0.append(value) } }
}
