/// Disposes its disposables on deallocation.
///
/// ```swift
/// final class Screen {
///     let bag = DisposeBag()
///     init(_ titles: Observable<String>) {
///         titles.subscribe(onNext: { print($0) }).disposed(by: bag)   // ends with the screen
///     }
/// }
/// ```
///
/// To dispose earlier, replace the bag with a new one.
public final class DisposeBag: Sendable {
    /// `nil` once disposed.
    private let disposables = Mutex<[any DisposeBase]?>([])

    public init() {}

    public convenience init(disposing disposables: any Disposable...) {
        self.init()
        insert(disposables)
    }

    public convenience init(disposing disposables: [any Disposable]) {
        self.init()
        insert(disposables)
    }

    public convenience init(@DisposableBuilder builder: () -> [any Disposable]) {
        self.init()
        insert(builder())
    }

    /// Adds a disposable, which is disposed with the bag.
    public func insert(_ disposable: any Disposable) {
        let object = disposable.asObject
        disposables.withLock { disposables in
            // Most bags hold a few disposables: one allocation, instead of one for each power of two.
            if disposables?.isEmpty == true { disposables?.reserveCapacity(4) }
            disposables?.append(object)
        }
    }

    public func insert(_ disposables: any Disposable...) { insert(disposables) }

    public func insert(_ disposables: [any Disposable]) {
        let objects = disposables.map(\.asObject)
        self.disposables.withLock { $0?.append(contentsOf: objects) }
    }

    public func insert(@DisposableBuilder builder: () -> [any Disposable]) { insert(builder()) }

    deinit {
        let disposables = disposables.withLock { $0.take() }
        for disposable in disposables ?? [] { disposable.dispose() }
    }

    /// A result builder that lists disposables, one on each line.
    ///
    /// ```swift
    /// var bag = DisposeBag {
    ///     Disposables.create { print("a") }
    ///     Disposables.create { print("b") }
    /// }
    /// bag = DisposeBag()    // prints a b
    /// ```
    @resultBuilder
    public struct DisposableBuilder {
        /// Collects the disposables that a block lists, in order.
        public static func buildBlock(_ disposables: any Disposable...) -> [any Disposable] { disposables }
    }
}

extension Disposable {
    /// Adds this disposable to `bag`, which disposes it.
    ///
    /// ```swift
    /// var bag = DisposeBag()
    /// Disposables.create { print("disposed") }.disposed(by: bag)
    /// bag = DisposeBag()    // prints disposed
    /// ```
    public func disposed(by bag: DisposeBag) { bag.insert(self) }
}
