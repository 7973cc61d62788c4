/// The chains of the sources of one operator, and other disposables of the same lifetime, disposed together in
/// insertion order.
@usableFromInline
final class Upstreams: DisposeBase {
    private let resource = Resources.Counted()
    /// `nil` once disposed.
    private let contents: Mutex<[any Disposable]?>

    @usableFromInline
    init(of downstream: Chain) {
        contents = Mutex([])
        downstream.attach(self)
    }

    /// Adds a chain, before its source is connected, or another disposable.
    @usableFromInline
    func add(_ disposable: any Disposable) {
        let isDisposed = contents.withLock { contents in
            contents?.append(disposable)
            return contents == nil
        }
        if isDisposed { disposable.dispose() }
    }

    @usableFromInline
    func dispose() {
        let contents = contents.withLock { $0.take() }
        for disposable in contents ?? [] { disposable.dispose() }
    }
}
