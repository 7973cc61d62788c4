/// Disposes what it holds when it is itself let go.
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
/// To dispose early, replace the bag with a new one.
public final class DisposeBag: Sendable {
    /// `nil` once disposed.
    private let disposables = Mutex<[any Disposable]?>([])

    /// An empty bag.
    public init() {}

    /// A bag that holds these.
    public convenience init(disposing disposables: any Disposable...) {
        self.init()
        insert(disposables)
    }

    /// A bag that holds these.
    public convenience init(disposing disposables: [any Disposable]) {
        self.init()
        insert(disposables)
    }

    /// A bag that holds what the builder lists.
    public convenience init(@DisposableBuilder builder: () -> [any Disposable]) {
        self.init()
        insert(builder())
    }

    /// Adds a disposable, to be disposed with the bag.
    public func insert(_ disposable: any Disposable) {
        disposables.withLock { disposables in
            // Most bags get a few: one allocation, instead of one for each power of two.
            if disposables?.isEmpty == true { disposables?.reserveCapacity(4) }
            disposables?.append(disposable)
        }
    }

    /// Adds disposables, to be disposed with the bag.
    public func insert(_ disposables: any Disposable...) {
        insert(disposables)
    }

    /// Adds disposables, to be disposed with the bag.
    public func insert(_ disposables: [any Disposable]) {
        self.disposables.withLock { $0?.append(contentsOf: disposables) }
    }

    /// Adds what the builder lists.
    public func insert(@DisposableBuilder builder: () -> [any Disposable]) {
        insert(builder())
    }

    deinit {
        let disposables = disposables.withLock { $0.take() }
        for disposable in disposables ?? [] { disposable.dispose() }
    }

    /// Lists disposables, one a line.
    @resultBuilder
    public struct DisposableBuilder {
        /// Collects the lines.
        public static func buildBlock(_ disposables: any Disposable...) -> [any Disposable] { disposables }
    }
}

extension Disposable {
    /// Leaves it to `bag` to dispose this.
    public func disposed(by bag: DisposeBag) {
        bag.insert(self)
    }
}
