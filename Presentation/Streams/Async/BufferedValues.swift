/// An asynchronous sequence of the elements of a stream, with an explicit buffering policy.
///
/// One task iterates over it: each element is returned by one call of `next()`.
///
/// ```swift
/// let subject = PublishSubject<Int>()
/// let values = subject.values(buffering: .latest)
/// subject.onNext(1)
/// subject.onNext(2)
/// subject.onCompleted()
/// for try await value in values { print(value) }    // prints 2
/// print(values.droppedCount)                        // prints 1
/// ```
public struct BufferedValues<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
    private let buffer: ValueBuffer<Element, Failure>
    private let subscription: OwnedDisposable

    init(_ buffer: ValueBuffer<Element, Failure>, _ subscription: any Disposable) {
        self.buffer = buffer
        self.subscription = OwnedDisposable(subscription)
    }

    /// The number of elements that were dropped so far because the buffer was full.
    public var droppedCount: Int { buffer.droppedCount }

    /// An iterator over the elements.
    ///
    /// ```swift
    /// var iterator = Observable.of(1, 2).values(buffering: .unbounded).makeAsyncIterator()
    /// print(try await iterator.next() ?? 0)    // prints 1
    /// ```
    public struct AsyncIterator: AsyncIteratorProtocol {
        let buffer: ValueBuffer<Element, Failure>
        let subscription: OwnedDisposable

        /// Waits for the next element; returns `nil` after the last one. If the task is cancelled, throws
        /// `CancellationError`, or ends the sequence if the stream cannot fail.
        public mutating func next() async throws(Failure) -> Element? {
            try await next(isolation: nil)
        }

        /// Waits for the next element; returns `nil` after the last one. If the task is cancelled, throws
        /// `CancellationError`, or ends the sequence if the stream cannot fail.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
            try await buffer.next(subscription).get()
        }
    }

    /// Returns an iterator that continues where the previous one stopped: all iterators share one subscription.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(buffer: buffer, subscription: subscription)
    }
}

/// Disposes a disposable on deallocation.
final class OwnedDisposable: Sendable {
    private let disposable: any Disposable

    init(_ disposable: any Disposable) {
        self.disposable = disposable
    }

    func dispose() { disposable.dispose() }

    deinit { disposable.dispose() }
}

/// A queue of elements that are not requested yet, or a task that waits for one.
final class ValueBuffer<Element: Sendable, Failure: Error>: Sendable {
    typealias NextResult = Result<Element?, Failure>

    private struct State {
        var elements = Queue<Element>()
        var end: NextResult?
        var waiter: Promise<NextResult>?
        var droppedCount = 0
    }

    private let limit: Int
    private let dropsNewest: Bool
    /// The result for a task that is cancelled while it waits.
    private let whenCancelled: NextResult
    private let state = Mutex(State())

    init(_ buffering: ValueBuffering, whenCancelled: NextResult) {
        self.whenCancelled = whenCancelled
        switch buffering {
        case .unbounded: (limit, dropsNewest) = (.max, false)
        case .latest: (limit, dropsNewest) = (1, false)
        case .bounded(let limit, let overflow):
            precondition(limit > 0, "values(buffering:) requires a bound of at least 1, not \(limit)")
            (self.limit, dropsNewest) = (limit, overflow == .dropNewest)
        }
    }

    var droppedCount: Int { state.withLock { $0.droppedCount } }

    /// Resumes the waiting task with the element, or enqueues the element.
    func add(_ element: Element) {
        let (waiter, dropped) = state.withLock { state -> (Promise<NextResult>?, Element?) in
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

    /// Marks the end of the elements: with an error, or with `nil` on completion.
    func finish(_ error: Failure?) {
        let end = error.map(NextResult.failure) ?? .success(nil)
        let waiter = state.withLock { state -> Promise<NextResult>? in
            if state.end == nil { state.end = end }
            // The error is thrown once; after that the sequence is finished.
            if state.waiter != nil { state.end = .success(nil) }
            return state.waiter.take()
        }
        waiter?.resolve(.success(end))
    }

    /// Waits for the next element, the error, or `nil` at the end. If the task is cancelled, disposes `subscription`
    /// and returns `whenCancelled`.
    func next(_ subscription: OwnedDisposable) async -> Result<Element?, Failure> {
        let waiter = Promise<NextResult>()
        let ready = state.withLock { state -> NextResult? in
            if let element = state.elements.popFirst() { return .success(element) }
            if let end = state.end {
                state.end = .success(nil)
                return end
            }
            precondition(state.waiter == nil, "values(buffering:) supports only one iterating task")
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
