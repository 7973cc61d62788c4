/// A disposable that does nothing: one object for the whole process, which is not counted as a resource.
final class NopDisposable: Disposable {
    static let shared = NopDisposable()

    private init() {}

    func dispose() {}
}
