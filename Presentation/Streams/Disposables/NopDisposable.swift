/// A disposable that does nothing.
final class NopDisposable: DisposeBase, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

    static let shared = NopDisposable()

    #if DEBUG
        private override init() {
            super.init()
            Resources.decrementTotal()  // there is one for the whole process
        }
    #endif
}
