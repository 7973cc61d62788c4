// The declarations of UIKit that the library and its article use, with the signatures and the isolation that Apple
// documents, and no implementation: what uses them is type-checked where there is no UIKit.

@_exported public import Foundation
@_exported public import ObjectiveC

// On Linux, Foundation has others, which are not of Objective-C.
public typealias NSObject = ObjectiveC.NSObject
public typealias NSObjectProtocol = ObjectiveC.NSObjectProtocol

@MainActor open class UIResponder: NSObject {
    @discardableResult open func resignFirstResponder() -> Bool { fatalError() }
}

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
    open var bounds: CGRect {
        get { fatalError() }
        set {}
    }
    open func addSubview(_ view: UIView) {}
    open func addGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {}
    open func removeGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {}
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
    open var navigationItem: UINavigationItem { fatalError() }
    open var navigationController: UINavigationController? { fatalError() }
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

@MainActor @objc public protocol UIScrollViewDelegate: NSObjectProtocol {
    @objc optional func scrollViewDidScroll(_ scrollView: UIScrollView)
}

@MainActor open class UIScrollView: UIView {
    open weak var delegate: (any UIScrollViewDelegate)?
    open var contentOffset: CGPoint {
        get { fatalError() }
        set {}
    }
    open var contentSize: CGSize {
        get { fatalError() }
        set {}
    }
    open var adjustedContentInset: UIEdgeInsets { fatalError() }
    open var refreshControl: UIRefreshControl? {
        get { fatalError() }
        set {}
    }
}

public struct UIEdgeInsets: Sendable {
    public var top: CGFloat, left: CGFloat, bottom: CGFloat, right: CGFloat
}

@MainActor open class UITextView: UIScrollView {
    public static nonisolated let textDidBeginEditingNotification = Notification.Name("UITextViewTextDidBeginEditing")
    public static nonisolated let textDidChangeNotification = Notification.Name("UITextViewTextDidChange")
    public static nonisolated let textDidEndEditingNotification = Notification.Name("UITextViewTextDidEndEditing")
    open var text: String! {
        get { fatalError() }
        set {}
    }
}

@MainActor @objc public protocol UISearchBarDelegate: NSObjectProtocol {
    @objc optional func searchBarTextDidBeginEditing(_ searchBar: UISearchBar)
    @objc optional func searchBarTextDidEndEditing(_ searchBar: UISearchBar)
    @objc optional func searchBar(_ searchBar: UISearchBar, textDidChange searchText: String)
    @objc optional func searchBarSearchButtonClicked(_ searchBar: UISearchBar)
    @objc optional func searchBarCancelButtonClicked(_ searchBar: UISearchBar)
}

@MainActor open class UISearchBar: UIView {
    open weak var delegate: (any UISearchBarDelegate)?
    open var text: String? {
        get { fatalError() }
        set {}
    }
}

@MainActor open class UINavigationItem: NSObject {
    open var rightBarButtonItem: UIBarButtonItem? {
        get { fatalError() }
        set {}
    }
}

@MainActor open class UINavigationController: UIViewController {
    open func pushViewController(_ viewController: UIViewController, animated: Bool) {}
}

@MainActor open class UIMenu: NSObject {}

@MainActor open class UIBarButtonItem: NSObject {
    public enum SystemItem: Int, Sendable { case save = 3 }

    public convenience init(systemItem: SystemItem, primaryAction: UIAction? = nil, menu: UIMenu? = nil) {
        fatalError()
    }
    open var isEnabled: Bool {
        get { fatalError() }
        set {}
    }
    open weak var target: AnyObject?
    open var action: Selector?
}

@MainActor @objc public protocol UIGestureRecognizerDelegate: NSObjectProtocol {
    @objc optional func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer,
        shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool
}

@MainActor open class UIGestureRecognizer: NSObject {
    public enum State: Int, Sendable { case possible, began, changed, ended, cancelled, failed }

    public override init() { fatalError() }
    open func addTarget(_ target: Any, action: Selector) {}
    open var state: State { fatalError() }
    open weak var delegate: (any UIGestureRecognizerDelegate)?
    open var view: UIView? { fatalError() }
    open func location(in view: UIView?) -> CGPoint { fatalError() }
}

@MainActor open class UITapGestureRecognizer: UIGestureRecognizer {
    open var numberOfTapsRequired: Int {
        get { fatalError() }
        set {}
    }
}

@MainActor open class UILongPressGestureRecognizer: UIGestureRecognizer {}

@MainActor open class UIPanGestureRecognizer: UIGestureRecognizer {
    open func translation(in view: UIView?) -> CGPoint { fatalError() }
}

@MainActor open class UISwipeGestureRecognizer: UIGestureRecognizer {
    public struct Direction: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { fatalError() }
        public static var left: Direction { fatalError() }
        public static var right: Direction { fatalError() }
    }

    open var direction: Direction {
        get { fatalError() }
        set {}
    }
}

@MainActor open class UIPinchGestureRecognizer: UIGestureRecognizer {
    open var scale: CGFloat {
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

extension IndexPath {
    public var item: Int { fatalError() }
}

@MainActor open class UICollectionViewCell: UIView {}

@MainActor @objc public protocol UICollectionViewDelegate: UIScrollViewDelegate {
    @objc optional func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath)
    @objc optional func collectionView(_ collectionView: UICollectionView, didDeselectItemAt indexPath: IndexPath)
}

@MainActor @objc public protocol UICollectionViewDataSource: NSObjectProtocol {}

@MainActor open class UICollectionView: UIScrollView {
    open weak var dataSource: (any UICollectionViewDataSource)?
    open func dequeueReusableCell(
        withReuseIdentifier identifier: String, for indexPath: IndexPath
    ) -> UICollectionViewCell { fatalError() }
}

@MainActor @preconcurrency
open class UICollectionViewDiffableDataSource<
    SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: NSObject, UICollectionViewDataSource {
    public typealias CellProvider =
        @MainActor (
            _ collectionView: UICollectionView, _ indexPath: IndexPath, _ itemIdentifier: ItemIdentifierType
        ) -> UICollectionViewCell?

    public init(collectionView: UICollectionView, cellProvider: @escaping CellProvider) {}
    open func itemIdentifier(for indexPath: IndexPath) -> ItemIdentifierType? { fatalError() }
    open nonisolated func apply(
        _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
        animatingDifferences: Bool = true, completion: (@MainActor () -> Void)? = nil
    ) {}
}

@MainActor open class UITableViewCell: UIView {
    open var textLabel: UILabel? { fatalError() }
}

@MainActor @objc public protocol UITableViewDelegate: UIScrollViewDelegate {
    @objc optional func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath)
    @objc optional func tableView(_ tableView: UITableView, didDeselectRowAt indexPath: IndexPath)
}

@MainActor @objc public protocol UITableViewDataSource: NSObjectProtocol {}

@MainActor open class UITableView: UIScrollView {
    open weak var dataSource: (any UITableViewDataSource)?
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
>: NSObject, UITableViewDataSource {
    public typealias CellProvider =
        @MainActor (
            _ tableView: UITableView, _ indexPath: IndexPath, _ itemIdentifier: ItemIdentifierType
        ) -> UITableViewCell?

    public init(tableView: UITableView, cellProvider: @escaping CellProvider) {}
    open func itemIdentifier(for indexPath: IndexPath) -> ItemIdentifierType? { fatalError() }
    open nonisolated func apply(
        _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
        animatingDifferences: Bool = true, completion: (@MainActor () -> Void)? = nil
    ) {}
}
