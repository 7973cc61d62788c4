internal import TravelPages

/// The list of trips, with its search field, its filters and its order.
struct HomePage: ScreenPage {
    private let context: PageContext
    private let controls: Controls

    init(_ context: PageContext) {
        self.context = context
        controls = Controls(context)
    }

    func title(of state: HomeFlow.State) -> String {
        if let keyword = state.criteria.keyword { return "\(keyword.text) – \(context[heading(state.scope)])" }
        return context[heading(state.scope)]
    }

    private func heading(_ scope: HomeFlow.Scope) -> Text {
        switch scope {
        case .all: .homeTitle
        case .mine: .myTrips
        case .liked: .likedTrips
        }
    }

    func isLoading(_ state: HomeFlow.State) -> Bool { state.content == .skeleton || state.footer == .loading }

    func screen(of state: HomeFlow.State) -> Screen? {
        guard state.scope == .all else { return nil }
        return state.criteria == TripCriteria() ? .home : .search(state.criteria)
    }

    func action(for result: ScreenResult) -> HomeFlow.Action? { .returned(result) }

    // MARK: Inputs

    func actions(for input: PageInput, in state: HomeFlow.State) -> [HomeFlow.Action]? {
        switch input {
        case .field("keyword", let text): return [.search(.typed(text))]
        case .field: return nil
        case .link(let address), .history(let address): return actions(for: address.screen, in: state)
        case .control(let control): return actions(for: control, in: state)
        }
    }

    /// Another address of this list is another search.
    private func actions(for screen: Screen, in state: HomeFlow.State) -> [HomeFlow.Action]? {
        guard state.scope == .all else { return nil }
        switch screen {
        case .search(let criteria): return Self.actions(toShow: criteria, in: state)
        case .home where state.criteria != TripCriteria(): return Self.actions(toShow: TripCriteria(), in: state)
        default: return nil
        }
    }

    /// The actions after which the list shows what `criteria` find.
    private static func actions(toShow criteria: TripCriteria, in state: HomeFlow.State) -> [HomeFlow.Action] {
        let kinds = FilterKind.allCases
        let wanted = kinds.flatMap(criteria.options)
        var actions: [HomeFlow.Action] = [.search(.closed)]
        if kinds.flatMap(state.criteria.options) != wanted {
            actions += [.filter(.chipTapped(kinds[0])), .filter(.sheetCleared)]
            actions += wanted.map { .filter(.optionTapped($0)) } + [.filter(.applied)]
        }
        if criteria.sort != state.criteria.sort { actions.append(.filter(.sortPicked(criteria.sort))) }
        if criteria.keyword != state.criteria.keyword {
            actions.append(criteria.keyword.map { .search(.keywordPicked($0.text)) } ?? .search(.keywordCleared))
        }
        return actions
    }

    private func actions(for control: PageInput.Control, in state: HomeFlow.State) -> [HomeFlow.Action]? {
        switch control.name {
        case "search": return [.search(.submitted)]
        case "open-search": return [.search(.opened)]
        case "close-search": return [.search(.closed)]
        case "forget": return Keyword(control.argument).map { [.search(.keywordForgotten($0))] } ?? []
        case "filter":
            let option = state.proposedFilter.map { [HomeFlow.Action.search(.filterPicked($0))] }
            return option ?? []
        case "clear": return (state.criteria.keyword == nil ? [] : [.search(.keywordCleared)]) + [.filter(.cleared)]
        case "clear-kind": return FilterKind(rawValue: control.argument).map { [.filter(.chipCleared($0))] } ?? []
        case "refresh": return [.refreshed]
        case "retry": return [.retryTapped]
        case "more": return [.reachedEnd]
        case "like": return control.id().map { [.likeTapped($0)] } ?? []
        default: return nil
        }
    }

    // MARK: View

    @HTML.Builder
    func view(of state: HomeFlow.State) -> HTML {
        HTML("h1", ["class": state.scope == .all ? "hidden" : nil]) { context[heading(state.scope)] }
        // Most changes concern a row alone.
        context.piece("search", of: SearchForm(state)) { _ in search(state) }
        context.piece("chips", of: Chips(criteria: state.criteria, scope: state.scope)) { _ in chips(state) }
        list(state)
    }

    /// What the form of the search shows.
    private struct SearchForm: Equatable, Sendable {
        let search: HomeFlow.SearchField
        let criteria: TripCriteria
        let filter: FilterOption?

        init(_ state: HomeFlow.State) {
            (search, criteria, filter) = (state.search, state.criteria, state.proposedFilter)
        }
    }

    /// What the filters above the list show.
    private struct Chips: Equatable, Sendable {
        let criteria: TripCriteria
        let scope: HomeFlow.Scope
    }

    private func search(_ state: HomeFlow.State) -> HTML {
        let text = state.search.isActive ? state.search.text : state.criteria.keyword?.text ?? ""
        return HTML("form", ["id": "search", "role": "search", "method": "get", "action": ScreenAddress(.home).text]) {
            HTML(
                "input",
                [
                    "id": "keyword", "type": "search", "name": "keyword", "value": text, "data-live": "",
                    "data-focus": "open-search", "data-blur": "close-search",
                    "maxlength": "\(Keyword.maximumLength)", "placeholder": context[.searchPlaceholder],
                    "aria-label": context[.searchPlaceholder], "autocomplete": "off", "data-key": "/",
                    "role": "combobox", "aria-expanded": "\(state.search.isActive)", "aria-controls": "proposals",
                ])
            hidden(state.criteria)
            HTML("button", ["type": "submit"]) { context[.search] }
            HTML("label", ["class": "order"]) {
                "\(context[.sort]) "
                HTML("select", ["id": "sort", "name": "sort", "data-submit": ""]) {
                    for sort in TripSort.allCases {
                        HTML(
                            "option",
                            ["value": sort.rawValue, "selected": sort == state.criteria.sort ? "selected" : nil]
                        ) { sort.name(in: context.language) }
                    }
                }
            }
            proposals(state)
        }
    }

    /// The filters, so that a search by the form keeps them.
    @HTML.Builder
    private func hidden(_ criteria: TripCriteria) -> HTML {
        for option in FilterKind.allCases.flatMap(criteria.options) {
            HTML("input", ["type": "hidden", "name": option.kind.rawValue, "value": option.value])
        }
    }

    /// The recent keywords or the suggested titles below the field.
    private func proposals(_ state: HomeFlow.State) -> HTML {
        HTML("div", ["id": "proposals", "hidden": state.search.isActive ? nil : "hidden"]) {
            if state.search.isActive {
                if let failure = state.search.failure { HTML("p") { failure.text(in: context.language) } }
                if let filter = state.proposedFilter {
                    controls.button(.init("filter"), Text(filter: filter), style: "proposal")
                }
                switch state.search.suggestions {
                case .recent(let keywords):
                    HTML("p", ["class": "note"]) { context[keywords.isEmpty ? .noRecentKeywords : .recentKeywords] }
                    for keyword in keywords {
                        HTML("p", ["class": "proposal"]) {
                            proposal(keyword.text, state)
                            controls.button(
                                .init("forget", keyword.text), .forget(keyword), symbol: "×", form: "controls")
                        }
                    }
                case .titles(let titles):
                    HTML("p", ["class": "note"]) { context[titles.isEmpty ? .noSuggestions : .suggestions] }
                    for title in titles { HTML("p", ["class": "proposal"]) { proposal(title.text, state) } }
                case nil: HTML()
                }
            }
        }
    }

    private func proposal(_ text: String, _ state: HomeFlow.State) -> HTML {
        var criteria = state.criteria
        criteria.keyword = Keyword(text)
        return HTML("a", ["href": ScreenAddress(.search(criteria)).text, "dir": "auto"]) { text }
    }

    @HTML.Builder
    private func chips(_ state: HomeFlow.State) -> HTML {
        HTML("div", ["id": "chips", "class": "chips"]) {
            HTML("details", ["id": "filters", "class": "sheet"]) {
                HTML("summary", ["data-key": "f"]) { context[.filters] }
                context.piece("sheet", of: state.criteria, sheet)
            }
            if state.scope != .liked { controls.fileImport() }
            for chip in state.chips where chip.isOn {
                controls.button(
                    .init("clear-kind", chip.kind.rawValue), .clearFilter(chip),
                    symbol: "\(chip.text(in: context.language)) ×",
                    style: "chip")
            }
            if state.chips.contains(where: \.isOn) || state.criteria.keyword != nil {
                controls.button(.init("clear"), .clearFilters, key: "c", style: "plain")
            }
        }
    }

    /// All filters in a form of their own, which works without the script.
    private func sheet(_ criteria: TripCriteria) -> HTML {
        HTML("form", ["id": "sheet", "method": "get", "action": ScreenAddress(.home).text]) {
            if let keyword = criteria.keyword {
                HTML("input", ["type": "hidden", "name": "keyword", "value": keyword.text])
            }
            HTML("input", ["type": "hidden", "name": "sort", "value": criteria.sort.rawValue])
            for kind in FilterKind.allCases {
                HTML("fieldset") {
                    HTML("legend") { kind.name(in: context.language) }
                    for option in kind.options {
                        HTML("label") {
                            HTML(
                                "input",
                                [
                                    "type": kind.allowsSeveral ? "checkbox" : "radio", "name": kind.rawValue,
                                    "value": option.value, "checked": criteria.contains(option) ? "checked" : nil,
                                ])
                            option.name(in: context.language)
                        }
                    }
                }
            }
            HTML("p", ["class": "buttons"]) {
                HTML("button", ["type": "submit"]) { context[.applyFilters] }
                HTML("button", ["type": "reset", "class": "plain"]) { context[.cancel] }
            }
        }
    }

    // MARK: Rows

    private func list(_ state: HomeFlow.State) -> HTML {
        HTML("div", ["id": "list", "aria-busy": state.isRefreshing || state.content == .skeleton ? "true" : nil]) {
            switch state.content {
            case .skeleton: controls.loading()
            case .empty:
                HTML("p", ["class": "empty"]) { context[emptyText(state.scope)] }
                if state.scope == .all { HTML("p", ["class": "note"]) { context[.nothingFoundHint] } }
            case .failed(let failure): controls.failure(failure, retry: .init("retry"))
            case .rows(let cards):
                HTML("ul", ["id": "trips", "class": "trips"]) {
                    for card in cards { context.piece("trip-\(card.id)", of: card, row) }
                }
                footer(state)
            }
        }
    }

    private func emptyText(_ scope: HomeFlow.Scope) -> Text {
        switch scope {
        case .all: .nothingFound
        case .mine: .noTrips
        case .liked: .noLikedTrips
        }
    }

    private func row(_ card: TripCard) -> HTML {
        let row = TripRow(card, in: context.language)
        return HTML("li", ["id": "trip-\(card.id)"]) {
            HTML("a", ["href": ScreenAddress(.trip(card.id)).text]) {
                controls.cover(of: card)
                HTML("div") {
                    HTML("h2", ["dir": "auto"]) { row.title }
                    if let entry = row.entry { HTML("p", ["dir": "auto"]) { entry } }
                    controls.facts(of: row)
                    HTML("p") { HTML("bdi") { row.author } }
                }
            }
            controls.like(card)
        }
    }

    private func footer(_ state: HomeFlow.State) -> HTML {
        HTML("p", ["id": "list-end", "class": "note", "data-visible": state.footer == .more ? "more" : nil]) {
            switch state.footer {
            case .more: controls.button(.init("more"), .more, style: "plain")
            case .loading: context[.loadingMore]
            case .failed(let failure):
                failure.text(in: context.language)
                controls.button(.init("retry"), .retry, key: "r")
            case .end: context[.endOfList]
            }
        }
    }
}

extension Controls {
    /// The heart of a card, with the number of likes.
    func like(_ card: TripCard) -> HTML {
        HTML(
            "button",
            [
                "type": "submit", "form": "controls", "name": "do",
                "value": PageInput.Control("like", "\(card.id)").text,
                "class": "like", "aria-pressed": "\(card.like.isLiked)",
                "aria-label": "\(context[.like]): \(context[.likes(card.like.count)])",
            ]
        ) {
            HTML("span", ["aria-hidden": "true"]) { "\(card.like.isLiked ? "♥" : "♡") \(card.like.count)" }
        }
    }
}

extension Text {
    fileprivate static let more = Text("More", "더 보기")

    fileprivate static func forget(_ keyword: Keyword) -> Text {
        Text("Remove \(keyword.text) from recent searches", "최근 검색어에서 \(keyword.text) 지우기")
    }

    fileprivate static func clearFilter(_ chip: FilterChip) -> Text {
        Text("Remove the filter \(chip.text(in: .english))", "\(chip.text(in: .korean)) 필터 해제")
    }

    fileprivate init(filter: FilterOption) {
        self.init(
            "\(filter.kind.name(in: .english)): \(filter.name(in: .english))",
            "\(filter.kind.name(in: .korean)): \(filter.name(in: .korean))")
    }
}
