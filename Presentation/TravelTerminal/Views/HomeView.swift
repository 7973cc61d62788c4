/// The list of trips, with its search field, its filters and its order.
@MainActor
final class HomeView: ScreenView {
    private let context: AppContext
    private let store: BoundStore<HomeFlow>
    private var list = RowList()
    /// The trip of the current row, which stays current when rows are added before it.
    private var current: Trip.ID?
    /// A saved trip, which becomes the current one when it appears in the list.
    private var awaited: Trip.ID?
    private var search: SearchPanel
    private var filters: FilterPanel

    init(_ store: BoundStore<HomeFlow>, in context: AppContext) {
        self.store = store
        self.context = context
        search = SearchPanel(context)
        filters = FilterPanel(context)
        store.send(.appeared)
    }

    var title: String {
        switch store.state.scope {
        case .all: "Traveline · \(context.language[.homeTitle])"
        case .mine: context.language[.myTrips]
        case .liked: context.language[.likedTrips]
        }
    }

    var keys: [KeyLine.Item] {
        if store.state.sheet != nil { return filters.keys }
        if store.state.search.isActive { return search.keys(store.state.search) }
        var keys = [
            context.item("↑↓", .move), context.item("↵", .open), context.item("/", .search),
            context.item("f", .filters), context.item("s", .sort), context.item("l", .like),
            context.item("n", .writeTrip),
        ]
        if hasFailed { keys.insert(context.item("r", .retry), at: 0) } else { keys.append(context.item("r", .refresh)) }
        keys += [context.item("m", .myPage), context.item(",", .settings)]
        if store.state.chips.contains(where: \.isOn) || store.state.criteria.keyword != nil {
            // The remedy for an empty result.
            keys.insert(context.item("c", .clearFilters), at: store.state.content == .empty ? 0 : 4)
        }
        let leave = context.item("q", store.state.scope == .all ? .quit : .back)
        return keys + [context.item("PgUp PgDn", .page), leave]
    }

    /// Whether the list, or a further page of it, could not be loaded.
    private var hasFailed: Bool {
        if case .failed = store.state.content { return true }
        if case .failed = store.state.footer { return true }
        return false
    }

    var takesText: Bool { store.state.search.isActive }

    private var cards: IdentifiedRows<TripCard> {
        if case .rows(let cards) = store.state.content { cards } else { [] }
    }

    func receive(_ result: ScreenResult) {
        if case .savedTrip(let id) = result { awaited = id }
        store.send(.returned(result))
    }

    // MARK: Keys

    func handle(_ event: InputEvent) -> Bool {
        if let sheet = store.state.sheet { return filters.handle(event, sheet, send: store.send) }
        if store.state.search.isActive { return search.handle(event, store.state, send: store.send) }
        guard case .key(let key) = event else { return false }
        synchronize()
        awaited = nil
        if list.handle(key) {
            current = cards[list.current].id
            if list.isNearEnd && store.state.footer == .more { store.send(.reachedEnd) }
            return true
        }
        guard let action = action(for: key) else { return false }
        store.send(action)
        return true
    }

    private func action(for key: Key) -> HomeFlow.Action? {
        let state = store.state
        let card = cards.indices.contains(list.current) ? cards[list.current] : nil
        switch key {
        case .enter: return card.map { .tripTapped($0.id) }
        case .character("/"): return .search(.opened)
        case .character("f"): return .filter(.chipTapped(state.chips.first { $0.isOn }?.kind ?? .region))
        case .character("s"):
            let sorts = TripSort.allCases
            let next = (sorts.firstIndex(of: state.criteria.sort) ?? 0) + 1
            return .filter(.sortPicked(sorts[next % sorts.count]))
        case .character("l"): return card.map { .likeTapped($0.id) }
        case .character("n"): return .writeTapped
        case .character("m"): return .myPageTapped
        case .character(","): return .settingsTapped
        case .character("c"):
            if state.criteria.keyword != nil { store.send(.search(.keywordCleared)) }
            return .filter(.cleared)
        case .character("r"): return hasFailed ? .retryTapped : .refreshed
        case .escape where state.criteria.keyword != nil: return .search(.keywordCleared)
        default:
            guard let digit = key.typed?.wholeNumberValue, state.chips.indices.contains(digit - 1) else { return nil }
            return .filter(.chipTapped(state.chips[digit - 1].kind))
        }
    }

    /// Adjusts the list to the rows of the state: the current trip stays current while it is in the list.
    private func synchronize() {
        let cards = cards
        list.setCount(cards.count)
        if let awaited, let index = cards.index(id: awaited) {
            list.select(index)
            current = awaited
            self.awaited = nil
        }
        guard let current else { return }
        if cards.indices.contains(list.current), cards[list.current].id == current { return }
        if let index = cards.index(id: current) { list.select(index) }
        self.current = cards.indices.contains(list.current) ? cards[list.current].id : nil
    }

    // MARK: Drawing

    func render(into grid: inout Grid, in rect: Rect) {
        var area = rect
        renderSearchLine(into: &grid, in: area.takeTop(1))
        let chips = ChipRow(
            store.state.chips.enumerated().map { index, chip in
                .init(label: "\(index + 1) \(chip.text(in: context.language))", isOn: chip.isOn)
            })
        let inner = area.inset(columns: 1)
        let height = min(chips.height(columns: inner.columns), max(1, rect.rows / 4))
        let chipArea = area.takeTop(height).inset(columns: 1)
        chips.render(into: &grid, in: chipArea, isFocused: false)
        let status = area.takeBottom(1)
        renderList(into: &grid, in: area)
        renderStatus(into: &grid, in: status)
        if store.state.search.isActive {
            search.render(store.state, into: &grid, in: area, line: rect.line(0))
        }
        if let sheet = store.state.sheet { filters.render(sheet, into: &grid, in: rect) }
    }

    private func renderSearchLine(into grid: inout Grid, in line: Rect) {
        let criteria = store.state.criteria
        let sort = "\(context.language[.sort]): \(criteria.sort.name(in: context.language)) "
        let room = line.columns - sort.displayWidth
        if let keyword = criteria.keyword {
            grid.draw(" / \(keyword.text)".truncated(toWidth: room - 2), in: line, Styles.accent)
        } else {
            let text = " / \(context.language[.searchPlaceholder])"
            grid.draw(text.truncated(toWidth: room - 2), in: line, Styles.dim)
        }
        if room > 10 { grid.draw(sort, in: line, at: room, Styles.dim) }
    }

    private func renderList(into grid: inout Grid, in rect: Rect) {
        switch store.state.content {
        case .skeleton:
            var area = rect
            while area.rows > 1 {
                let width = max(0, min(34, area.columns - 6))
                grid.draw(String(repeating: "░", count: width), in: area.takeTop(1), at: 2, Styles.skeleton)
                grid.draw(String(repeating: "░", count: width * 2 / 3), in: area.takeTop(1), at: 2, Styles.skeleton)
            }
        case .empty:
            message([context.language[emptyText], context.language[.nothingFoundHint]], into: &grid, in: rect)
        case .failed(let failure):
            let retry = failure.canRetry ? ["r  \(context.language[.retry])"] : []
            message([failure.text(in: context.language)] + retry, into: &grid, in: rect, Styles.error)
        case .rows(let cards):
            // One line more for the entries by which trips were found.
            let height = cards.contains { $0.entry != nil } ? 3 : 2
            list.setVisible(rect.rows / height)
            synchronize()
            if current == nil, let first = cards.first { current = first.id }
            list.render(into: &grid, in: rect, rowHeight: height) { index, row, isCurrent, grid in
                render(cards[index], isCurrent, into: &grid, in: row)
            }
        }
    }

    private var emptyText: Text {
        switch store.state.scope {
        case .all: .nothingFound
        case .mine: .noTrips
        case .liked: .noLikedTrips
        }
    }

    private func message(_ lines: [String], into grid: inout Grid, in rect: Rect, _ style: Style = Styles.heading) {
        var area = rect.inset(columns: 2, rows: 1)
        for (index, text) in lines.enumerated() {
            for line in text.wrapped(toWidth: max(1, area.columns)) {
                grid.draw(line, in: area.takeTop(1), index == 0 ? style : Styles.dim)
            }
        }
    }

    private func render(_ card: TripCard, _ isCurrent: Bool, into grid: inout Grid, in rect: Rect) {
        let row = TripRow(card, in: context.language)
        if isCurrent { grid.fill(rect, Styles.selection) }
        let likes = "\(row.isLiked ? "♥" : "♡") \(row.likeCount)"
        let room = rect.columns - likes.displayWidth - 4
        let marker = isCurrent ? "▸ " : "  "
        let first = rect.line(0)
        grid.draw(
            marker + row.title.onOneLine.truncated(toWidth: room), in: first,
            isCurrent ? Styles.selection : Styles.heading)
        grid.draw(
            likes, in: first, at: max(0, rect.columns - likes.displayWidth - 1),
            isCurrent ? Styles.selection : row.isLiked ? Styles.like : Styles.dim)
        let details = "\(row.summary) · \(row.dates) · \(row.author.onOneLine)"
        grid.draw(
            details.truncated(toWidth: rect.columns - 4), in: rect.line(1), at: 2,
            isCurrent ? Styles.selection : Styles.dim)
        if let entry = row.entry {
            grid.draw(
                entry.onOneLine.truncated(toWidth: rect.columns - 6), in: rect.line(2), at: 4,
                isCurrent ? Styles.selection : Styles.dim)
        }
    }

    private func renderStatus(into grid: inout Grid, in line: Rect) {
        let count = cards.count
        var parts: [String] = []
        if count > 0 {
            let more = store.state.footer == .end ? "" : "+"
            parts.append("\(list.current + 1)/\(count)\(more)")
        }
        if store.state.isRefreshing { parts.append(context.language[.loading]) }
        var style = Styles.dim
        switch store.state.footer {
        case .loading: parts.append(context.language[.loadingMore])
        case .failed(let failure):
            parts.append(failure.text(in: context.language))
            style = Styles.error
        case .end where count > 0 && list.current == count - 1: parts.append(context.language[.endOfList])
        case .end, .more: break
        }
        grid.draw(parts.joined(separator: " · ").truncated(toWidth: line.columns - 2), in: line, at: 1, style)
    }
}
