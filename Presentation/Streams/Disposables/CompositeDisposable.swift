/// Disposables that are disposed together, in the order in which they were inserted.
public final class CompositeDisposable: DisposeBase, Cancelable, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

    /// Names one disposable, to remove it again.
    public struct DisposeKey: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private struct Contents {
        var disposables: [(number: UInt64, disposable: any Disposable)] = []
        var nextNumber: UInt64 = 0
    }

    /// `nil` once disposed.
    private let contents: Mutex<Contents?>

    /// Without any disposables.
    public override init() {
        contents = Mutex(Contents())
    }

    /// With two disposables.
    public convenience init(_ disposable1: any Disposable, _ disposable2: any Disposable) {
        self.init(disposables: [disposable1, disposable2])
    }

    /// With three disposables.
    public convenience init(
        _ disposable1: any Disposable, _ disposable2: any Disposable, _ disposable3: any Disposable
    ) {
        self.init(disposables: [disposable1, disposable2, disposable3])
    }

    /// With four disposables or more.
    public convenience init(
        _ disposable1: any Disposable, _ disposable2: any Disposable, _ disposable3: any Disposable,
        _ disposable4: any Disposable, _ disposables: any Disposable...
    ) {
        self.init(disposables: [disposable1, disposable2, disposable3, disposable4] + disposables)
    }

    /// With these disposables.
    public init(disposables: [any Disposable]) {
        let numbered = disposables.enumerated().map { (number: UInt64($0.offset), disposable: $0.element) }
        contents = Mutex(Contents(disposables: numbered, nextNumber: UInt64(disposables.count)))
    }

    /// Whether it was disposed.
    public var isDisposed: Bool { contents.withLock { $0 == nil } }

    /// The number of disposables that are waiting to be disposed.
    public var count: Int { contents.withLock { $0?.disposables.count ?? 0 } }

    /// Adds a disposable.
    ///
    /// - Returns: The key to remove it with; `nil` when all this was disposed already, and the disposable with it.
    @discardableResult
    public func insert(_ disposable: any Disposable) -> DisposeKey? {
        let key = contents.withLock { contents -> DisposeKey? in
            guard let number = contents?.nextNumber else { return nil }
            contents?.nextNumber = number + 1
            contents?.disposables.append((number, disposable))
            return DisposeKey(number: number)
        }
        if key == nil { disposable.dispose() }
        return key
    }

    /// Takes the disposable out and disposes it.
    public func remove(for disposeKey: DisposeKey) {
        let removed = contents.withLock { contents -> (any Disposable)? in
            guard let index = contents?.disposables.firstIndex(where: { $0.number == disposeKey.number }) else {
                return nil
            }
            return contents?.disposables.remove(at: index).disposable
        }
        removed?.dispose()
    }

    /// Disposes them all, and from now on whatever is inserted.
    public override func dispose() {
        let contents = contents.withLock { $0.take() }
        for (_, disposable) in contents?.disposables ?? [] { disposable.dispose() }
    }
}
