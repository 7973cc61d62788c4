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
            send(.search(.closed))
        case .key(.enter):
            isOpen = false
            switch chosen.flatMap({ proposals.indices.contains($0) ? proposals[$0] : nil }) {
            case .filter(let option): send(.search(.filterPicked(option)))
            case .keyword(let text): send(.search(.keywordPicked(text)))
            case nil: send(.search(.submitted))
            }
        case .key(.down), .key(.tab): chosen = min(proposals.count - 1, (chosen ?? -1) + 1)
        case .key(.up), .key(.backTab): chosen = (chosen ?? 0) - 1
        case .key(.delete) where chosen != nil:
            guard let index = chosen, case .recent = state.search.suggestions, proposals.indices.contains(index),
                case .keyword(let text) = proposals[index], let keyword = Keyword(text)
            else { return true }
            send(.search(.keywordForgotten(keyword)))
            if index >= proposals.count - 1 { chosen = proposals.count - 2 }
        case .key(let key): if field.handle(key) { return typed(send) }
        }
        if let index = chosen, index < 0 { chosen = nil }
        return true
    }

    private mutating func typed(_ send: (HomeFlow.Action) -> Void) -> Bool {
        chosen = nil
        send(.search(.typed(field.text)))
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
