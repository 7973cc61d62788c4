#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Jobs in order of arrival, and the threads that are dedicated to them: started when first needed, up to a limit.
///
/// Each thread owns one connection, opened by the first job it meets and closed when the thread ends.
///
/// `@unchecked Sendable`: everything mutable is touched with `mutex` held only; connections never leave their thread.
final class JobQueue: @unchecked Sendable {
    /// What is done on a connection, or with the reason why there is none.
    typealias Job = @Sendable (Result<Connection, any Error>) -> Void

    private let open: @Sendable () throws -> Connection
    private let threadLimit: Int
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var jobs = FirstInFirstOut<Job>()
    private var threadCount = 0
    private var idleCount = 0
    private var isClosed = false
    private var whenEnded: (@Sendable () -> Void)?

    /// A queue without threads yet.
    init(threadLimit: Int, open: @escaping @Sendable () throws -> Connection) {
        self.threadLimit = threadLimit
        self.open = open
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Adds a job; false if the queue is closed.
    func add(_ job: @escaping Job) -> Bool {
        pthread_mutex_lock(mutex)
        if isClosed {
            pthread_mutex_unlock(mutex)
            return false
        }
        jobs.append(job)
        let startsThread = jobs.count > idleCount && threadCount < threadLimit
        if startsThread { threadCount += 1 }
        pthread_mutex_unlock(mutex)
        if startsThread { startThread() } else { pthread_cond_signal(condition) }
        return true
    }

    /// Lets the threads do the jobs that are waiting, and end; then, or at once if there are none, calls `whenEnded`.
    func close(whenEnded: @escaping @Sendable () -> Void) {
        pthread_mutex_lock(mutex)
        let isFirst = !isClosed
        isClosed = true
        if isFirst, threadCount > 0 { self.whenEnded = whenEnded }
        let hasEnded = threadCount == 0
        pthread_mutex_unlock(mutex)
        pthread_cond_broadcast(condition)
        if isFirst, hasEnded { whenEnded() }
    }

    private func startThread() {
        let context = Unmanaged.passRetained(self)
        #if canImport(Darwin)
            var thread: pthread_t?
            let code = pthread_create(&thread, nil, { JobQueue.main($0) }, context.toOpaque())
            if code == 0, let thread { pthread_detach(thread) }
        #else
            var thread = pthread_t()
            let code = pthread_create(&thread, nil, { JobQueue.main($0!) }, context.toOpaque())
            if code == 0 { pthread_detach(thread) }
        #endif
        if code != 0 {
            context.release()
            threadIsMissing(code)
        }
    }

    /// The jobs are left to the other threads; if there are none, they fail.
    private func threadIsMissing(_ code: Int32) {
        pthread_mutex_lock(mutex)
        threadCount -= 1
        var stranded: [Job] = []
        while threadCount == 0, let job = jobs.popFirst() { stranded.append(job) }
        pthread_mutex_unlock(mutex)
        let error = SQLiteError(.cannotOpen, "the system has no thread left for a connection (error \(code))")
        for job in stranded { job(.failure(error)) }
    }

    private static func main(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        Unmanaged<JobQueue>.fromOpaque(context).takeRetainedValue().serve()
        return nil
    }

    private func serve() {
        var connection: Connection?
        while let job = next() {
            do {
                let opened = try connection ?? open()
                connection = opened
                job(.success(opened))
            } catch {
                job(.failure(error))
            }
        }
        connection = nil
        pthread_mutex_lock(mutex)
        threadCount -= 1
        let whenEnded = threadCount == 0 ? self.whenEnded : nil
        if threadCount == 0 { self.whenEnded = nil }
        pthread_mutex_unlock(mutex)
        whenEnded?()
    }

    private func next() -> Job? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        idleCount += 1
        while jobs.isEmpty, !isClosed { pthread_cond_wait(condition, mutex) }
        idleCount -= 1
        return jobs.popFirst()
    }
}
