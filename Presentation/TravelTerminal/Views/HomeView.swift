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

    func close() { store.dismiss() }

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
        case .character("/"): return .searchOpened
        case .character("f"): return .chipTapped(state.chips.first { $0.isOn }?.kind ?? .region)
        case .character("s"):
            let sorts = TripSort.allCases
            let next = (sorts.firstIndex(of: state.criteria.sort) ?? 0) + 1
            return .sortPicked(sorts[next % sorts.count])
        case .character("l"): return card.map { .likeTapped($0.id) }
        case .character("n"): return .writeTapped
        case .character("m"): return .myPageTapped
        case .character(","): return .settingsTapped
        case .character("c"):
            if state.criteria.keyword != nil { store.send(.keywordCleared) }
            return .filtersCleared
        case .character("r"): return hasFailed ? .retryTapped : .refreshed
        case .escape where state.criteria.keyword != nil: return .keywordCleared
        default:
            guard let digit = key.typed?.wholeNumberValue, state.chips.indices.contains(digit - 1) else { return nil }
            return .chipTapped(state.chips[digit - 1].kind)
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
            list.setVisible(rect.rows / 2)
            synchronize()
            if current == nil, let first = cards.first { current = first.id }
            list.render(into: &grid, in: rect, rowHeight: 2) { index, row, isCurrent, grid in
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

/// The filter sheet: one filter at a time, with a list of its values.
@MainActor
struct FilterPanel {
    private let context: AppContext
    private var options = RowList()
    private var kind: FilterKind?

    init(_ context: AppContext) {
        self.context = context
    }

    var keys: [KeyLine.Item] {
        [
            context.item("Space", .choose), context.item("↑↓", .move), context.item("←→", .filters),
            context.item("↵", .applyFilters), context.item("c", .clearFilters), context.item("Esc", .cancel),
        ]
    }

    mutating func handle(
        _ event: InputEvent, _ sheet: HomeFlow.FilterSheet, send: (HomeFlow.Action) -> Void
    ) -> Bool {
        follow(sheet)
        guard case .key(let key) = event else { return true }
        let kinds = FilterKind.allCases
        let index = kinds.firstIndex(of: sheet.kind) ?? 0
        switch key {
        case .enter: send(.sheetApplied)
        case .escape, .character("q"): send(.sheetClosed)
        case .space, .character("x"):
            if sheet.kind.options.indices.contains(options.current) {
                send(.sheetOptionTapped(sheet.kind.options[options.current]))
            }
        case .left, .backTab, .character("h"): send(.sheetKindPicked(kinds[(index + kinds.count - 1) % kinds.count]))
        case .right, .tab, .character("l"): send(.sheetKindPicked(kinds[(index + 1) % kinds.count]))
        case .character("c"): send(.sheetCleared)
        default:
            if let digit = key.typed?.wholeNumberValue, kinds.indices.contains(digit - 1) {
                send(.sheetKindPicked(kinds[digit - 1]))
            } else {
                _ = options.handle(key)
            }
        }
        return true
    }

    private mutating func follow(_ sheet: HomeFlow.FilterSheet) {
        if sheet.kind != kind { options = RowList() }
        kind = sheet.kind
        options.setCount(sheet.kind.options.count)
    }

    mutating func render(_ sheet: HomeFlow.FilterSheet, into grid: inout Grid, in rect: Rect) {
        follow(sheet)
        let box = rect.centered(columns: min(rect.columns, 64), rows: min(rect.rows, 22))
        Frame(title: context.language[.filters]).render(into: &grid, in: box)
        var area = box.inset(columns: 2, rows: 1)
        let tabs = Tabs(
            sheet.chips.map { $0.kind.name(in: context.language) + ($0.isOn ? " •" : "") },
            current: FilterKind.allCases.firstIndex(of: sheet.kind) ?? 0)
        tabs.render(into: &grid, in: area.takeTop(1))
        _ = area.takeTop(1)
        options.setVisible(area.rows)
        let values = sheet.kind.options
        options.render(into: &grid, in: area) { index, row, isCurrent, grid in
            let box = CheckBox(values[index].name(in: context.language), isOn: sheet.criteria.contains(values[index]))
            if isCurrent { grid.fill(row, Styles.selection) }
            box.render(into: &grid, in: row, isFocused: isCurrent)
        }
        grid.cursor = nil
    }
}

/// The search field while it is open, and the recent keywords or suggested titles below it.
@MainActor
struct SearchPanel {
    private let context: AppContext
    private var field = TextField()
    private var isOpen = false
    /// The chosen proposal; `nil` while the field itself has the focus.
    private var chosen: Int?

    init(_ context: AppContext) {
        self.context = context
    }

    func keys(_ search: HomeFlow.SearchField) -> [KeyLine.Item] {
        var keys = [context.item("↵", .search), context.item("↑↓", .choose), context.item("Esc", .close)]
        if case .recent(let recent) = search.suggestions, !recent.isEmpty {
            keys.append(context.item("Del", .forgetKeyword))
        }
        return keys + [context.item("Ctrl-U", .deleteText)]
    }

    private enum Proposal {
        case filter(FilterOption)
        case keyword(String)

        func text(in language: Language) -> String {
            switch self {
            case .filter(let option): "\(option.kind.name(in: language)): \(option.name(in: language))"
            case .keyword(let text): text
            }
        }
    }

    /// The filter that the text names, and the recent keywords or the suggested titles.
    private static func proposals(_ state: HomeFlow.State) -> [Proposal] {
        let filter = state.proposedFilter.map { [Proposal.filter($0)] } ?? []
        return switch state.search.suggestions {
        case .recent(let keywords): filter + keywords.map { .keyword($0.text) }
        case .titles(let titles): filter + titles.map { .keyword($0.text) }
        case nil: filter
        }
    }

    mutating func handle(_ event: InputEvent, _ state: HomeFlow.State, send: (HomeFlow.Action) -> Void) -> Bool {
        open(state.search)
        let proposals = Self.proposals(state)
        switch event {
        case .paste(let text):
            _ = field.paste(text)
            return typed(send)
        case .key(.escape):
            isOpen = false
            send(.searchClosed)
        case .key(.enter):
            isOpen = false
            switch chosen.flatMap({ proposals.indices.contains($0) ? proposals[$0] : nil }) {
            case .filter(let option): send(.filterPicked(option))
            case .keyword(let text): send(.keywordPicked(text))
            case nil: send(.searchSubmitted)
            }
        case .key(.down), .key(.tab): chosen = min(proposals.count - 1, (chosen ?? -1) + 1)
        case .key(.up), .key(.backTab): chosen = (chosen ?? 0) - 1
        case .key(.delete) where chosen != nil:
            guard let index = chosen, case .recent = state.search.suggestions, proposals.indices.contains(index),
                case .keyword(let text) = proposals[index], let keyword = Keyword(text)
            else { return true }
            send(.keywordForgotten(keyword))
            if index >= proposals.count - 1 { chosen = proposals.count - 2 }
        case .key(let key): if field.handle(key) { return typed(send) }
        }
        if let index = chosen, index < 0 { chosen = nil }
        return true
    }

    private mutating func typed(_ send: (HomeFlow.Action) -> Void) -> Bool {
        chosen = nil
        send(.searchTyped(field.text))
        return true
    }

    private mutating func open(_ search: HomeFlow.SearchField) {
        guard !isOpen else { return }
        isOpen = true
        chosen = nil
        field = TextField(search.text)
    }

    mutating func render(_ state: HomeFlow.State, into grid: inout Grid, in rect: Rect, line: Rect) {
        let search = state.search
        open(search)
        grid.fill(line, .plain)
        grid.draw(" / ", in: line, Styles.accent)
        var input = line
        _ = input.takeLeft(3)
        _ = input.takeRight(1)
        field.placeholder = context.language[.searchPlaceholder]
        field.render(into: &grid, in: input, isFocused: true)
        let cursor = grid.cursor
        let proposals = Self.proposals(state)
        let isRecent = if case .titles = search.suggestions { false } else { true }
        let heading = context.language[isRecent ? .recentKeywords : .suggestions]
        let rows = max(1, proposals.count) + 2
        var box = rect
        box = box.takeTop(min(rows, rect.rows))
        Frame(title: heading).render(into: &grid, in: box)
        var area = box.inset(columns: 2, rows: 1)
        if let failure = search.failure {
            grid.draw(failure.text(in: context.language), in: area, Styles.error)
        } else if proposals.isEmpty {
            let text = search.suggestions == nil ? Text.loading : isRecent ? .noRecentKeywords : .noSuggestions
            grid.draw(context.language[text], in: area, Styles.dim)
        }
        let top = max(0, (chosen ?? 0) - area.rows + 1)
        for index in proposals.indices.dropFirst(top).prefix(area.rows) {
            let row = area.takeTop(1)
            let text = proposals[index].text(in: context.language).onOneLine.truncated(toWidth: row.columns - 2)
            grid.drawRow(text, in: row, index == chosen)
        }
        grid.cursor = cursor
    }
}
