import Foundation
import Synchronization

/// Runs `body` on a thread of its own.
///
/// - Returns: Waits for its end.
func onThread(_ body: @escaping @Sendable () -> Void) -> () -> Void {
    let end = Moment()
    Thread.detachNewThread {
        body()
        end.reach()
    }
    return end.wait
}

/// Something that one thread waits for and another brings about. Waiting ends after 10 seconds at the latest, so that a
/// test fails rather than hangs.
final class Moment: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func reach() { semaphore.signal() }

    func wait() {
        if semaphore.wait(timeout: .now() + 10) == .success { semaphore.signal() }
    }
}

/// Elements and the threads on which an observer received them.
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
