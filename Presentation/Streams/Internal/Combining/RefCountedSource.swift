/// The reference-counted source of an operator that emits streams, such as `groupBy` and `window`: the source stays
/// subscribed while the result or one of the emitted streams has an observer.
@usableFromInline
final class RefCountedSource: Sendable {
    private let upstream: RefCountDisposable

    /// Disposing `chain` disposes `upstream` once no emitted stream is subscribed.
    @usableFromInline
    init(below chain: Chain, disposing upstream: any Disposable) {
        self.upstream = RefCountDisposable(disposable: upstream)
        chain.attach(self.upstream)
    }

    /// A stream of the elements of `subject`. Each of its subscriptions retains the source.
    @usableFromInline
    func stream<Element: Sendable>(of subject: PublishSubject<Element>) -> Observable<Element> {
        Observable(connect: { [self] sink in
            let chain = ForwardingChain(to: sink.chain)
            sink.chain.attach(DisposablePair(chain, retain()))
            subject.connect(sink.with(chain))
        })
    }

    private func retain() -> any Disposable { upstream.retain() }
}
