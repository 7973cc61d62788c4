/// Ways to make a ``Disposable``.
public struct Disposables {
    private init() {}
}

extension Disposables {
    /// Nothing to dispose.
    public static func create() -> any Disposable { NopDisposable.shared }

    /// Runs `dispose` when it is disposed, once.
    @preconcurrency
    public static func create(with dispose: @escaping @Sendable () -> Void) -> any Cancelable {
        AnonymousDisposable(dispose)
    }

    /// Disposes both.
    public static func create(_ disposable1: any Disposable, _ disposable2: any Disposable) -> any Cancelable {
        CompositeDisposable(disposable1, disposable2)
    }

    /// Disposes all three.
    public static func create(
        _ disposable1: any Disposable, _ disposable2: any Disposable, _ disposable3: any Disposable
    ) -> any Cancelable {
        CompositeDisposable(disposable1, disposable2, disposable3)
    }

    /// Disposes them all.
    public static func create(_ disposables: any Disposable...) -> any Cancelable {
        CompositeDisposable(disposables: disposables)
    }

    /// Disposes them all.
    public static func create(_ disposables: [any Disposable]) -> any Cancelable {
        CompositeDisposable(disposables: disposables)
    }
}
