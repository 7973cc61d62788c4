#if canImport(UIKit) && !os(watchOS)
public import UIKit

/// The delegate of a view that sends what happens to streams. It passes every call on to another delegate.
@MainActor
private class ForwardingDelegate: NSObject {
    /// `nonisolated(unsafe)`: UIKit calls its delegates on the main thread, so that this is only accessed there.
    nonisolated(unsafe) private(set) weak var next: (any NSObjectProtocol)?
    private let release = SerialDisposable()

    nonisolated override func responds(to selector: Selector!) -> Bool {
        super.responds(to: selector) || next?.responds(to: selector) == true
    }

    nonisolated override func forwardingTarget(for selector: Selector!) -> Any? {
        next?.responds(to: selector) == true ? next : super.forwardingTarget(for: selector)
    }

    /// Passes the calls on to `delegate`, which is not retained. `install` must set the delegate of the view to `nil` and
    /// then to this object, because views remember which methods their delegate has.
    func forward(to delegate: (any NSObjectProtocol)?, install: @escaping @MainActor @Sendable () -> Void) {
        next = delegate
        install()
        release.disposable =
            (delegate as? NSObject)?.rx.deallocated
            .bind { onMain(install) } ?? Disposables.create()
    }
}

private final class ScrollDelegate: ForwardingDelegate, UITableViewDelegate, UICollectionViewDelegate {
    let scrolls = PublishRelay<Void>()
    let selections = PublishRelay<IndexPath>(), deselections = PublishRelay<IndexPath>()

    /// The delegate of the view, which becomes it now, unless it is already.
    static func of(_ view: UIScrollView) -> ScrollDelegate {
        let delegate = view.companion(ScrollDelegate.init)
        if view.delegate !== delegate { delegate.take(view, from: view.delegate) }
        return delegate
    }

    func take(_ view: UIScrollView, from delegate: (any UIScrollViewDelegate)?) {
        forward(to: delegate) { [weak view, weak self] in
            view?.delegate = nil
            view?.delegate = self
        }
    }

    func scrollViewDidScroll(_ scrollView: UIScrollView) {
        (next as? any UIScrollViewDelegate)?.scrollViewDidScroll?(scrollView)
        scrolls.accept(())
    }

    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        (next as? any UITableViewDelegate)?.tableView?(tableView, didSelectRowAt: indexPath)
        selections.accept(indexPath)
    }

    func tableView(_ tableView: UITableView, didDeselectRowAt indexPath: IndexPath) {
        (next as? any UITableViewDelegate)?.tableView?(tableView, didDeselectRowAt: indexPath)
        deselections.accept(indexPath)
    }

    func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {
        (next as? any UICollectionViewDelegate)?.collectionView?(collectionView, didSelectItemAt: indexPath)
        selections.accept(indexPath)
    }

    func collectionView(_ collectionView: UICollectionView, didDeselectItemAt indexPath: IndexPath) {
        (next as? any UICollectionViewDelegate)?.collectionView?(collectionView, didDeselectItemAt: indexPath)
        deselections.accept(indexPath)
    }
}

/// A view has one delegate. The streams below take its place when they are subscribed, and pass every call on to the
/// delegate that the view had then. To set a delegate later, use `setDelegate`.
extension Reactive where Base: UIScrollView {
    /// Sets the delegate of the view, beside the streams of its scrolling and selection, until the disposal. The delegate
    /// is not retained.
    @MainActor
    public func setDelegate(_ delegate: any UIScrollViewDelegate) -> any Disposable {
        let proxy = base.companion(ScrollDelegate.init)
        proxy.take(base, from: delegate)
        let identifier = ObjectIdentifier(delegate)
        return Disposables.create { [weak base, weak proxy] in
            onMain {
                if let base, let proxy, proxy.next.map(ObjectIdentifier.init) == identifier {
                    proxy.take(base, from: nil)
                }
            }
        }
    }

    @MainActor public var didScroll: ControlEvent<Void> { ControlEvent(events: sent { $0.scrolls }) }

    @MainActor public var contentOffset: ControlProperty<CGPoint> {
        property(changing: sent { $0.scrolls }, getter: { $0.contentOffset }) { $0.contentOffset = $1 }
    }

    /// Emits when the view is scrolled to `offset` points or less before its end, once until it is farther away again,
    /// for example because its content has grown: the moment to load a page.
    @MainActor
    public func reachedBottom(offset: CGFloat = 0) -> ControlEvent<Void> {
        let isNear = sent { $0.scrolls }.compactMap { [weak base] _ in
            base.map { base in
                MainActor.assumeIsolated {
                    let end = base.contentSize.height + base.adjustedContentInset.bottom
                    return base.contentSize.height > 0 && end - base.contentOffset.y - base.bounds.height <= offset
                }
            }
        }
        return ControlEvent(events: isNear.distinctUntilChanged().filter { $0 }.map { _ in })
    }

    @MainActor
    fileprivate func sent<Element: Sendable>(
        _ relay: @escaping @MainActor @Sendable (ScrollDelegate) -> PublishRelay<Element>
    ) -> Observable<Element> {
        events { relay(ScrollDelegate.of($0)).subscribe($1) }
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

    /// Shows each list of items that arrives in cells of one kind, whose class is registered for the identifier.
    ///
    /// ```swift
    /// titles.bind(to: table.rx.items(cellIdentifier: "title", cellType: TitleCell.self)) { row, title, cell in … }
    ///     .disposed(by: bag)
    /// ```
    @MainActor
    public func items<Item: Hashable & Sendable, Cell: UITableViewCell, Source: ObservableType>(
        cellIdentifier: String, cellType: Cell.Type = Cell.self
    ) -> (Source) -> (@escaping (Int, Item, Cell) -> Void) -> any Disposable
    where Source.Element == [Item] {
        { source in
            { configure in
                let configuration = CellConfiguration(configure)
                let binder: Binder<[Item]> = MainActor.assumeIsolated {
                    items { table, indexPath, item in
                        let cell = table.dequeueReusableCell(withIdentifier: cellIdentifier, for: indexPath) as! Cell
                        configuration.configure(indexPath.item, item, cell)
                        return cell
                    }
                }
                return source.bind(to: binder)
            }
        }
    }

    /// The places that the user selects.
    @MainActor public var itemSelected: ControlEvent<IndexPath> { ControlEvent(events: sent { $0.selections }) }
    /// The places that the user deselects, with multiple selection or by selecting another one.
    @MainActor public var itemDeselected: ControlEvent<IndexPath> { ControlEvent(events: sent { $0.deselections }) }

    /// The items that the user selects, of a list that shows values of this type by `items`. Of another list it emits
    /// nothing, and in debug builds calls ``Hooks/warningHandler``.
    @MainActor
    public func modelSelected<Item: Hashable & Sendable>(_ type: Item.Type) -> ControlEvent<Item> {
        let items = itemSelected.asObservable().compactMap { [weak base] indexPath in
            base.flatMap { base in
                MainActor.assumeIsolated {
                    guard let source = base.dataSource as? UITableViewDiffableDataSource<Int, Item> else {
                        return unlike(type)
                    }
                    return source.itemIdentifier(for: indexPath)
                }
            }
        }
        return ControlEvent(events: items)
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

    /// Shows each list of items that arrives in cells of one kind, as `items` of a table does.
    @MainActor
    public func items<Item: Hashable & Sendable, Cell: UICollectionViewCell, Source: ObservableType>(
        cellIdentifier: String, cellType: Cell.Type = Cell.self
    ) -> (Source) -> (@escaping (Int, Item, Cell) -> Void) -> any Disposable
    where Source.Element == [Item] {
        { source in
            { configure in
                let configuration = CellConfiguration(configure)
                let binder: Binder<[Item]> = MainActor.assumeIsolated {
                    items { collection, indexPath, item in
                        let cell =
                            collection.dequeueReusableCell(withReuseIdentifier: cellIdentifier, for: indexPath) as! Cell
                        configuration.configure(indexPath.item, item, cell)
                        return cell
                    }
                }
                return source.bind(to: binder)
            }
        }
    }

    /// The places that the user selects.
    @MainActor public var itemSelected: ControlEvent<IndexPath> { ControlEvent(events: sent { $0.selections }) }
    /// The places that the user deselects, with multiple selection or by selecting another one.
    @MainActor public var itemDeselected: ControlEvent<IndexPath> { ControlEvent(events: sent { $0.deselections }) }

    /// The items that the user selects, of a list that shows values of this type by `items`. Of another list it emits
    /// nothing, and in debug builds calls ``Hooks/warningHandler``.
    @MainActor
    public func modelSelected<Item: Hashable & Sendable>(_ type: Item.Type) -> ControlEvent<Item> {
        let items = itemSelected.asObservable().compactMap { [weak base] indexPath in
            base.flatMap { base in
                MainActor.assumeIsolated {
                    guard let source = base.dataSource as? UICollectionViewDiffableDataSource<Int, Item> else {
                        return unlike(type)
                    }
                    return source.itemIdentifier(for: indexPath)
                }
            }
        }
        return ControlEvent(events: items)
    }
}

/// `@unchecked Sendable`: `items` receives the function on the main actor, and calls it there.
private struct CellConfiguration<Item, Cell>: @unchecked Sendable {
    let configure: (Int, Item, Cell) -> Void

    init(_ configure: @escaping (Int, Item, Cell) -> Void) {
        self.configure = configure
    }
}

/// The item of a list whose items have another type: none.
private func unlike<Item>(_ type: Item.Type) -> Item? {
    #if DEBUG
    Hooks.warningHandler("modelSelected: the list does not show values of \(type) by `items`.")
    #endif
    return nil
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

private final class SearchBarDelegate: ForwardingDelegate, UISearchBarDelegate {
    let changes = PublishRelay<Void>(), searches = PublishRelay<Void>(), cancellations = PublishRelay<Void>()
    let begins = PublishRelay<Void>(), ends = PublishRelay<Void>()

    static func of(_ bar: UISearchBar) -> SearchBarDelegate {
        let delegate = bar.companion(SearchBarDelegate.init)
        if bar.delegate !== delegate {
            delegate.forward(to: bar.delegate) { [weak bar, weak delegate] in
                bar?.delegate = nil
                bar?.delegate = delegate
            }
        }
        return delegate
    }

    private var forwarded: (any UISearchBarDelegate)? { next as? any UISearchBarDelegate }

    func searchBar(_ searchBar: UISearchBar, textDidChange searchText: String) {
        forwarded?.searchBar?(searchBar, textDidChange: searchText)
        changes.accept(())
    }

    func searchBarTextDidBeginEditing(_ searchBar: UISearchBar) {
        forwarded?.searchBarTextDidBeginEditing?(searchBar)
        begins.accept(())
    }

    func searchBarTextDidEndEditing(_ searchBar: UISearchBar) {
        forwarded?.searchBarTextDidEndEditing?(searchBar)
        ends.accept(())
    }

    func searchBarSearchButtonClicked(_ searchBar: UISearchBar) {
        forwarded?.searchBarSearchButtonClicked?(searchBar)
        searches.accept(())
    }

    #if !os(tvOS)
    func searchBarCancelButtonClicked(_ searchBar: UISearchBar) {
        forwarded?.searchBarCancelButtonClicked?(searchBar)
        cancellations.accept(())
    }
    #endif
}

/// The streams take the place of the bar's delegate when they are subscribed, and pass every call on to the delegate that
/// the bar had then.
extension Reactive where Base: UISearchBar {
    @MainActor public var text: ControlProperty<String?> {
        // The end of editing may correct the text.
        property(changing: .merge(sent { $0.changes }, sent { $0.ends }), getter: { $0.text }) {
            if $0.text != $1 { $0.text = $1 }
        }
    }

    @MainActor public var textDidBeginEditing: ControlEvent<Void> { ControlEvent(events: sent { $0.begins }) }
    @MainActor public var textDidEndEditing: ControlEvent<Void> { ControlEvent(events: sent { $0.ends }) }
    @MainActor public var searchButtonClicked: ControlEvent<Void> { ControlEvent(events: sent { $0.searches }) }

    #if !os(tvOS)
    @MainActor public var cancelButtonClicked: ControlEvent<Void> { ControlEvent(events: sent { $0.cancellations }) }
    #endif

    @MainActor
    private func sent(
        _ relay: @escaping @MainActor @Sendable (SearchBarDelegate) -> PublishRelay<Void>
    ) -> Observable<Void> {
        events { relay(SearchBarDelegate.of($0)).subscribe($1) }
    }
}
#endif
