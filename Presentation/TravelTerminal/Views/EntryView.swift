/// The view of one entry of a trip: its whole text, and its place.
@MainActor
final class EntryView: ScreenView {
    private let context: AppContext
    private let id: TimelineEntry.ID
    private let content: Bound<EntryViewModel.Content>
    private let asksToDelete: Bound<Bool>
    private let retryTapped = PublishRelay<Void>()
    private let editTapped = PublishRelay<Void>()
    private let deleteTapped = PublishRelay<Void>()
    private let answered = PublishRelay<Bool>()
    private let backTapped = PublishRelay<Void>()
    private let bag = DisposeBag()
    private var top = 0
    private var visible = 1
    private var lineCount = 0
    private var dialog: Dialog?

    init(
        _ viewModel: EntryViewModel, of id: TimelineEntry.ID, in context: AppContext,
        emit: @escaping @MainActor (ScreenEvent) -> Void
    ) {
        self.context = context
        self.id = id
        let output = viewModel.transform(
            .init(
                retryTapped: retryTapped.asObservable(), editTapped: editTapped.asObservable(),
                deleteTapped: deleteTapped.asObservable(), answered: answered.asObservable(),
                backTapped: backTapped.asObservable()))
        asksToDelete = Bound(output.asksToDelete, initially: false, in: context, bag)
        output.events.emit(onNext: { emit($0) }).disposed(by: bag)
        content = Bound(output.content, initially: .init(), in: context, bag)
    }

    private var entry: TimelineEntry? { content.value.entry }

    private func follow() {
        dialog.ask(context.dialog(asksToDelete.value ? .deleteEntry(id) : nil, about: entry?.title))
    }

    var title: String { content.value.trip?.title.text.onOneLine ?? "" }

    var keys: [KeyLine.Item] {
        if asksToDelete.value { return context.dialogKeys(.cancel) }
        let own =
            content.value.isMine ? [context.item("e", .editEntry), context.item("d", .deleteEntry)] : []
        return [context.item("↑↓", .scroll)] + own + [context.item("Esc", .back)]
    }

    func handle(_ event: InputEvent) -> Bool {
        guard case .key(let key) = event else { return false }
        follow()
        if dialog != nil {
            if let isYes = dialog.handle(key).isYes { answered.accept(isYes) }
            return true
        }
        switch key {
        case .up, .character("k"): top = max(0, top - 1)
        case .down, .character("j"): top = min(max(0, lineCount - visible), top + 1)
        case .pageUp: top = max(0, top - visible)
        case .pageDown, .space: top = min(max(0, lineCount - visible), top + visible)
        case .character("e"): editTapped.accept(())
        case .character("d"): deleteTapped.accept(())
        case .character("r"): retryTapped.accept(())
        case .escape, .character("q"), .backspace: backTapped.accept(())
        default: return false
        }
        return true
    }

    func render(into grid: inout Grid, in rect: Rect) {
        var area = rect.inset(columns: 2)
        follow()
        defer { dialog?.render(into: &grid, in: rect) }
        guard let entry else {
            _ = area.takeTop(1)
            switch content.value.phase {
            case .loading: grid.draw(context.language[.loading], in: area, Styles.dim)
            case .gone: grid.draw(context.language[.entryGone], in: area, Styles.heading)
            case .failed(let failure):
                grid.draw(failure.text(in: context.language), in: area, Styles.error)
            case .shown: break
            }
            return
        }
        let days = content.value.trip?.days
        let day = days.map { " · \($0.first.adding(days: entry.day - 1).tabText(in: context.language))" } ?? ""
        grid.draw("\(context.language[.day(entry.day)])\(day) · \(entry.time)", in: area.takeTop(1), Styles.accent)
        grid.draw(entry.title.text.onOneLine.truncated(toWidth: area.columns), in: area.takeTop(1), Styles.heading)
        if let place = entry.place {
            let address = place.address.isEmpty ? "" : ", \(place.address.onOneLine)"
            grid.draw(
                "\(place.coordinate == nil ? "" : "⌖ ")\(place.name.onOneLine)\(address)".truncated(
                    toWidth: area.columns), in: area.takeTop(1), Styles.dim)
        }
        for picture in entry.pictures {
            let taken = picture.taken.map { " · \($0.day) \($0.time)" } ?? ""
            let text = picture.text?.text ?? context.language[.image]
            grid.draw(
                "▣ \(text)\(taken)\(picture.position?.coordinate == nil ? "" : " ⌖")".onOneLine.truncated(
                    toWidth: area.columns), in: area.takeTop(1), Styles.dim)
        }
        _ = area.takeTop(1)
        let lines = entry.text.text.wrapped(toWidth: max(1, area.columns))
        (lineCount, visible) = (lines.count, max(1, area.rows))
        top = min(top, max(0, lineCount - visible))
        for line in lines.dropFirst(top).prefix(area.rows) { grid.draw(line, in: area.takeTop(1)) }
    }
}
