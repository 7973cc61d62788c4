internal import TravelPages

/// One entry of a trip, with its pictures and its whole text.
struct EntryPage: ScreenPage {
    struct State: Equatable {
        let id: TimelineEntry.ID
        var content = EntryViewModel.Content()
        var asksToDelete = false
        var isDeleting = false
    }

    enum Action: Hashable { case retry, edit, delete, answered(Bool) }

    private let context: PageContext
    private let controls: Controls

    init(_ context: PageContext) {
        self.context = context
        controls = Controls(context)
    }

    func title(of state: State) -> String {
        let parts = [state.content.entry?.title.text, state.content.trip?.title.text].compactMap(\.self)
        return parts.isEmpty ? context[.entry] : parts.joined(separator: " · ")
    }

    func isLoading(_ state: State) -> Bool { state.content.phase == .loading || state.isDeleting }

    // MARK: Inputs

    func actions(for input: PageInput, in state: State) -> [Action]? {
        guard case .control(let control) = input else { return nil }
        return switch control.name {
        case "retry": [.retry]
        case "edit": [.edit]
        case "delete": [.delete]
        case "answer":
            (control.answer.asking == .init("delete") ? [.delete] : []) + [.answered(control.answer.isYes)]
        default: nil
        }
    }

    // MARK: View

    @HTML.Builder
    func view(of state: State) -> HTML {
        switch state.content.phase {
        case .loading: controls.loading()
        case .gone: controls.gone(.entryGone)
        case .failed(let failure): controls.failure(failure, retry: .init("retry"))
        case .shown(let entry): article(entry, state)
        }
        if state.asksToDelete {
            controls.question(
                (state.content.entry.map { "\($0.title.text)\n" } ?? "") + context[.deleteEntryQuestion],
                yes: .deleteEntry, asking: .init("delete"))
        }
    }

    private func article(_ entry: TimelineEntry, _ state: State) -> HTML {
        let body = EntryBody(entry, of: state.content.trip, controls)
        return HTML("article", ["id": "entry", "class": "whole"]) {
            if let trip = state.content.trip {
                HTML("p", ["class": "dates"]) {
                    HTML(
                        "a",
                        ["href": context.address(of: .trip(trip.id, day: entry.day)), "dir": "auto", "data-key": "t"]
                    ) {
                        trip.title.text
                    }
                }
            }
            HTML("h1", ["dir": "auto"]) { entry.title.text }
            HTML("p", ["class": "dates"]) { HTML("time") { time(of: entry, state.content.trip) } }
            if state.content.isMine {
                HTML("p", ["class": "buttons"]) {
                    controls.button(.init("edit"), .editEntry, key: "e")
                    controls.button(.init("delete"), .deleteEntry, key: "d", style: "plain")
                }
            }
            body.place
            pictures(of: entry, body)
            body.text
        }
    }

    private func time(of entry: TimelineEntry, _ trip: Trip?) -> String {
        let date = trip.map { " · \(context.language[.date($0.days.first.adding(days: entry.day - 1))])" } ?? ""
        return "\(context.language[.day(entry.day)])\(date) · \(entry.time)"
    }

    @HTML.Builder
    private func pictures(of entry: TimelineEntry, _ body: EntryBody) -> HTML {
        if !entry.pictures.isEmpty {
            HTML("div", ["id": "pictures", "class": entry.pictures.count == 1 ? "pictures one" : "pictures"]) {
                for picture in entry.pictures { figure(picture, body) }
            }
        }
    }

    private func figure(_ picture: Picture, _ body: EntryBody) -> HTML {
        let taken = picture.taken.map { "\(context.language[.date($0.day)]), \($0.time)" }
        return HTML("figure") {
            body.link(to: picture)
            if picture.text != nil || taken != nil {
                HTML("figcaption") {
                    if let text = picture.text { HTML("span", ["dir": "auto"]) { text.text } }
                    if picture.text != nil, taken != nil { " · " }
                    if let taken { HTML("time") { taken } }
                }
            }
        }
    }
}

/// The view model of an entry, bound once.
@MainActor
final class EntryModel: PageModel {
    private let id: TimelineEntry.ID
    private let content: Bound<EntryViewModel.Content>
    private let asksToDelete: Bound<Bool>
    private let isDeleting: Bound<Bool>
    private let retryTapped = PublishRelay<Void>()
    private let editTapped = PublishRelay<Void>()
    private let deleteTapped = PublishRelay<Void>()
    private let answered = PublishRelay<Bool>()
    private let bag = DisposeBag()

    init(
        _ viewModel: EntryViewModel, of id: TimelineEntry.ID, in context: AppContext,
        emit: @escaping @MainActor (ScreenEvent) -> Void
    ) {
        self.id = id
        let output = viewModel.transform(
            .init(
                retryTapped: retryTapped.asObservable(), editTapped: editTapped.asObservable(),
                deleteTapped: deleteTapped.asObservable(), answered: answered.asObservable()))
        isDeleting = Bound(output.isDeleting, initially: false, in: context, bag)
        asksToDelete = Bound(output.asksToDelete, initially: false, in: context, bag)
        output.events.emit(onNext: { emit($0) }).disposed(by: bag)
        content = Bound(output.content, initially: .init(), in: context, bag)
    }

    var state: EntryPage.State {
        .init(id: id, content: content.value, asksToDelete: asksToDelete.value, isDeleting: isDeleting.value)
    }

    func send(_ action: EntryPage.Action) {
        switch action {
        case .retry: retryTapped.accept(())
        case .edit: editTapped.accept(())
        case .delete: deleteTapped.accept(())
        case .answered(let isYes): answered.accept(isYes)
        }
    }
}

extension Text {
    fileprivate static let entry = Text("Entry", "기록")
}
