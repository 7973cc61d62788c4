/// Nothing to give up.
final class NopDisposable: DisposeBase, @unchecked Sendable {
    static let shared = NopDisposable()
}
