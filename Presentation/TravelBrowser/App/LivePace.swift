internal import Foundation
import Synchronization

/// When open pages show what changes.
///
/// Each change of a trip reaches every page that shows it. Up to 100 pages show it at once. More take turns, ten in
/// 20 milliseconds, however many changes there are; each then shows the newest state. A viewer that has just acted does not wait.
///
/// ```swift
/// for try await page in trips.observe(query) {
///     await pace.turn(of: viewer)
///     show(page)
/// }
/// ```
final class LivePace: Sendable {
    private struct State {
        var pageCount = 0
        /// The viewers that wait, in order, from `next`.
        var waiting: [Waiter] = []
        var next = 0
    }

    private let state = Mutex(State())
    private let scheduler: any SchedulerType

    /// - Parameter scheduler: The time that passes between turns.
    init(on scheduler: any SchedulerType = ConcurrentDispatchQueueScheduler(qos: .userInitiated)) {
        self.scheduler = scheduler
    }

    private static let interval = RxTimeInterval.milliseconds(20)
    private static let turnsAtOnce = 10

    /// The number of pages with an open stream of patches.
    private var pageCount: Int { state.withLock { $0.pageCount } }

    func add(pages count: Int) { state.withLock { $0.pageCount += count } }

    /// Waits until it is the turn of this viewer to show what others have changed. It returns at once for up to 100 pages,
    /// while the viewer acts, and when the task is cancelled.
    func turn(of viewer: LiveViewer) async {
        guard pageCount > 100, !viewer.isActing(at: scheduler.now) else { return }
        let waiter = Waiter()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiter.wait(continuation)
                viewer.add(waiter)
                enqueue(waiter)
            }
        } onCancel: {
            waiter.release()
        }
    }

    private func enqueue(_ waiter: Waiter) {
        let isFirst = state.withLock { state in
            state.waiting.append(waiter)
            return state.waiting.count == 1
        }
        if isFirst { awaitTurns() }
    }

    /// One timer for all: one for each would cost more than what they show.
    private func awaitTurns() {
        _ = scheduler.scheduleRelative((), dueTime: Self.interval) { [weak self] in
            self?.giveTurns()
            return Disposables.create()
        }
    }

    private func giveTurns() {
        let (due, isLast) = state.withLock { state in
            let first = state.next
            var count = 0
            while state.next < state.waiting.count, count < Self.turnsAtOnce {
                // A viewer that has acted meanwhile, or whose task is cancelled, uses up no turn.
                if state.waiting[state.next].isWaiting { count += 1 }
                state.next += 1
            }
            let due = state.waiting[first..<state.next]
            if state.next > state.waiting.count / 2 {
                state.waiting.removeFirst(state.next)
                state.next = 0
            }
            return (due, state.waiting.isEmpty)
        }
        if !isLast { awaitTurns() }
        for waiter in due { waiter.release() }
    }

    // MARK: Loading

    /// What runs with the next beat of a clock that goes while there is something, and with the one behind it.
    @MainActor private var (soon, later): ([@MainActor () -> Void], [@MainActor () -> Void]) = ([], [])
    @MainActor private let beat = SerialDisposable()

    /// Calls `action` after 20 to 40 ms.
    @MainActor
    func afterMoment(_ action: @escaping @MainActor () -> Void) {
        later.append(action)
        if soon.isEmpty, later.count == 1 { awaitBeat() }
    }

    @MainActor
    private func awaitBeat() {
        beat.disposable = Driver.just(()).delay(Self.interval).drive(onNext: { [weak self] in
            guard let self else { return }
            let due = soon
            (soon, later) = (later, [])
            if !soon.isEmpty { awaitBeat() }
            for action in due { action() }
        })
    }
}

/// The user of a session, as ``LivePace`` knows it.
final class LiveViewer: Sendable {
    private struct State {
        var lastAct = Date.distantPast
        var waiting: [Waiter] = []
    }

    private let state = Mutex(State())
    /// The seconds in which an act shows its result, the pause of a search field and a query included.
    private static let act = 0.6

    /// Whether the user has just acted.
    fileprivate func isActing(at time: Date) -> Bool {
        time.timeIntervalSince(state.withLock { $0.lastAct }) <= Self.act
    }

    /// Notes that the user acts: what waits for its turn is shown now, before the result of the act.
    func act(at time: Date) {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.lastAct = time
            return state.waiting
        }
        for waiter in waiting { waiter.release() }
    }

    fileprivate func add(_ waiter: Waiter) {
        state.withLock { state in
            state.waiting.removeAll { !$0.isWaiting }
            state.waiting.append(waiter)
        }
    }
}

/// A viewer that waits for one turn.
private final class Waiter: Sendable {
    private enum State {
        case new
        case waiting(CheckedContinuation<Void, Never>)
        case released
    }

    private let state = Mutex(State.new)

    var isWaiting: Bool { state.withLock { if case .waiting = $0 { true } else { false } } }

    func wait(_ continuation: CheckedContinuation<Void, Never>) {
        let isReleased = state.withLock { state in
            if case .released = state { return true }
            state = .waiting(continuation)
            return false
        }
        if isReleased { continuation.resume() }
    }

    func release() {
        let waiting: CheckedContinuation<Void, Never>? = state.withLock { state in
            defer { state = .released }
            if case .waiting(let continuation) = state { return continuation }
            return nil
        }
        waiting?.resume()
    }
}
