import TravelPresentation

/// The screens of the travel log as lines of text: shows the screen on top, and turns each typed line into an action.
@MainActor
final class LineEdge {
    private let run: AppRun
    private var entry = EntryViewModel.Content()
    private var bags: [AppRun.OpenModel.ID: DisposeBag] = [:]
    private var notice: Notice?
    private(set) var hasEnded = false

    /// - Parameter changed: Called when ``text`` may have changed.
    init(_ useCases: ScreenUseCases, language: Language, changed: @escaping () -> Void) {
        run = AppRun(useCases, in: AppContext(language: language))
        run.context.changed = changed
        run.start { [weak self] in self?.follow($0) }
    }

    private func follow(_ change: AppRun.Change) {
        switch change {
        case .opened(let screen): appear(screen)
        case .closed(let id): bags[id] = nil
        case .returned: break
        case .notice(let notice): self.notice = notice
        case .ended: hasEnded = true
        }
        run.context.changed()
    }

    private func appear(_ screen: AppRun.OpenModel) {
        switch screen.model {
        case .list(let store): store.send(.appeared)
        case .trip(let store): store.send(.appeared)
        case .entry(let viewModel, _):
            let bag = DisposeBag()
            let output = viewModel.transform(.init())
            output.content.drive(onNext: { [weak self] content in
                self?.entry = content
                self?.run.context.changed()
            }).disposed(by: bag)
            bags[screen.id] = bag
        default: break
        }
    }

    /// The screen on top, and the message that is shown once.
    var text: String {
        let language = run.context.language
        let lines =
            switch run.screens.last?.model {
            case .list(let store): list(store.state, language)
            case .trip(let store): trip(store.state, language)
            case .entry: [entry.entry?.title.text, entry.entry?.text.text].compactMap { $0 }
            default: ["This program does not show that screen; b goes back."]
            }
        return (lines + [notice?.text(in: language)].compactMap { $0 }).joined(separator: "\n")
    }

    private func list(_ state: HomeFlow.State, _ language: Language) -> [String] {
        switch state.content {
        case .skeleton: ["…"]
        case .empty: ["No trips"]
        case .failed(let failure): [failure.text(in: language)]
        case .rows(let cards):
            zip(1..., cards).map { number, card in
                let row = TripRow(card, in: language)
                return "\(number) \(row.title) · \(row.summary) · \(row.isLiked ? "♥" : "♡") \(row.likeCount)"
            } + (state.footer == .more ? ["Return shows more."] : [])
        }
    }

    private func trip(_ state: TimelineFlow.State, _ language: Language) -> [String] {
        guard let header = state.header else { return ["…"] }
        let row = TripRow(header, in: language)
        return ["\(row.title) · \(row.dates) · day \(state.day) · \(row.isLiked ? "♥" : "♡") \(row.likeCount)"]
            + state.cards.map { "\($0.number) \($0.entry.time) \($0.entry.title.text)" }
    }

    /// Handles a line that was typed.
    func type(_ line: String) {
        notice = nil
        switch (line, run.screens.last?.model) {
        case ("b", _): run.back()
        case ("", .list(let store)): store.send(.reachedEnd)
        case (let text, .list(let store)) where text.hasPrefix("/"):
            store.send(.search(.opened))
            store.send(.search(.typed(String(text.dropFirst()))))
            store.send(.search(.submitted))
        case (let text, .list(let store)):
            guard case .rows(let cards) = store.state.content, let number = Int(text),
                cards.indices.contains(number - 1)
            else { return }
            store.send(.tripTapped(cards[number - 1].id))
        case ("l", .trip(let store)): store.send(.likeTapped)
        case ("n", .trip(let store)): store.send(.nextDayPicked)
        case ("p", .trip(let store)): store.send(.previousDayPicked)
        case (let text, .trip(let store)):
            guard let card = store.state.cards.first(where: { String($0.number) == text }) else { return }
            store.send(.entryTapped(card.id))
        default: break
        }
    }
}
