internal import Dispatch
#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// What the system says of changes to some files. It is used on one queue only.
///
/// Paused, it calls nobody, and can be asked. It begins so.
final class FileEventSource {
    private let sources: [any DispatchSourceProtocol]
    private let take: () -> Bool
    private var isPaused = true

    /// Nil where the system does not tell of any of the files.
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
            // NB: Only files that carry no locks: closing a descriptor of a database would drop SQLite's locks on it.
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
            // A file without one would be looked at once a second only.
            guard !sources.isEmpty, sources.count * 2 == paths.count else {
                for source in sources {
                    source.resume()
                    source.cancel()
                }
                return nil
            }
        #endif
    }

    /// Whether files have changed since the last time.
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

    /// Gives the descriptors back. A source that is suspended must not be let go.
    func cancel() {
        resume()
        for source in sources { source.cancel() }
    }
}
