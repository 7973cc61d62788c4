/// A group of disposables that are disposed together, in insertion order.
///
/// ```swift
/// let group = CompositeDisposable()
/// group.insert(Disposables.create { print("first") })
/// group.insert(Disposables.create { print("second") })
/// group.dispose()                                         // prints first second
/// group.insert(Disposables.create { print("third") })     // prints third
/// ```
public final class CompositeDisposable: DisposeBase, Cancelable {
    private let resource = Resources.Counted()
    /// Identifies an inserted disposable, to remove it later.
    public struct DisposeKey: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private struct Contents {
        var disposables: [(number: UInt64, disposable: any Disposable)] = []
        var nextNumber: UInt64 = 0
    }

    /// `nil` once disposed.
    private let contents: Mutex<Contents?>

    public init() { contents = Mutex(Contents()) }

    public convenience init(_ disposable1: any Disposable, _ disposable2: any Disposable) {
        self.init(disposables: [disposable1, disposable2])
    }

    public convenience init(
        _ disposable1: any Disposable, _ disposable2: any Disposable, _ disposable3: any Disposable
    ) { self.init(disposables: [disposable1, disposable2, disposable3]) }

    public convenience init(
        _ disposable1: any Disposable, _ disposable2: any Disposable, _ disposable3: any Disposable,
        _ disposable4: any Disposable, _ disposables: any Disposable...
    ) { self.init(disposables: [disposable1, disposable2, disposable3, disposable4] + disposables) }

    public init(disposables: [any Disposable]) {
        let numbered = disposables.enumerated().map { (number: UInt64($0.offset), disposable: $0.element) }
        contents = Mutex(Contents(disposables: numbered, nextNumber: UInt64(disposables.count)))
    }

    public var isDisposed: Bool { contents.withLock { $0 == nil } }

    /// The number of disposables in the group; 0 after disposal.
    public var count: Int { contents.withLock { $0?.disposables.count ?? 0 } }

    /// Inserts a disposable. If the group is disposed already, the disposable is disposed immediately.
    ///
    /// - Returns: The key to remove it with; `nil` if the group is disposed already.
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

    /// Removes the disposable from the group and disposes it.
    ///
    /// ```swift
    /// let group = CompositeDisposable()
    /// let key = group.insert(Disposables.create { print("removed") })
    /// if let key { group.remove(for: key) }    // prints removed
    /// print(group.count)                       // prints 0
    /// ```
    public func remove(for disposeKey: DisposeKey) {
        let removed = contents.withLock { contents -> (any Disposable)? in
            guard let index = contents?.disposables.firstIndex(where: { $0.number == disposeKey.number }) else {
                return nil
            }
            return contents?.disposables.remove(at: index).disposable
        }
        removed?.dispose()
    }

    /// Disposes all disposables of the group. Disposables that are inserted later are disposed immediately.
    public func dispose() {
        let contents = contents.withLock { $0.take() }
        for (_, disposable) in contents?.disposables ?? [] { disposable.dispose() }
    }
}
