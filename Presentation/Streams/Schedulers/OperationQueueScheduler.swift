public import Foundation

/// Runs work on an operation queue, as many pieces at a time as that allows.
///
/// For work that is to be limited in number (`maxConcurrentOperationCount`) or suspended as a whole.
public final class OperationQueueScheduler: ImmediateSchedulerType {
    /// Where work runs.
    public let operationQueue: OperationQueue
    /// How urgent work is among the operations of the queue.
    public let queuePriority: Operation.QueuePriority

    /// Runs work on `operationQueue`.
    ///
    /// - Parameters:
    ///   - operationQueue: Where work runs.
    ///   - queuePriority: How urgent it is among the operations there.
    public init(operationQueue: OperationQueue, queuePriority: Operation.QueuePriority = .normal) {
        self.operationQueue = operationQueue
        self.queuePriority = queuePriority
    }

    /// Runs `action` as an operation.
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
