internal import Dispatch
#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

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

    /// Returns whether files have changed since the last call.
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
