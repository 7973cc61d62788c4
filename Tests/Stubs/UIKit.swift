// The declarations of UIKit that the library and its article use, with the signatures and the isolation that Apple
// documents, and no implementation: what uses them is type-checked where there is no UIKit.

@_exported public import Foundation
@_exported public import ObjectiveC

// On Linux, Foundation has others, which are not of Objective-C.
public typealias NSObject = ObjectiveC.NSObject
public typealias NSObjectProtocol = ObjectiveC.NSObjectProtocol

@MainActor open class UIResponder: NSObject {}

@MainActor open class UIView: UIResponder {
    public init(frame: CGRect) { fatalError() }
    open var isHidden: Bool {
        get { fatalError() }
        set {}
    }
    open var alpha: Double {
        get { fatalError() }
        set {}
    }
    open var isUserInteractionEnabled: Bool {
        get { fatalError() }
        set {}
    }
    open func addSubview(_ view: UIView) {}
}

@MainActor open class UIViewController: UIResponder {
    public init(nibName: String?, bundle: Bundle?) { fatalError() }
    public required init?(coder: NSCoder) { fatalError() }
    open var view: UIView! {
        get { fatalError() }
        set {}
    }
    open var title: String? {
        get { fatalError() }
        set {}
    }
    open var children: [UIViewController] { fatalError() }
    open func addChild(_ childController: UIViewController) {}
    open func didMove(toParent parent: UIViewController?) {}
    open func viewDidLoad() {}
    open func viewWillAppear(_ animated: Bool) {}
    open func viewDidAppear(_ animated: Bool) {}
    open func viewWillDisappear(_ animated: Bool) {}
}

@MainActor open class UIAction {
    public struct Identifier: Hashable, Sendable {}
    public init(handler: @escaping @MainActor (UIAction) -> Void) {}
    open var identifier: Identifier { fatalError() }
}

@MainActor open class UIControl: UIView {
    public struct Event: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { fatalError() }
        public static var touchUpInside: Event { fatalError() }
        public static var valueChanged: Event { fatalError() }
        public static var allEditingEvents: Event { fatalError() }
    }

    open var isEnabled: Bool {
        get { fatalError() }
        set {}
    }
    open func addAction(_ action: UIAction, for controlEvents: Event) {}
    open func removeAction(identifiedBy actionIdentifier: UIAction.Identifier, for controlEvents: Event) {}
}

@MainActor open class UIButton: UIControl {}

@MainActor open class UITextField: UIControl {
    open var text: String? {
        get { fatalError() }
        set {}
    }
}

@MainActor open class UISegmentedControl: UIControl {
    open var selectedSegmentIndex: Int {
        get { fatalError() }
        set {}
    }
}

@MainActor open class UISwitch: UIControl {
    open var isOn: Bool {
        get { fatalError() }
        set {}
    }
}

@MainActor open class UISlider: UIControl {
    open var value: Float {
        get { fatalError() }
        set {}
    }
}

@MainActor open class UIStepper: UIControl {
    open var value: Double {
        get { fatalError() }
        set {}
    }
}

@MainActor open class UIDatePicker: UIControl {
    open var date: Date {
        get { fatalError() }
        set {}
    }
}

@MainActor open class UIRefreshControl: UIControl {
    open func beginRefreshing() {}
    open func endRefreshing() {}
}

@MainActor open class UILabel: UIView {
    open var text: String? {
        get { fatalError() }
        set {}
    }
}

@MainActor open class UIActivityIndicatorView: UIView {
    open func startAnimating() {}
    open func stopAnimating() {}
}

@MainActor open class UIScrollView: UIView {
    open var refreshControl: UIRefreshControl? {
        get { fatalError() }
        set {}
    }
}

@MainActor open class UITextView: UIScrollView {
    public static nonisolated let textDidChangeNotification = Notification.Name("UITextViewTextDidChangeNotification")
    open var text: String! {
        get { fatalError() }
        set {}
    }
}

@MainActor open class UIPageControl: UIControl {
    open var currentPage: Int {
        get { fatalError() }
        set {}
    }
}

@MainActor open class UICollectionViewCell: UIView {}

@MainActor open class UICollectionView: UIScrollView {}

@MainActor @preconcurrency
open class UICollectionViewDiffableDataSource<
    SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
> {
    public typealias CellProvider =
        @MainActor (
            _ collectionView: UICollectionView, _ indexPath: IndexPath, _ itemIdentifier: ItemIdentifierType
        ) -> UICollectionViewCell?

    public init(collectionView: UICollectionView, cellProvider: @escaping CellProvider) {}
    open nonisolated func apply(
        _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
        animatingDifferences: Bool = true, completion: (@MainActor () -> Void)? = nil
    ) {}
}

@MainActor open class UITableViewCell: UIView {
    open var textLabel: UILabel? { fatalError() }
}

@MainActor open class UITableView: UIScrollView {
    open func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {}
    open func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> UITableViewCell {
        fatalError()
    }
}

@preconcurrency
public struct NSDiffableDataSourceSnapshot<
    SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: Sendable {
    public init() { fatalError() }
    public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {}
    public mutating func appendItems(
        _ identifiers: [ItemIdentifierType], toSection sectionIdentifier: SectionIdentifierType? = nil
    ) {}
}

@MainActor @preconcurrency
open class UITableViewDiffableDataSource<
    SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
> {
    public typealias CellProvider =
        @MainActor (
            _ tableView: UITableView, _ indexPath: IndexPath, _ itemIdentifier: ItemIdentifierType
        ) -> UITableViewCell?

    public init(tableView: UITableView, cellProvider: @escaping CellProvider) {}
    open nonisolated func apply(
        _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
        animatingDifferences: Bool = true, completion: (@MainActor () -> Void)? = nil
    ) {}
}
