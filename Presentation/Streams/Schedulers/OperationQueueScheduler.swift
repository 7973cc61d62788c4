public import Foundation

/// A scheduler that runs work on an operation queue, concurrently as far as the queue permits.
///
/// Use it to limit the number of concurrent work items (`maxConcurrentOperationCount`) or to suspend all of them.
///
/// ```swift
/// let queue = OperationQueue()
/// queue.maxConcurrentOperationCount = 2
/// let readers = OperationQueueScheduler(operationQueue: queue)
/// Observable.from(files).flatMap { $0.lines().subscribe(on: readers) }    // reads at most two files at a time
/// ```
public final class OperationQueueScheduler: ImmediateSchedulerType {
    /// The queue on which work runs.
    public let operationQueue: OperationQueue
    /// The priority of the work within the queue.
    public let queuePriority: Operation.QueuePriority

    /// Creates a scheduler for `operationQueue`.
    ///
    /// - Parameters:
    ///   - operationQueue: The queue on which work runs.
    ///   - queuePriority: The priority of the work within the queue.
    public init(operationQueue: OperationQueue, queuePriority: Operation.QueuePriority = .normal) {
        self.operationQueue = operationQueue
        self.queuePriority = queuePriority
    }

    /// Runs `action` as an operation of the queue, unless the returned disposable is disposed before.
    @preconcurrency
    public func schedule<StateType: Sendable>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        let work = ScheduledWork(state, action)
        let operation = BlockOperation { work.run() }
        operation.queuePriority = queuePriority
        operationQueue.addOperation(operation)
        return work
    }
}
