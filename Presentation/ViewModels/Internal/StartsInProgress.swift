import Dispatch
import Streams

/// The starts of effects and subscriptions that are in progress, so that a dismissal or a cancellation on another thread
/// can wait for them. Accessed under the lock of its owner.
struct StartsInProgress {
    private var starts: [(object: any AnyObject & Sendable, thread: UInt)] = []
    /// Whether a thread waits for one of them, or has waited.
    private var areAwaited = false

    /// Begins the start of an object on this thread.
    mutating func begin(_ object: any AnyObject & Sendable) {
        starts.append((object, Thread.current))
    }

    /// Ends the start of an object on this thread.
    ///
    /// - Returns: Whether threads may wait for it: then call ``StartWaits/end(of:)`` outside the lock.
    mutating func end(_ object: any AnyObject & Sendable) -> Bool {
        let me = Thread.current
        guard let index = starts.lastIndex(where: { $0.object === object && $0.thread == me }) else { return false }
        starts.remove(at: index)
        return areAwaited
    }

    /// The wait of this thread for the starts on other threads whose objects satisfy a condition; `nil` if there are
    /// none.
    mutating func wait(where isAwaited: (AnyObject) -> Bool) -> DispatchSemaphore? {
        let me = Thread.current
        let awaited = starts.filter { $0.thread != me && isAwaited($0.object) }
        if awaited.isEmpty { return nil }
        areAwaited = true
        return StartWaits.begin(for: awaited.map { (ObjectIdentifier($0.object), $0.thread) }, on: me)
    }
}

/// The waits of all threads for starts in progress.
///
/// A thread never waits for one that waits for it: two effects that dismiss each other's flows while they start end
/// both flows, and neither hangs.
enum StartWaits {
    private struct Wait {
        let thread: UInt
        var starts: [(id: ObjectIdentifier, thread: UInt)]
        let semaphore: DispatchSemaphore
    }

    private static let waits = TracedMutex<[Wait]>([])

    /// Registers a wait; `nil` if each of the threads waits for this one.
    static func begin(for starts: [(id: ObjectIdentifier, thread: UInt)], on thread: UInt) -> DispatchSemaphore? {
        waits.withLock { waits in
            var (waiting, added) = ([thread] as Set, true)
            while added {
                let more = waits.filter { wait in wait.starts.contains { waiting.contains($0.thread) } }.map(\.thread)
                added = !waiting.isSuperset(of: more)
                waiting.formUnion(more)
            }
            let starts = starts.filter { !waiting.contains($0.thread) }
            if starts.isEmpty { return nil }
            let semaphore = DispatchSemaphore(value: 0)
            waits.append(Wait(thread: thread, starts: starts, semaphore: semaphore))
            return semaphore
        }
    }

    /// Resumes the threads that wait for the start of an object on this thread, and for no other.
    static func end(of object: AnyObject) {
        let start = (ObjectIdentifier(object), Thread.current)
        let ended = waits.withLock { waits in
            for index in waits.indices { waits[index].starts.removeAll { $0 == start } }
            defer { waits.removeAll { $0.starts.isEmpty } }
            return waits.filter { $0.starts.isEmpty }.map(\.semaphore)
        }
        for semaphore in ended { semaphore.signal() }
    }
}
