import Samples
import Streams
import Synchronization

extension StreamsBenchmarks {
    /// A task that reads: each element finds it waiting, wakes it, and it waits again.
    ///
    /// The task runs on an executor that is drained between elements, on the thread that sends, so that what is
    /// measured is the way from `onNext` to the loop's body and not the system's threads.
    static func values<E: Sample>(_ report: inout Report, _: E.Type) async throws {
        try await reading(&report, "values", E.self) { subject, total in
            for try await element in subject.values { total.add(sample: element) }
        }
        try await reading(&report, "valuesBuffering", E.self) { subject, total in
            for try await element in subject.values(buffering: .unbounded) { total.add(sample: element) }
        }
    }

    private static func reading<E: Sample>(
        _ report: inout Report, _ shape: String, _: E.Type,
        _ read: @escaping @Sendable (PublishSubject<E>, Total) async throws -> Void
    ) async throws {
        let totals = Totals()
        try await compare(&report, shape, E.self, count: 20_000, totals) { count in
            let executor = DrainedExecutor()
            let subject = PublishSubject<E>()
            let task = Task(executorPreference: executor) { try await read(subject, totals.streams) }
            executor.drain()
            for number in 0..<count {
                subject.onNext(E.sample(number))
                executor.drain()
            }
            subject.onCompleted()
            executor.drain()
            task.cancel()
        } hand: { count in
            let executor = DrainedExecutor()
            let subject = HandSubject<E>()
            let (stream, continuation) = AsyncThrowingStream<E, any Error>.makeStream()
            let key = subject.add { continuation.yield($0) }
            let task = Task(executorPreference: executor) {
                for try await element in stream { totals.hand.add(sample: element) }
            }
            executor.drain()
            for number in 0..<count {
                subject.send(E.sample(number))
                executor.drain()
            }
            subject.remove(key)
            continuation.finish()
            executor.drain()
            task.cancel()
        }
    }
}

/// Runs the jobs of its tasks on request, on the requesting thread.
private final class DrainedExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    func drain() {
        while let job = jobs.withLock({ $0.popLast() }) {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
