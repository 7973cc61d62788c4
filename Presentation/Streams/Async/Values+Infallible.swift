extension InfallibleType {
    /// An asynchronous sequence of the elements that does not throw, and ends when its task is cancelled; otherwise
    /// like ``ObservableConvertibleType/values``.
    ///
    /// ```swift
    /// for await number in Infallible.of(1, 2, 3).values { print(number) }    // prints 1 2 3
    /// ```
    public var values: AsyncStream<Element> { infallibleValues() }

    /// Returns an asynchronous sequence that does not throw; otherwise like
    /// ``ObservableConvertibleType/values(buffering:)``.
    public func values(buffering: ValueBuffering) -> BufferedValues<Element, Never> { infallibleValues(buffering) }
}

extension SharedSequenceConvertibleType {
    /// An asynchronous sequence of the elements that does not throw, and ends when its task is cancelled; otherwise
    /// like ``ObservableConvertibleType/values``.
    ///
    /// ```swift
    /// for await title in viewModel.title.values { label.text = title }
    /// ```
    public var values: AsyncStream<Element> { infallibleValues() }

    /// Returns an asynchronous sequence that does not throw; otherwise like
    /// ``ObservableConvertibleType/values(buffering:)``.
    public func values(buffering: ValueBuffering) -> BufferedValues<Element, Never> { infallibleValues(buffering) }
}

extension ObservableConvertibleType {
    /// The elements of a stream that cannot fail.
    fileprivate func infallibleValues() -> AsyncStream<Element> {
        AsyncStream { continuation in
            let subscription = asObservable().subscribe(
                onNext: { continuation.yield($0) },
                onCompleted: { continuation.finish() },
                onDisposed: { continuation.finish() })
            continuation.onTermination = { _ in subscription.dispose() }
        }
    }

    fileprivate func infallibleValues(_ buffering: ValueBuffering) -> BufferedValues<Element, Never> {
        let buffer = ValueBuffer<Element, Never>(buffering, whenCancelled: .success(nil))
        let subscription = asObservable().subscribe(onNext: buffer.add, onDisposed: { buffer.finish(nil) })
        return BufferedValues(buffer, subscription)
    }
}
