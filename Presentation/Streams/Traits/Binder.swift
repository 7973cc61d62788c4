/// An observer that applies each element to a target on the main thread: the destination of bindings to user interface
/// code.
///
/// - The target is not retained; after its deallocation, elements are ignored.
/// - Completion is ignored. An error is a programming error, because the target cannot handle it: it is passed to
///   ``Hooks/defaultErrorHandler``.
///
/// ```swift
/// extension Reactive where Base: Label {
///     var text: Binder<String> { Binder(base) { label, text in label.text = text } }
/// }
/// ```
@preconcurrency
public struct Binder<Value: Sendable>: ObserverType {
    public typealias Element = Value

    private let binding: @Sendable (Event<Value>) -> Void

    /// Creates a binder that calls `binding` with the target and each element on the main actor: immediately if the
    /// element arrives there, otherwise later.
    ///
    /// - Parameters:
    ///   - target: The object that the binding changes. It is not retained.
    ///   - scheduler: The main scheduler.
    ///   - binding: A main-actor function, which can access views and other main-actor state directly.
    @preconcurrency
    public init<Target: AnyObject & Sendable>(
        _ target: Target, scheduler: MainScheduler = MainScheduler.instance,
        binding: @escaping @MainActor @Sendable (Target, Value) -> Void
    ) {
        self.init(target, scheduler: scheduler as any ImmediateSchedulerType) { target, value in
            MainActor.assumeIsolated { binding(target, value) }
        }
    }

    @preconcurrency
    public init<Target: AnyObject & Sendable>(
        _ target: Target, scheduler: any ImmediateSchedulerType,
        binding: @escaping @Sendable (Target, Value) -> Void
    ) {
        let reference = WeakReference(target)
        self.binding = { event in
            switch event {
            case .next(let element):
                // An accepted element is always applied, so the handle of the work is dropped.
                _ = scheduler.schedule(element) { element in
                    if let target = reference.object { binding(target, element) }
                    return Disposables.create()
                }
            case .error(let error): Hooks.handle(error, [])
            case .completed: break
            }
        }
    }

    public func on(_ event: Event<Value>) { binding(event) }

    public func asObserver() -> AnyObserver<Value> { AnyObserver(eventHandler: on) }
}
