extension ObservableConvertibleType {
    /// The elements, as an asynchronous sequence that throws the error the stream ends with.
    ///
    /// - Subscribed at once; elements wait, any number of them, until they are asked for. See
    ///   ``values(buffering:)`` for a limit.
    /// - Cancelling the task that iterates disposes the subscription; after the elements that wait, the iteration
    ///   throws `CancellationError`, so that it is not mistaken for completion.
    /// - Letting go of the sequence disposes the subscription.
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

    /// The elements, as an asynchronous sequence that says what it loses when it is not asked fast enough.
    ///
    /// Otherwise as ``values``.
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

/// What to keep of elements that come faster than they are asked for.
public enum ValueBuffering: Sendable, Hashable {
    /// Keep all.
    case unbounded
    /// Keep the newest one.
    case latest
    /// Keep that many, at least one.
    case bounded(Int, Overflow)

    /// What to drop when the buffer is full.
    public enum Overflow: Sendable, Hashable {
        /// The element that has waited longest.
        case dropOldest
        /// The element that has just come.
        case dropNewest
    }
}
