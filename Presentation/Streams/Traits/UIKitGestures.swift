#if canImport(UIKit) && !os(watchOS)
public import UIKit

extension Reactive where Base: UIBarButtonItem {
    /// The taps. The stream takes the place of the target and the action of the item.
    @MainActor public var tap: ControlEvent<Void> {
        ControlEvent(
            events: events { item, observer in
                let target = item.companion(ActionTarget.init)
                (item.target, item.action) = (target, #selector(ActionTarget.act))
                return target.actions.subscribe(observer)
            })
    }
}

extension Reactive where Base: UIGestureRecognizer {
    /// Emits the recognizer each time that it calls its targets: once for a discrete gesture, and for each change of state
    /// or place of a continuous one.
    @MainActor public var event: ControlEvent<Base> {
        ControlEvent(
            events: events { recognizer, observer in
                let target = recognizer.companion {
                    let target = ActionTarget()
                    recognizer.addTarget(target, action: #selector(ActionTarget.act))
                    return target
                }
                return target.actions.compactMap { [weak recognizer] in recognizer }.subscribe(observer)
            })
    }
}

/// The companion that is the target of its object.
@MainActor
private final class ActionTarget: NSObject {
    nonisolated let actions = PublishRelay<Void>()

    @objc func act() { actions.accept(()) }
}

extension Reactive where Base: UIView {
    /// Taps on the view: emits the recognizer, whose state is `.ended`.
    ///
    /// Each subscription adds a recognizer to the view, which then reacts to touches also if it is a label or an image, and
    /// removes it at its end. The recognizer lets others recognize at the same time; `configuration` changes that, and how
    /// many taps or fingers it takes.
    ///
    /// ```swift
    /// photo.rx.tapGesture { $0.numberOfTapsRequired = 2 }.bind(with: self) { screen, _ in screen.like() }
    /// ```
    @MainActor
    public func tapGesture(
        configuration: @escaping @MainActor @Sendable (UITapGestureRecognizer) -> Void = { _ in }
    ) -> ControlEvent<UITapGestureRecognizer> { gesture(UITapGestureRecognizer.init, configuration) }

    /// Long presses on the view: `.when(.began)` is the moment at which one is recognized. Otherwise like `tapGesture`.
    @MainActor
    public func longPressGesture(
        configuration: @escaping @MainActor @Sendable (UILongPressGestureRecognizer) -> Void = { _ in }
    ) -> ControlEvent<UILongPressGestureRecognizer> { gesture(UILongPressGestureRecognizer.init, configuration) }

    /// A finger that moves on the view, from `.began` through each `.changed` to `.ended`. Otherwise like `tapGesture`.
    @MainActor
    public func panGesture(
        configuration: @escaping @MainActor @Sendable (UIPanGestureRecognizer) -> Void = { _ in }
    ) -> ControlEvent<UIPanGestureRecognizer> { gesture(UIPanGestureRecognizer.init, configuration) }

    /// Swipes in one of these directions. Otherwise like `tapGesture`.
    @MainActor
    public func swipeGesture(
        _ direction: UISwipeGestureRecognizer.Direction,
        configuration: @escaping @MainActor @Sendable (UISwipeGestureRecognizer) -> Void = { _ in }
    ) -> ControlEvent<UISwipeGestureRecognizer> {
        gesture(UISwipeGestureRecognizer.init) {
            $0.direction = direction
            configuration($0)
        }
    }

    #if !os(tvOS)
    /// Two fingers that move towards or away from each other. Otherwise like `tapGesture`.
    @MainActor
    public func pinchGesture(
        configuration: @escaping @MainActor @Sendable (UIPinchGestureRecognizer) -> Void = { _ in }
    ) -> ControlEvent<UIPinchGestureRecognizer> { gesture(UIPinchGestureRecognizer.init, configuration) }
    #endif

    @MainActor
    private func gesture<Recognizer: UIGestureRecognizer>(
        _ make: @escaping @MainActor @Sendable () -> Recognizer,
        _ configure: @escaping @MainActor @Sendable (Recognizer) -> Void
    ) -> ControlEvent<Recognizer> {
        ControlEvent(
            events: events { view, observer in
                let recognizer = make()
                recognizer.delegate = SimultaneousRecognition.shared
                configure(recognizer)
                view.addGestureRecognizer(recognizer)
                view.isUserInteractionEnabled = true
                let subscription = recognizer.rx.event.subscribe(observer)
                // The view alone retains the recognizer.
                return Disposables.create { [weak view, weak recognizer] in
                    subscription.dispose()
                    onMain { if let recognizer { view?.removeGestureRecognizer(recognizer) } }
                }
            })
    }
}

private final class SimultaneousRecognition: NSObject, UIGestureRecognizerDelegate {
    static let shared = SimultaneousRecognition()

    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer,
        shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool { true }
}

extension ControlEventType where Element: UIGestureRecognizer {
    /// The recognizer when it is in one of these states.
    public func when(_ states: UIGestureRecognizer.State...) -> ControlEvent<Element> {
        ControlEvent(
            events: asObservable().filter { recognizer in
                // The event of a control arrives on the main thread.
                MainActor.assumeIsolated { states.contains(recognizer.state) }
            })
    }
}
#endif
