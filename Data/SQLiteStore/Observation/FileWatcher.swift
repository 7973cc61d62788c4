internal import Dispatch

/// Calls a function soon after a file has changed, and now and then without a reason.
///
/// While files change, and for a second after that, it is called in intervals: what others do to a file may become visible
/// some time after they have written to it. Then the system is asked to say when they change again, and the function is
/// called once a second, for file systems on which the system does not hear of everything. Where it hears of nothing, the
/// intervals never end.
///
/// `@unchecked Sendable`: what changes is read and written on `queue` only.
final class FileWatcher: @unchecked Sendable {
    private let queue: DispatchQueue
    private let interval: Int
    private let onChange: @Sendable () -> Void
    private let paths: [String]
    private var timer: (any DispatchSourceTimer)?
    private var events: FileEventSource?
    private var ticksLeft = 0
    private var isCancelled = false

    /// How long nothing has to change, and how long the alarm sleeps then, in nanoseconds.
    private static let second = 1_000_000_000

    init(paths: [String], interval: Duration, queue: DispatchQueue, _ onChange: @escaping @Sendable () -> Void) {
        self.paths = paths
        self.queue = queue
        self.onChange = onChange
        // Never without a pause, and no longer than the number can say.
        self.interval = Int(min(max(interval / .nanoseconds(1), 1e6), 1e18))
    }

    /// Begins; the timer keeps the alarm until it is cancelled.
    func start() {
        queue.async { [self] in
            guard !isCancelled else { return }
            events = FileEventSource(paths: paths, queue: queue) { [weak self] in self?.filesChanged() }
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.setEventHandler { [weak self] in self?.tick() }
            self.timer = timer
            beginTicking()
            timer.activate()
        }
    }

    /// Ends it. The function may be called once more.
    func cancel() {
        queue.async { [self] in
            isCancelled = true
            timer?.cancel()
            events?.cancel()
            (timer, events) = (nil, nil)
        }
    }

    private func filesChanged() {
        onChange()
        beginTicking()
    }

    private func beginTicking() {
        ticksLeft = max(Self.second / interval, 1)
        events?.pause()
        schedule(every: interval)
    }

    private func tick() {
        onChange()
        guard let events else { return }
        if events.takeChanges() {
            ticksLeft = max(Self.second / interval, 1)
        } else if ticksLeft > 0 {
            ticksLeft -= 1
            if ticksLeft == 0 {
                schedule(every: max(interval, Self.second))
                events.resume()
            }
        }
    }

    private func schedule(every nanoseconds: Int) {
        timer?.schedule(
            deadline: .now() + .nanoseconds(nanoseconds), repeating: .nanoseconds(nanoseconds),
            leeway: .nanoseconds(nanoseconds / 4))
    }
}
