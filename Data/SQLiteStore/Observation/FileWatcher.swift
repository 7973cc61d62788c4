internal import Dispatch

/// Calls a handler soon after files have changed, and periodically.
///
/// While files change, and for one second afterwards, the handler is called at short intervals, because changes by
/// other processes may become visible with a delay. After that the watcher waits for a notification of the operating
/// system and calls the handler once a second, for file systems whose notifications are incomplete. Without
/// notifications the short intervals continue.
///
/// `@unchecked Sendable`: mutable state is accessed only on `queue`.
final class FileWatcher: @unchecked Sendable {
    private let queue: DispatchQueue
    private let interval: Int
    private let onChange: @Sendable () -> Void
    private let paths: [String]
    private var timer: (any DispatchSourceTimer)?
    private var events: FileEventSource?
    private var ticksLeft = 0
    private var isCancelled = false

    /// The quiet period before the watcher sleeps, and the polling interval while it does, in nanoseconds.
    private static let second = 1_000_000_000

    init(paths: [String], interval: Duration, queue: DispatchQueue, _ onChange: @escaping @Sendable () -> Void) {
        self.paths = paths
        self.queue = queue
        self.onChange = onChange
        // At least 1 millisecond, and at most what fits the type.
        self.interval = Int(min(max(interval / .nanoseconds(1), 1e6), 1e18))
    }

    /// Starts watching. The caller must keep a reference until `cancel`.
    func start() {
        queue.async { [self] in
            guard !isCancelled else { return }
            events = FileEventSource(paths: paths, queue: queue) { [weak self] in self?.filesChanged() }
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.setEventHandler { [weak self] in self?.tick() }
            self.timer = timer
            startTimer()
            timer.activate()
        }
    }

    /// Stops watching. The handler may still be called once.
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
        startTimer()
    }

    private func startTimer() {
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
