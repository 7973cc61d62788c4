/// An observer that does something with a target, on the main thread: what user interface code is bound to.
///
/// - The target is not kept alive; once it is gone, elements are ignored.
/// - Completion is ignored. An error is a mistake in the program, for there is nothing to show: it goes to
///   ``Hooks/defaultErrorHandler``.
///
/// ```swift
/// extension Reactive where Base: Label {
///     var text: Binder<String> { Binder(base) { label, text in label.text = text } }
/// }
/// ```
@preconcurrency
public struct Binder<Value: Sendable>: ObserverType {
    /// The type of the elements.
    public typealias Element = Value

    private let binding: @Sendable (Event<Value>) -> Void

    /// Calls `binding` with the target and each element on the main actor: at once if that is where the element
    /// comes, else later.
    ///
    /// - Parameters:
    ///   - target: What the binding writes to; not kept alive.
    ///   - scheduler: The main scheduler.
    ///   - binding: A main-actor function: it reaches views, labels and the like without a hop.
    @preconcurrency
    public init<Target: AnyObject & Sendable>(
        _ target: Target, scheduler: MainScheduler = MainScheduler.instance,
        binding: @escaping @MainActor @Sendable (Target, Value) -> Void
    ) {
        self.init(target, scheduler: scheduler as any ImmediateSchedulerType) { target, value in
            MainActor.assumeIsolated { binding(target, value) }
        }
    }

    /// Calls `binding` with the target and each element on `scheduler`.
    @preconcurrency
    public init<Target: AnyObject & Sendable>(
        _ target: Target, scheduler: any ImmediateSchedulerType,
        binding: @escaping @Sendable (Target, Value) -> Void
    ) {
        let reference = WeakReference(target)
        self.binding = { event in
            switch event {
            case .next(let element):
                // The work is not to be stopped once the element was heard: its handle is let go.
                _ = scheduler.schedule(element) { element in
                    if let target = reference.object { binding(target, element) }
                    return Disposables.create()
                }
            case .error(let error): Hooks.handle(error, [])
            case .completed: break
            }
        }
    }

    /// Does with the target what the binding says.
    public func on(_ event: Event<Value>) {
        binding(event)
    }

    /// This observer, by the type of its elements alone.
    public func asObserver() -> AnyObserver<Value> {
        AnyObserver(eventHandler: on)
    }
}
