extension ObservableConvertibleType {
    /// An asynchronous sequence of the elements, which throws the error with which the stream fails.
    ///
    /// - Accessing the property subscribes. Elements are buffered without a limit until they are requested; see
    ///   ``values(buffering:)`` for a limited buffer.
    /// - Cancelling the iterating task disposes the subscription. After the buffered elements the iteration throws
    ///   `CancellationError`, so that cancellation is not mistaken for completion.
    /// - Releasing the sequence disposes the subscription.
    ///
    /// ```swift
    /// for try await number in Observable.of(1, 2, 3).values { print(number) }    // prints 1 2 3
    /// ```
    public var values: AsyncThrowingStream<Element, any Error> {
        AsyncThrowingStream { continuation in
            let subscription = asObservable().subscribe(
                onNext: { continuation.yield($0) },
                onError: { continuation.finish(throwing: $0) },
                onCompleted: { continuation.finish() },
                onDisposed: { continuation.finish(throwing: CancellationError()) })
            continuation.onTermination = { _ in subscription.dispose() }
        }
    }

    /// Returns an asynchronous sequence of the elements with an explicit buffering policy for slow consumers.
    ///
    /// Otherwise like ``values``.
    ///
    /// ```swift
    /// let positions = tracker.positions.values(buffering: .latest)
    /// for try await position in positions { await draw(position) }    // slow, but never out of date
    /// print("\(positions.droppedCount) positions were not drawn")
    /// ```
    public func values(buffering: ValueBuffering) -> BufferedValues<Element, any Error> {
        let buffer = ValueBuffer<Element, any Error>(buffering, whenCancelled: .failure(CancellationError()))
        let subscription = asObservable().subscribe(
            onNext: buffer.add, onError: buffer.finish, onCompleted: { buffer.finish(nil) })
        return BufferedValues(buffer, subscription)
    }
}

/// The buffering policy for elements that arrive faster than they are requested.
///
/// ```swift
/// let subject = PublishSubject<Int>()
/// let values = subject.values(buffering: .bounded(2, .dropNewest))
/// for number in 1...3 { subject.onNext(number) }
/// subject.onCompleted()
/// for try await value in values { print(value) }    // prints 1 2
/// ```
public enum ValueBuffering: Sendable, Hashable {
    /// Keep all elements, however slow the consumer is.
    case unbounded
    /// Keep only the latest element, and drop those before it.
    case latest
    /// Keep at most this number of elements, at least one.
    case bounded(Int, Overflow)

    /// The element to drop when the buffer is full.
    ///
    /// ```swift
    /// let values = Observable.of(1, 2, 3).values(buffering: .bounded(2, .dropOldest))
    /// for try await value in values { print(value) }    // prints 2 3
    /// ```
    public enum Overflow: Sendable, Hashable {
        /// The oldest buffered element is dropped for the new one.
        case dropOldest
        /// The element that has just arrived is dropped.
        case dropNewest
    }
}
