import Dispatch
import Foundation
import Streams

/// What one would write by hand to keep virtual time: a heap of closures in the order of their times.
///
/// `@unchecked Sendable`: as its benchmark, on one thread.
final class HandClock: @unchecked Sendable {
    /// One piece of work; what is cancelled is left in the heap and skipped.
    final class Timer: @unchecked Sendable {
        @exclusivity(unchecked) fileprivate var work: (() -> Void)?

        fileprivate init(_ work: @escaping () -> Void) {
            self.work = work
        }

        func cancel() { work = nil }
    }

    private struct Entry {
        let time: Int
        let number: Int
        let timer: Timer

        static func < (lhs: Entry, rhs: Entry) -> Bool {
            lhs.time == rhs.time ? lhs.number < rhs.number : lhs.time < rhs.time
        }
    }

    @exclusivity(unchecked) private(set) var now = 0
    @exclusivity(unchecked) private var heap: [Entry] = []
    @exclusivity(unchecked) private var nextNumber = 0

    func schedule(after ticks: Int, _ work: @escaping () -> Void) -> Timer {
        let timer = Timer(work)
        nextNumber += 1
        heap.append(Entry(time: now + ticks, number: nextNumber, timer: timer))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child] < heap[parent] else { break }
            heap.swapAt(child, parent)
            child = parent
        }
        return timer
    }

    /// Runs everything that is due up to and including `time`, and sets the clock to that.
    func advance(to time: Int) {
        while let first = heap.first, first.time <= time {
            removeFirst()
            guard let work = first.timer.work else { continue }
            now = first.time
            work()
        }
        now = time
    }

    private func removeFirst() {
        let last = heap.removeLast()
        guard !heap.isEmpty else { return }
        heap[0] = last
        var parent = 0
        while true {
            let left = 2 * parent + 1
            guard left < heap.count else { break }
            let right = left + 1
            let child = right < heap.count && heap[right] < heap[left] ? right : left
            guard heap[child] < heap[parent] else { break }
            heap.swapAt(child, parent)
            parent = child
        }
    }
}

/// A scheduler as a user of the library would write one: virtual time in seconds on a heap of closures.
final class PlainScheduler: SchedulerType {
    let clock = HandClock()

    var now: RxTime { Date(timeIntervalSinceReferenceDate: Double(clock.now)) }

    func schedule<StateType: Sendable>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        scheduleRelative(state, dueTime: .seconds(0), action: action)
    }

    func scheduleRelative<StateType: Sendable>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        let inner = SingleAssignmentDisposable()
        let timer = clock.schedule(after: dueTime.wholeSeconds) { inner.setDisposable(action(state)) }
        return Disposables.create {
            timer.cancel()
            inner.dispose()
        }
    }
}

extension RxTimeInterval {
    fileprivate var wholeSeconds: Int {
        switch self {
        case .seconds(let seconds): seconds
        case .milliseconds(let milliseconds): milliseconds / 1_000
        case .microseconds(let microseconds): microseconds / 1_000_000
        case .nanoseconds(let nanoseconds): nanoseconds / 1_000_000_000
        default: .max / 2
        }
    }
}
