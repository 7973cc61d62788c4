// NB: on Linux, where there is no UIKit, a test type-checks this file with declarations of what it uses. Properties that
// can be set, such as `label.rx.text` and `button.rx.isEnabled`, need no code: `Reactive` has a binder for each.
#if canImport(UIKit) && !os(watchOS)
public import UIKit

extension Reactive where Base: NSObject {
    /// Emits once, when the object has been released, and completes.
    @MainActor public var deallocated: Observable<Void> { base.companion(Lifetime.init).end.asObservable() }
}

extension Reactive where Base: NSObject & Sendable {
    /// The events that `start` begins to send. It runs on the main actor, on which the stream must be subscribed, and the
    /// stream completes when the object is released.
    @MainActor
    func events<Element: Sendable>(
        _ start: @escaping @MainActor @Sendable (Base, AnyObserver<Element>) -> any Disposable
    ) -> Observable<Element> {
        Observable.create { [weak base] observer in
            MainActor.assumeIsolated { base.map { start($0, observer) } ?? Disposables.create() }
        }
        .take(until: deallocated)
    }

    /// A value that is read on subscription and after each of these events.
    @MainActor
    func property<Value: Sendable>(
        changing events: Observable<Void>, getter: @escaping @MainActor @Sendable (Base) -> Value,
        setter: @escaping @MainActor @Sendable (Base, Value) -> Void
    ) -> ControlProperty<Value> {
        let values = events.startWith(()).compactMap { [weak base] _ in
            base.map { base in MainActor.assumeIsolated { getter(base) } }
        }
        return ControlProperty(values: values, valueSink: Binder(base, binding: setter))
    }
}

extension NSObject {
    /// The object of this type that this object retains; `make` creates it at the first call.
    @MainActor
    func companion<Companion: AnyObject>(_ make: () -> Companion) -> Companion {
        // The address of the type's metadata: each type has one, which stays.
        let key = UnsafeRawPointer(bitPattern: UInt(bitPattern: ObjectIdentifier(Companion.self)))!
        if let companion = objc_getAssociatedObject(self, key) as? Companion { return companion }
        let companion = make()
        objc_setAssociatedObject(self, key, companion, .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
        return companion
    }
}

/// The companion that announces the release of an object, by its own.
private final class Lifetime: Sendable {
    let end = AsyncSubject<Void>()

    deinit {
        end.onNext(())
        end.onCompleted()
    }
}

/// Runs `work` at once on the main thread, and later from another one.
func onMain(_ work: @escaping @MainActor @Sendable () -> Void) {
    ConcurrentMainScheduler.instance.run { MainActor.assumeIsolated(work) }
}

extension Reactive where Base: UIControl {
    /// Emits when the user does one of these things. Completes when the control is released.
    @MainActor
    public func controlEvent(_ events: UIControl.Event) -> ControlEvent<Void> {
        ControlEvent(events: actions(for: events))
    }

    /// A value that the user changes: emits the current value on subscription, and then one for each of these events.
    ///
    /// - Parameters:
    ///   - events: The events after which the value is read.
    ///   - getter: Reads the value.
    ///   - setter: Sets the value.
    @MainActor
    public func controlProperty<Value: Sendable>(
        editingEvents events: UIControl.Event, getter: @escaping @MainActor @Sendable (Base) -> Value,
        setter: @escaping @MainActor @Sendable (Base, Value) -> Void
    ) -> ControlProperty<Value> {
        property(changing: actions(for: events), getter: getter, setter: setter)
    }

    @MainActor
    private func actions(for events: UIControl.Event) -> Observable<Void> {
        self.events { control, observer in
            let action = UIAction { _ in observer.onNext(()) }
            control.addAction(action, for: events)
            let identifier = action.identifier
            return Disposables.create { [weak control] in
                onMain { control?.removeAction(identifiedBy: identifier, for: events) }
            }
        }
    }
}

extension Reactive where Base: UIButton {
    @MainActor public var tap: ControlEvent<Void> { controlEvent(.touchUpInside) }
}

extension Reactive where Base: UITextField {
    /// The text; it is never `nil` when it is read.
    @MainActor public var text: ControlProperty<String?> {
        controlProperty(editingEvents: [.allEditingEvents, .valueChanged], getter: { $0.text }) {
            // Setting an equal text would move the cursor.
            if $0.text != $1 { $0.text = $1 }
        }
    }
}

extension Reactive where Base: UITextView {
    /// The text; it is never `nil` when it is read.
    @MainActor public var text: ControlProperty<String?> {
        property(changing: posts(of: UITextView.textDidChangeNotification), getter: { $0.text }) {
            if $0.text != $1 { $0.text = $1 }
        }
    }

    @MainActor public var didBeginEditing: ControlEvent<Void> {
        ControlEvent(events: posts(of: UITextView.textDidBeginEditingNotification))
    }

    @MainActor public var didEndEditing: ControlEvent<Void> {
        ControlEvent(events: posts(of: UITextView.textDidEndEditingNotification))
    }

    @MainActor
    private func posts(of name: Notification.Name) -> Observable<Void> {
        events { view, observer in
            let token = NotificationToken(
                NotificationCenter.default.addObserver(forName: name, object: view, queue: nil) { _ in
                    observer.onNext(())
                })
            return Disposables.create { NotificationCenter.default.removeObserver(token.token) }
        }
    }
}

/// `@unchecked Sendable`: it is only passed to `removeObserver`, which any thread may call.
private struct NotificationToken: @unchecked Sendable {
    let token: Any

    init(_ token: Any) {
        self.token = token
    }
}

extension Reactive where Base: UIPageControl {
    @MainActor public var currentPage: ControlProperty<Int> {
        controlProperty(editingEvents: .valueChanged, getter: { $0.currentPage }) { $0.currentPage = $1 }
    }
}

extension Reactive where Base: UISegmentedControl {
    @MainActor public var selectedSegmentIndex: ControlProperty<Int> {
        controlProperty(editingEvents: .valueChanged, getter: { $0.selectedSegmentIndex }) {
            $0.selectedSegmentIndex = $1
        }
    }
}

#if !os(tvOS)
extension Reactive where Base: UISwitch {
    @MainActor public var isOn: ControlProperty<Bool> {
        controlProperty(editingEvents: .valueChanged, getter: { $0.isOn }) { $0.isOn = $1 }
    }
}

extension Reactive where Base: UISlider {
    @MainActor public var value: ControlProperty<Float> {
        controlProperty(editingEvents: .valueChanged, getter: { $0.value }) { $0.value = $1 }
    }
}

extension Reactive where Base: UIStepper {
    @MainActor public var value: ControlProperty<Double> {
        controlProperty(editingEvents: .valueChanged, getter: { $0.value }) { $0.value = $1 }
    }
}

extension Reactive where Base: UIDatePicker {
    @MainActor public var date: ControlProperty<Date> {
        controlProperty(editingEvents: .valueChanged, getter: { $0.date }) { $0.date = $1 }
    }
}

extension Reactive where Base: UIRefreshControl {
    /// Shows and hides the spinner. The user's pull is `controlEvent(.valueChanged)`.
    @MainActor public var isRefreshing: Binder<Bool> {
        Binder(base) { $1 ? $0.beginRefreshing() : $0.endRefreshing() }
    }
}
#endif

extension Reactive where Base: UIActivityIndicatorView {
    @MainActor public var isAnimating: Binder<Bool> {
        Binder(base) { $1 ? $0.startAnimating() : $0.stopAnimating() }
    }
}

extension Reactive where Base: UIViewController {
    /// Emits whether the appearance is animated, each time before the view appears.
    @MainActor public var viewWillAppear: ControlEvent<Bool> { appearance { $0.willAppear } }
    /// Emits whether the appearance is animated, each time after the view has appeared.
    @MainActor public var viewDidAppear: ControlEvent<Bool> { appearance { $0.didAppear } }
    /// Emits whether the disappearance is animated, each time before the view disappears.
    @MainActor public var viewWillDisappear: ControlEvent<Bool> { appearance { $0.willDisappear } }

    @MainActor
    private func appearance(
        _ relay: @escaping @MainActor @Sendable (AppearanceObserver) -> PublishRelay<Bool>
    ) -> ControlEvent<Bool> {
        ControlEvent(events: events { relay(AppearanceObserver.of($0)).subscribe($1) })
    }
}

/// A child without a visible view: UIKit forwards each appearance of its parent to it.
private final class AppearanceObserver: UIViewController {
    let willAppear = PublishRelay<Bool>(), didAppear = PublishRelay<Bool>(), willDisappear = PublishRelay<Bool>()

    /// The observer of a view controller, which it retains as a child.
    static func of(_ parent: UIViewController) -> AppearanceObserver {
        if let observer = parent.children.lazy.compactMap({ $0 as? AppearanceObserver }).first { return observer }
        let observer = AppearanceObserver(nibName: nil, bundle: nil)
        parent.addChild(observer)
        observer.view.isHidden = true
        observer.view.isUserInteractionEnabled = false
        parent.view.addSubview(observer.view)
        observer.didMove(toParent: parent)
        return observer
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        willAppear.accept(animated)
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        didAppear.accept(animated)
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        willDisappear.accept(animated)
    }
}
#endif
