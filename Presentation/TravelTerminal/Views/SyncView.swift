/// What waits between this device and its server: conflicts, and trips that have vanished.
@MainActor
final class SyncView: ScreenView {
    private enum Row {
        case conflict(TripConflict)
        case vanished(VanishedTrip)
    }

    private let context: AppContext
    private let content: Bound<SyncViewModel.Content>
    private let decided = PublishRelay<SyncViewModel.Decision>()
    private let restoreTapped = PublishRelay<Trip.ID>()
    private let forgetTapped = PublishRelay<Trip.ID>()
    private let retryTapped = PublishRelay<Void>()
    private let signInTapped = PublishRelay<Void>()
    private let backTapped = PublishRelay<Void>()
    private let bag = DisposeBag()
    private var list = RowList()
    private var question: (row: Row, dialog: Dialog)?
    @Dependency(\.date) private var date

    init(_ viewModel: SyncViewModel, in context: AppContext, emit: @escaping @MainActor (ScreenEvent) -> Void) {
        self.context = context
        let output = viewModel.transform(
            .init(
                decided: decided.asObservable(), restoreTapped: restoreTapped.asObservable(),
                forgetTapped: forgetTapped.asObservable(), retryTapped: retryTapped.asObservable(),
                signInTapped: signInTapped.asObservable(), backTapped: backTapped.asObservable()))
        output.events.emit(onNext: { emit($0) }).disposed(by: bag)
        content = Bound(output.content, initially: .init(), in: context, bag)
    }

    var title: String { context.language[.changes] }

    var keys: [KeyLine.Item] {
        if question != nil { return [context.item("←→", .choose), context.item("Esc", .cancel)] }
        let ask = isSignedOut ? context.item("s", .signIn) : context.item("r", .retry)
        return [context.item("↑↓", .move), context.item("↵", .choose), ask, context.item("Esc", .back)]
    }

    private var isSignedOut: Bool { content.value.status.connection == .signedOut }
    private var rows: [Row] { content.value.conflicts.map(Row.conflict) + content.value.vanished.map(Row.vanished) }

    func handle(_ event: InputEvent) -> Bool {
        guard case .key(let key) = event else { return false }
        if let row = question?.row, let outcome = question?.dialog.handle(key) {
            if outcome != .pending { question = nil }
            if case .chosen(let index) = outcome { answer(row, index) }
            return true
        }
        let rows = rows
        list.setCount(rows.count)
        switch key {
        case .enter where rows.indices.contains(list.current):
            question = (rows[list.current], dialog(about: rows[list.current]))
        case .character("s") where isSignedOut: signInTapped.accept(())
        case .character("r"): retryTapped.accept(())
        case .escape, .character("q"), .backspace: backTapped.accept(())
        default: return list.handle(key)
        }
        return true
    }

    private func dialog(about row: Row) -> Dialog {
        let language = context.language
        switch row {
        case .conflict(let conflict):
            let message = ([conflict.text] + conflict.differences).map { language[$0] }.joined(separator: "\n")
            let buttons = conflict.choices.map { choice -> Text in
                switch choice {
                case .keepMine: .keepMine
                case .takeTheirs: conflict.isLastVersion ? .letTripGo : .takeTheirs
                case .edit: .edit
                case .keepCopy: .keepCopy
                }
            }
            return Dialog(title: language[.conflictsTitle], message: message, buttons: buttons.map { language[$0] })
        case .vanished(let vanished):
            return Dialog(
                title: language[.vanishedTitle], message: vanished.trip.content.title.text,
                buttons: [language[.restore], language[.forget]])
        }
    }

    private func answer(_ row: Row, _ index: Int) {
        switch row {
        case .conflict(let conflict):
            decided.accept(.init(conflict, conflict.choices[index]))
        case .vanished(let vanished):
            (index == 0 ? restoreTapped : forgetTapped).accept(vanished.id)
        }
    }

    func render(into grid: inout Grid, in rect: Rect) {
        var area = rect.inset(columns: 2, rows: 1)
        let (language, rows) = (context.language, rows)
        let status = content.value.status.text(at: date.now) ?? .everythingSent
        grid.draw(language[status], in: area.takeTop(1), Styles.dim)
        if let problem = content.value.status.problem {
            grid.draw(problem.text(in: language), in: area.takeTop(1), Styles.error)
        }
        if isSignedOut { grid.draw(language[.sessionEnded], in: area.takeTop(1), Styles.error) }
        _ = area.takeTop(1)
        list.setCount(rows.count)
        list.setVisible(area.rows)
        list.render(into: &grid, in: area) { index, row, isCurrent, grid in
            let text: String =
                switch rows[index] {
                case .conflict(let conflict): language[conflict.text]
                case .vanished(let vanished): "\(language[.vanishedTitle]): \(vanished.trip.content.title)"
                }
            grid.drawRow(text, in: row, isCurrent)
        }
        question?.dialog.render(into: &grid, in: rect)
    }
}
