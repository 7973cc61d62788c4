internal import Dispatch

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

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

/// Change notifications of the operating system for a set of files. Use it on a single queue.
///
/// It is created in the paused state, in which it calls no handler and changes can be polled.
final class FileEventSource {
    private let sources: [any DispatchSourceProtocol]
    private let take: () -> Bool
    private var isPaused = true

    /// Returns nil if the system cannot monitor the files.
    init?(paths: [String], queue: DispatchQueue, _ changed: @escaping () -> Void) {
        #if os(Linux) || os(Android)
        let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        let mask = UInt32(IN_MODIFY) | UInt32(IN_ATTRIB) | UInt32(IN_MOVE_SELF) | UInt32(IN_DELETE_SELF)
        let watchCount = paths.count { inotify_add_watch(descriptor, $0, mask) >= 0 }
        guard watchCount > 0 else {
            close(descriptor)
            return nil
        }
        let take = {
            var buffer: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0, 0)
            var hasChanges = false
            while withUnsafeMutableBytes(of: &buffer, { read(descriptor, $0.baseAddress, $0.count) }) > 0 {
                hasChanges = true
            }
            return hasChanges
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { if take() { changed() } }
        source.setCancelHandler { close(descriptor) }
        (self.take, sources) = (take, [source])
        #else
        final class Flag {
            var isSet = false
        }
        let flag = Flag()
        // NB: Only files without locks: closing a descriptor of a database file would release SQLite's locks on it.
        sources = paths.filter { $0.hasSuffix("-wal") }.compactMap { path in
            let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            let source = DispatchSource.makeFileSystemObjectSource(
                fileDescriptor: descriptor, eventMask: [.write, .extend, .attrib, .delete, .rename], queue: queue)
            source.setEventHandler {
                flag.isSet = true
                changed()
            }
            source.setCancelHandler { close(descriptor) }
            return source
        }
        take = {
            defer { flag.isSet = false }
            return flag.isSet
        }
        // Without a notification for every file, polling once a second would be the only detection.
        guard !sources.isEmpty, sources.count * 2 == paths.count else {
            for source in sources {
                source.resume()
                source.cancel()
            }
            return nil
        }
        #endif
    }

    func takeChanges() -> Bool { take() }

    func pause() {
        guard !isPaused else { return }
        isPaused = true
        for source in sources { source.suspend() }
    }

    func resume() {
        guard isPaused else { return }
        isPaused = false
        for source in sources { source.resume() }
    }

    /// Closes the descriptors. A suspended dispatch source must not be released.
    func cancel() {
        resume()
        for source in sources { source.cancel() }
    }
}
