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

    private struct Entry {
        let number: UInt64
        var disposable: any Disposable
    }

    private struct Contents {
        /// In insertion order, so the numbers increase. A disposable that is removed before many others leaves a ``Gap``,
        /// until half of the entries are gaps.
        var entries: [Entry] = []
        var nextNumber: UInt64 = 0
        var gaps = 0

        mutating func remove(_ number: UInt64) -> (any Disposable)? {
            var index = 0
            if entries.first?.number != number {
                var end = entries.count
                while index < end {
                    let middle = (index + end) / 2
                    if entries[middle].number < number { index = middle + 1 } else { end = middle }
                }
            }
            guard index < entries.count, entries[index].number == number else { return nil }
            if entries.count - index > 32 { return replaceByGap(index) }
            let removed = entries.remove(at: index).disposable
            guard gaps > 0, removed is Gap else { return removed }
            gaps -= 1
            return nil
        }

        private mutating func replaceByGap(_ index: Int) -> (any Disposable)? {
            let removed = entries[index].disposable
            if gaps > 0, removed is Gap { return nil }
            entries[index].disposable = Gap.shared
            gaps += 1
            if gaps > entries.count / 2 {
                entries.removeAll { $0.disposable is Gap }
                gaps = 0
            }
            return removed
        }
    }

    /// The place of a removed disposable.
    private final class Gap: Disposable {
        static let shared = Gap()

        func dispose() {}
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
        let entries = disposables.enumerated().map { Entry(number: UInt64($0.offset), disposable: $0.element) }
        contents = Mutex(Contents(entries: entries, nextNumber: UInt64(disposables.count)))
    }

    public var isDisposed: Bool { contents.withLock { $0 == nil } }

    /// The number of disposables in the group; 0 after disposal.
    public var count: Int { contents.withLock { $0.map { $0.entries.count - $0.gaps } ?? 0 } }

    /// Inserts a disposable. If the group is disposed already, the disposable is disposed immediately.
    ///
    /// - Returns: The key to remove it with; `nil` if the group is disposed already.
    @discardableResult
    public func insert(_ disposable: any Disposable) -> DisposeKey? {
        let key = contents.withLock { contents -> DisposeKey? in
            guard let number = contents?.nextNumber else { return nil }
            contents?.nextNumber = number + 1
            contents?.entries.append(Entry(number: number, disposable: disposable))
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
        let removed = contents.withLock { $0?.remove(disposeKey.number) }
        removed?.dispose()
    }

    /// Disposes all disposables of the group. Disposables that are inserted later are disposed immediately.
    public func dispose() {
        let contents = contents.withLock { $0.take() }
        for entry in contents?.entries ?? [] { entry.disposable.dispose() }
    }
}
