// NB: on Linux, where there is no UIKit, a test type-checks this file with declarations of what it uses. Properties that
// can be set, such as `label.rx.text` and `button.rx.isEnabled`, need no code: `Reactive` has a binder for each.
#if canImport(UIKit) && !os(watchOS)
public import UIKit

extension Reactive where Base: UIControl {
    /// Emits when the user does one of these things. Completes when the control is released.
    @MainActor
    public func controlEvent(_ events: UIControl.Event) -> ControlEvent<Void> {
        ControlEvent(events: base.actions(for: events))
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
        let values = base.actions(for: events).startWith(()).compactMap { [weak base] _ in
            base.map { base in MainActor.assumeIsolated { getter(base) } }
        }
        return ControlProperty(values: values, valueSink: Binder(base, binding: setter))
    }
}

extension UIControl {
    /// Subscribed on the main thread, by a control event or a control property.
    fileprivate func actions(for events: UIControl.Event) -> Observable<Void> {
        .create { [weak self] observer in
            MainActor.assumeIsolated {
                guard let control = self else {
                    observer.onCompleted()
                    return Disposables.create()
                }
                // The control alone retains it.
                let lifetime = Lifetime(observer.onCompleted)
                let action = UIAction { _ in withExtendedLifetime(lifetime) { observer.onNext(()) } }
                control.addAction(action, for: events)
                let identifier = action.identifier
                return Disposables.create { [weak self] in
                    onMain { self?.removeAction(identifiedBy: identifier, for: events) }
                }
            }
        }
    }
}

/// Calls a function when it is released.
private final class Lifetime: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    deinit { end() }
}

/// Runs `work` at once on the main thread, and later from another one.
private func onMain(_ work: @escaping @MainActor @Sendable () -> Void) {
    // What was begun is not cancelled, so its handle is dropped.
    _ = ConcurrentMainScheduler.instance.schedule(()) {
        MainActor.assumeIsolated(work)
        return Disposables.create()
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
        let edits = Observable<Void>.create { [weak base] observer in
            MainActor.assumeIsolated {
                let token = NotificationToken(
                    NotificationCenter.default.addObserver(
                        forName: UITextView.textDidChangeNotification, object: base, queue: nil
                    ) { _ in observer.onNext(()) })
                return Disposables.create { NotificationCenter.default.removeObserver(token.token) }
            }
        }
        let texts = edits.startWith(()).compactMap { [weak base] _ in
            base.map { base in MainActor.assumeIsolated { base.text as String? } }
        }
        return ControlProperty(values: texts, valueSink: Binder(base) { if $0.text != $1 { $0.text = $1 } })
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

extension Reactive where Base: UITableView {
    /// Shows each list of items that arrives, with the insertions, deletions and moves animated. The cell of an item that
    /// stays is not made again; let an item be all that its cell shows.
    ///
    /// ```swift
    /// output.titles.drive(table.rx.items { table, indexPath, title in … }).disposed(by: bag)
    /// ```
    @MainActor
    public func items<Item: Hashable & Sendable>(
        _ cell: @escaping @MainActor (UITableView, IndexPath, Item) -> UITableViewCell
    ) -> Binder<[Item]> {
        // The table does not retain its data source; the binding does.
        let source = UITableViewDiffableDataSource<Int, Item>(tableView: base) { cell($0, $1, $2) }
        return Binder(base) { _, items in source.apply(.of(items), animatingDifferences: true) }
    }
}

extension Reactive where Base: UICollectionView {
    /// Shows each list of items that arrives, as `items` of a table does.
    @MainActor
    public func items<Item: Hashable & Sendable>(
        _ cell: @escaping @MainActor (UICollectionView, IndexPath, Item) -> UICollectionViewCell
    ) -> Binder<[Item]> {
        let source = UICollectionViewDiffableDataSource<Int, Item>(collectionView: base) { cell($0, $1, $2) }
        return Binder(base) { _, items in source.apply(.of(items), animatingDifferences: true) }
    }
}

extension NSDiffableDataSourceSnapshot where SectionIdentifierType == Int {
    /// One section with these items.
    fileprivate static func of(_ items: [ItemIdentifierType]) -> Self {
        var snapshot = Self()
        snapshot.appendSections([0])
        snapshot.appendItems(items)
        return snapshot
    }
}

extension Reactive where Base: UIViewController {
    /// Emits whether the appearance is animated, each time before the view appears.
    @MainActor public var viewWillAppear: ControlEvent<Bool> { appearance { $0.willAppear } }
    /// Emits whether the appearance is animated, each time after the view has appeared.
    @MainActor public var viewDidAppear: ControlEvent<Bool> { appearance { $0.didAppear } }
    /// Emits whether the disappearance is animated, each time before the view disappears.
    @MainActor public var viewWillDisappear: ControlEvent<Bool> { appearance { $0.willDisappear } }

    private func appearance(
        _ events: @escaping @MainActor @Sendable (AppearanceObserver) -> PublishRelay<Bool>
    ) -> ControlEvent<Bool> {
        ControlEvent(
            events: Observable.deferred { [weak base] in
                MainActor.assumeIsolated {
                    base.map { events(AppearanceObserver.of($0)).asObservable() } ?? .empty()
                }
            })
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
