import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Counts the tasks that this thread starts on the global executor, through the hook of the concurrency runtime.
///
/// Without that hook in the runtime, it counts none. It does not see tasks on the main actor and on other actors.
enum EnqueuedJobs {
    private typealias Enqueue = @convention(thin) (UnsafeRawPointer) -> Void
    private typealias Hook = @convention(thin) (UnsafeRawPointer, Enqueue) -> Void

    private static let count = Atomic(0)
    /// The observed thread; 0 for none. One at a time, because callers are on the main actor.
    private static let watched = Atomic<UInt>(0)

    /// Installed once, for the life of the process: it forwards every job and counts those of the observed thread.
    private static let isInstalled: Bool = {
        guard let symbol = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "swift_task_enqueueGlobal_hook") else {
            return false
        }
        let hook = symbol.assumingMemoryBound(to: Hook?.self)
        // An existing hook is kept.
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

    /// Runs `body`, and returns how many jobs this thread enqueued during it.
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
