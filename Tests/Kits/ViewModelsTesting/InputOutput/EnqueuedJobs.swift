import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Counts the tasks that this thread starts on the global executor, by the hook that the concurrency runtime has for it.
///
/// Where the runtime has no such hook, it counts none. Tasks on the main actor and on other actors do not pass there.
enum EnqueuedJobs {
    private typealias Enqueue = @convention(thin) (UnsafeRawPointer) -> Void
    private typealias Hook = @convention(thin) (UnsafeRawPointer, Enqueue) -> Void

    private static let count = Atomic(0)
    /// The thread that is watched; 0 for none. One at a time: whoever counts is on the main actor.
    private static let watched = Atomic<UInt>(0)

    /// Installed once, for the life of the process: it hands every job on and counts those of the watched thread.
    private static let isInstalled: Bool = {
        guard let symbol = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "swift_task_enqueueGlobal_hook") else {
            return false
        }
        let hook = symbol.assumingMemoryBound(to: Hook?.self)
        // Whoever has set a hook before keeps it.
        guard hook.pointee == nil else { return false }
        hook.pointee = { job, enqueue in
            if EnqueuedJobs.watched.load(ordering: .relaxed) == EnqueuedJobs.thisThread {
                EnqueuedJobs.count.add(1, ordering: .relaxed)
            }
            enqueue(job)
        }
        return true
    }()

    private static var thisThread: UInt {
        #if canImport(Darwin)
            UInt(bitPattern: pthread_self())
        #else
            UInt(pthread_self())
        #endif
    }

    /// Runs `body`, and returns how many jobs this thread has enqueued meanwhile.
    @MainActor
    static func counted<Result>(_ body: () -> Result) -> (result: Result, count: Int) {
        guard isInstalled else { return (body(), 0) }
        count.store(0, ordering: .relaxed)
        watched.store(thisThread, ordering: .relaxed)
        defer { watched.store(0, ordering: .relaxed) }
        let result = body()
        return (result, count.load(ordering: .relaxed))
    }
}
