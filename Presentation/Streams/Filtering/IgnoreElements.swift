extension ObservableType {
    /// Emits only the terminal event of the stream.
    ///
    /// ```swift
    /// Observable.of(1, 2).ignoreElements()    // |
    /// ```
    @inlinable
    public func ignoreElements() -> Observable<Never> {
        let source = asObservable()
        return Observable(connect: { sink in
            source.connect(Sink(sink.chain) { _ in })
        })
    }
}
