/// The upstream side of an operator that sends streams, such as `groupBy` and `window`: the source stays subscribed
/// while anyone listens to the result or to one of the streams it sent.
@usableFromInline
final class Branching: Sendable {
    private let upstream: RefCountDisposable

    /// What disposing `chain` is to spare while a branch is subscribed.
    @usableFromInline
    init(below chain: Chain, disposing upstream: any Disposable) {
        self.upstream = RefCountDisposable(disposable: upstream)
        chain.attach(self.upstream)
    }

    /// The elements of `subject`; listening to them keeps the source.
    @inlinable
    func branch<Element: Sendable>(of subject: PublishSubject<Element>) -> Observable<Element> {
        Observable(run: { [self] sink in
            let chain = Chain { sink.chain.finish($0) }
            sink.chain.attach(CompositeDisposable(chain, retain()))
            subject.run(Sink(chain, next: sink.next))
        })
    }

    @usableFromInline
    func retain() -> any Disposable { upstream.retain() }
}
