/// The elements of a stream as an asynchronous sequence, with a buffer of which it is known what it keeps.
///
/// For one task to iterate over: each element goes to one call of `next()`.
public struct BufferedValues<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
    private let buffer: ValueBuffer<Element, Failure>
    private let subscription: OwnedDisposable

    init(_ buffer: ValueBuffer<Element, Failure>, _ subscription: any Disposable) {
        self.buffer = buffer
        self.subscription = OwnedDisposable(subscription)
    }

    /// How many elements were dropped so far because the buffer was full.
    public var droppedCount: Int { buffer.droppedCount }

    /// Asks for the elements one by one.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let buffer: ValueBuffer<Element, Failure>
        let subscription: OwnedDisposable

        /// The next element, once there is one; `nil` after the last. When the task is cancelled, `CancellationError` is
        /// thrown, or where the stream cannot fail, the sequence ends.
        public mutating func next() async throws(Failure) -> Element? {
            try await next(isolation: nil)
        }

        /// The next element, once there is one; `nil` after the last. When the task is cancelled, `CancellationError` is
        /// thrown, or where the stream cannot fail, the sequence ends.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
            try await buffer.next(subscription).get()
        }
    }

    /// Continues where iteration stopped: there is only one.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(buffer: buffer, subscription: subscription)
    }
}

/// A disposable that is disposed when it is let go.
final class OwnedDisposable: Sendable {
    private let disposable: any Disposable

    init(_ disposable: any Disposable) {
        self.disposable = disposable
    }

    func dispose() { disposable.dispose() }

    deinit { disposable.dispose() }
}

/// Elements that wait to be asked for, or a task that waits for one.
final class ValueBuffer<Element: Sendable, Failure: Error>: Sendable {
    typealias Answer = Result<Element?, Failure>

    private struct State {
        var elements = Queue<Element>()
        var end: Answer?
        var waiter: Promise<Answer>?
        var droppedCount = 0
    }

    private let limit: Int
    private let dropsNewest: Bool
    /// What a task hears that is cancelled while it waits.
    private let whenCancelled: Answer
    private let state = Mutex(State())

    init(_ buffering: ValueBuffering, whenCancelled: Answer) {
        self.whenCancelled = whenCancelled
        switch buffering {
        case .unbounded: (limit, dropsNewest) = (.max, false)
        case .latest: (limit, dropsNewest) = (1, false)
        case .bounded(let limit, let overflow):
            precondition(limit > 0, "a buffer of values holds at least one")
            (self.limit, dropsNewest) = (limit, overflow == .dropNewest)
        }
    }

    var droppedCount: Int { state.withLock { $0.droppedCount } }

    /// Hands the element to the task that waits, or keeps it.
    func add(_ element: Element) {
        let (waiter, dropped) = state.withLock { state -> (Promise<Answer>?, Element?) in
            if let waiter = state.waiter.take() { return (waiter, nil) }
            if state.end != nil { return (nil, nil) }
            var dropped: Element?
            if state.elements.count == limit {
                state.droppedCount += 1
                if dropsNewest { return (nil, nil) }
                dropped = state.elements.popFirst()
            }
            state.elements.append(element)
            return (nil, dropped)
        }
        withExtendedLifetime(dropped) {}  // released after the lock
        waiter?.resolve(.success(.success(element)))
    }

    /// No more elements come: after an error, or `nil` for a good end.
    func finish(_ error: Failure?) {
        let end = error.map(Answer.failure) ?? .success(nil)
        let waiter = state.withLock { state -> Promise<Answer>? in
            if state.end == nil { state.end = end }
            // The error is thrown once; after that the sequence is over.
            if state.waiter != nil { state.end = .success(nil) }
            return state.waiter.take()
        }
        waiter?.resolve(.success(end))
    }

    /// The next element, the error, or `nil` at the end; `whenCancelled` when the task is cancelled, which disposes
    /// `subscription`.
    func next(_ subscription: OwnedDisposable) async -> Result<Element?, Failure> {
        let waiter = Promise<Answer>()
        let ready = state.withLock { state -> Answer? in
            if let element = state.elements.popFirst() { return .success(element) }
            if let end = state.end {
                state.end = .success(nil)
                return end
            }
            precondition(state.waiter == nil, "two tasks iterate over the values of one subscription")
            state.waiter = waiter
            return nil
        }
        if let ready { return ready }
        do {
            return try await waiter.value {
                self.finish(nil)
                subscription.dispose()
            }
        } catch {
            return whenCancelled
        }
    }
}
