/// Nothing to give up.
final class NopDisposable: DisposeBase, @unchecked Sendable {
    static let shared = NopDisposable()

    #if DEBUG
        private override init() {
            super.init()
            Resources.decrementTotal()  // there is one for the whole process
        }
    #endif
}
