/// The chains of the sources of one operator, and other disposables of the same lifetime, disposed together in
/// insertion order.
@usableFromInline
final class Upstreams: DisposeBase, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

    /// `nil` once disposed.
    private let contents: Mutex<[any Disposable]?>

    /// Creates an empty collection that `downstream` disposes.
    @usableFromInline
    init(of downstream: Chain) {
        contents = Mutex([])
        super.init()
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
    override func dispose() {
        let contents = contents.withLock { $0.take() }
        for disposable in contents ?? [] { disposable.dispose() }
    }
}
