/// Factory methods for disposables.
///
/// ```swift
/// let both = Disposables.create(Disposables.create { print("a") }, Disposables.create { print("b") })
/// both.dispose()    // prints a b
/// ```
public struct Disposables {
    private init() {}
}

extension Disposables {
    /// Creates a disposable whose disposal does nothing. All calls return the same object.
    public static func create() -> any Disposable { NopDisposable.shared }

    /// Creates a disposable that calls `dispose` once, on disposal.
    ///
    /// ```swift
    /// let disposable = Disposables.create { print("disposed") }
    /// disposable.dispose()    // prints disposed
    /// ```
    @preconcurrency
    public static func create(with dispose: @escaping @Sendable () -> Void) -> any Cancelable {
        AnonymousDisposable(dispose)
    }

    /// Creates a disposable that disposes both disposables.
    ///
    /// ```swift
    /// let timer = Disposables.create { print("timer") }
    /// let request = Disposables.create { print("request") }
    /// Disposables.create(timer, request).dispose()    // prints timer request
    /// ```
    public static func create(_ disposable1: any Disposable, _ disposable2: any Disposable) -> any Cancelable {
        CompositeDisposable(disposable1, disposable2)
    }

    /// Creates a disposable that disposes the three disposables.
    public static func create(
        _ disposable1: any Disposable, _ disposable2: any Disposable, _ disposable3: any Disposable
    ) -> any Cancelable {
        CompositeDisposable(disposable1, disposable2, disposable3)
    }

    /// Creates a disposable that disposes all of the disposables.
    public static func create(_ disposables: any Disposable...) -> any Cancelable {
        CompositeDisposable(disposables: disposables)
    }

    /// Creates a disposable that disposes all of the disposables.
    public static func create(_ disposables: [any Disposable]) -> any Cancelable {
        CompositeDisposable(disposables: disposables)
    }
}
