/// The page of the user: their trips and those they like, and ways to their profile and the settings.
@MainActor
final class MyPageView: ScreenView {
    /// A line of the page that can be opened.
    private enum Row {
        case card(TripCard)
        case link(Text, Screen)
    }

    private let context: AppContext
    private let page: Bound<MyPageContent>
    private let summary: Bound<TravelSummaryViewModel.Content>
    private var list = RowList()
    private let opened = PublishRelay<Screen>()
    private let retryTapped = PublishRelay<Void>()
    private let backTapped = PublishRelay<Void>()
    private let bag = DisposeBag()

    init(
        _ viewModel: MyPageViewModel, _ summary: TravelSummaryViewModel, in context: AppContext,
        emit: @escaping @MainActor (ScreenEvent) -> Void
    ) {
        self.context = context
        let output = viewModel.transform(
            .init(
                opened: opened.asObservable(), retryTapped: retryTapped.asObservable(),
                backTapped: backTapped.asObservable()))
        output.events.emit(onNext: { emit($0) }).disposed(by: bag)
        page = Bound(output.content, initially: MyPageContent(user: nil), in: context, bag)
        self.summary = Bound(
            summary.transform(.init(retryTapped: retryTapped.asObservable())).content, initially: .nobody, in: context,
            bag)
    }

    private var content: MyPageContent { page.value }

    var title: String { context.language[.myPage] }

    var keys: [KeyLine.Item] {
        (hasFailed ? [context.item("r", .retry)] : []) + [
            context.item("↑↓", .move), context.item("↵", .open), context.item("n", .writeTrip),
            context.item(",", .settings), context.item("Esc", .back),
        ]
    }

    private var hasFailed: Bool {
        [content.trips, content.likedTrips].contains { if case .failed = $0 { true } else { false } }
    }

    func handle(_ event: InputEvent) -> Bool {
        guard case .key(let key) = event else { return false }
        let rows = rows
        list.setCount(rows.count)
        list.setVisible(rows.count)
        switch key {
        case .enter where rows.indices.contains(list.current):
            switch rows[list.current] {
            case .card(let card): opened.accept(.trip(card.id))
            case .link(_, let screen): opened.accept(screen)
            }
        case .character("n"): opened.accept(.newTrip)
        case .character(","): opened.accept(.settings)
        case .character("r"): retryTapped.accept(())
        case .escape, .character("q"), .backspace: backTapped.accept(())
        case .tab: list.select(list.current + 1)
        case .backTab: list.select(list.current - 1)
        default: return list.handle(key)
        }
        return true
    }

    /// The lines that can be opened, from top to bottom.
    private var rows: [Row] {
        guard content.user != nil else { return [.link(.signIn, .signIn), .link(.settings, .settings)] }
        return rows(content.trips, .myTrips) + rows(content.likedTrips, .likedTrips) + [
            .link(.writeTrip, .newTrip), .link(.profile, .profile), .link(.settings, .settings),
        ]
    }

    private func rows(_ section: MyPageContent.Section, _ screen: Screen) -> [Row] {
        guard case .loaded(let cards, let hasMore) = section else { return [] }
        return cards.map(Row.card) + (hasMore || !cards.isEmpty ? [.link(.seeAll, screen)] : [])
    }

    func render(into grid: inout Grid, in rect: Rect) {
        let rows = rows
        list.setCount(rows.count)
        list.setVisible(rows.count)
        var page = Page(columns: rect.columns - 2, language: context.language, current: list.current)
        if let user = content.user {
            page.line(context.language[.hello(user.nickname.text)], Styles.accent)
            if case .loaded(let summary) = summary.value { page.line(context.language[summary.text], Styles.dim) }
            page.section(.myTrips, content.trips, empty: .noTrips)
            page.section(.likedTrips, content.likedTrips, empty: .noLikedTrips)
            page.line("")
        } else {
            page.line(context.language[.signInHint], Styles.dim)
            page.line("")
        }
        for case .link(let text, let screen) in rows where screen != .myTrips && screen != .likedTrips {
            page.link(context.language[text])
        }
        page.render(into: &grid, in: rect.inset(columns: 1))
    }
}

/// A column of lines, some of which can be chosen; it scrolls so that the chosen one is visible.
private struct Page {
    private let columns: Int
    private let language: Language
    private let current: Int
    private var lines: [(text: String, style: Style)] = []
    private var linkCount = 0
    private var currentLine = 0

    init(columns: Int, language: Language, current: Int) {
        self.columns = max(1, columns)
        self.language = language
        self.current = current
    }

    mutating func line(_ text: String, _ style: Style = .plain) {
        lines += text.wrapped(toWidth: columns).map { ($0, style) }
    }

    mutating func link(_ text: String) {
        let isCurrent = linkCount == current
        if isCurrent { currentLine = lines.count }
        linkCount += 1
        lines.append(
            (
                ((isCurrent ? "▸ " : "  ") + text.onOneLine).truncated(toWidth: columns),
                isCurrent ? Styles.selection : .plain
            ))
    }

    mutating func section(_ title: Text, _ section: MyPageContent.Section, empty: Text) {
        line("")
        line(language[title], Styles.heading)
        switch section {
        case .loading: line("  \(language[.loading])", Styles.dim)
        case .failed(let failure): line("  \(failure.text(in: language))", Styles.error)
        case .loaded(let cards, let hasMore):
            if cards.isEmpty && !hasMore { line("  \(language[empty])", Styles.dim) }
            for card in cards {
                let row = TripRow(card, in: language)
                link("\(row.isLiked ? "♥" : "♡") \(row.likeCount)  \(row.title) · \(row.summary) · \(row.dates)")
            }
            if hasMore || !cards.isEmpty { link("\(language[.seeAll]) →") }
        }
    }

    func render(into grid: inout Grid, in rect: Rect) {
        let top = max(0, min(currentLine - rect.rows / 2, lines.count - rect.rows))
        for (row, line) in lines.dropFirst(top).prefix(rect.rows).enumerated() {
            if line.style == Styles.selection { grid.fill(rect.line(row), line.style) }
            grid.draw(line.text, in: rect.line(row), line.style)
        }
    }
}
