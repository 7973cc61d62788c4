internal import TravelPages

/// What waits between this device and its server: conflicts, with both versions side by side, and trips that have vanished.
struct ChangesPage: ScreenPage {
    struct State: Equatable {
        /// `nil` until it is known.
        var content: SyncViewModel.Content?
    }

    enum Action: Hashable {
        case decided(SyncViewModel.Decision)
        case restore(Trip.ID), forget(Trip.ID)
        case retry, signIn
    }

    private let context: PageContext
    private let controls: Controls

    init(_ context: PageContext) {
        self.context = context
        controls = Controls(context)
    }

    func title(of state: State) -> String { context[.changes] }
    func isLoading(_ state: State) -> Bool { state.content == nil }

    // MARK: Inputs

    func actions(for input: PageInput, in state: State) -> [Action]? {
        guard case .control(let control) = input else { return nil }
        return switch control.name {
        case "decide": decision(control.argument, in: state).map { [.decided($0)] } ?? []
        case "restore": vanished(control, in: state).map { [.restore($0)] } ?? []
        case "forget": vanished(control, in: state).map { [.forget($0)] } ?? []
        case "retry": [.retry]
        case "sign-in": [.signIn]
        default: nil
        }
    }

    /// The decision that `12 mine` names, if that conflict still waits for it.
    private func decision(_ text: String, in state: State) -> SyncViewModel.Decision? {
        let parts = text.split(separator: " ")
        guard parts.count == 2, let conflict = state.content?.conflicts.first(where: { "\($0.id)" == parts[0] }),
            let choice = conflict.choices.first(where: { $0.name == parts[1] })
        else { return nil }
        return .init(conflict, choice)
    }

    private func vanished(_ control: PageInput.Control, in state: State) -> Trip.ID? {
        control.id().flatMap { id in state.content?.vanished.first { $0.id == id }?.id }
    }

    // MARK: View

    @HTML.Builder
    func view(of state: State) -> HTML {
        HTML("h1") { context[.changes] }
        if let content = state.content {
            status(content.status)
            if !content.conflicts.isEmpty {
                HTML("section", ["id": "conflicts", "aria-labelledby": "conflicts-title"]) {
                    HTML("h2", ["id": "conflicts-title"]) { context[.conflictsTitle] }
                    for conflict in content.conflicts { article(conflict) }
                }
            }
            if !content.vanished.isEmpty {
                HTML("section", ["id": "vanished", "aria-labelledby": "vanished-title"]) {
                    HTML("h2", ["id": "vanished-title"]) { context[.vanishedTitle] }
                    for trip in content.vanished { article(trip) }
                }
            }
        } else {
            controls.loading()
        }
    }

    private func status(_ status: SyncStatus) -> HTML {
        HTML("div", ["id": "status"]) {
            HTML("p", ["role": "status"]) { context[status.text(at: context.now) ?? .everythingSent] }
            if let problem = status.problem { HTML("p", ["class": "problem"]) { problem.text(in: context.language) } }
            if status.connection == .signedOut {
                HTML("p", ["class": "problem"]) { context[.sessionEnded] }
                HTML("p", ["class": "buttons"]) { controls.button(.init("sign-in"), .signIn, key: "s") }
            } else if status.connection != .online || status.pendingWrites > 0 || status.problem != nil {
                HTML("p", ["class": "buttons"]) { controls.button(.init("retry"), .retry, key: "r", style: "plain") }
            }
        }
    }

    // MARK: Conflicts

    private func article(_ conflict: TripConflict) -> HTML {
        HTML("article", ["id": "conflict-\(conflict.id)", "class": "whole conflict"]) {
            HTML("h3", ["dir": "auto"]) { context[conflict.text] }
            versions(conflict)
            HTML("p", ["class": "note"]) { context[.decisionHint] }
            HTML("div", ["class": "buttons"]) { for choice in conflict.choices { button(choice, conflict) } }
        }
    }

    @HTML.Builder
    private func versions(_ conflict: TripConflict) -> HTML {
        if conflict.mine != nil || conflict.theirs != nil {
            HTML("div", ["class": "sides"]) {
                version(conflict.mine, besides: conflict.theirs, .mine, id: "mine-\(conflict.id)", gone: .tripIsDeleted)
                version(
                    conflict.theirs, besides: conflict.mine, .theirs, id: "theirs-\(conflict.id)",
                    gone: .noStoredVersion)
            }
        }
    }

    /// One of two versions; what the other one does not have like this is marked.
    private func version(_ trip: RecordedTrip?, besides other: RecordedTrip?, _ title: Text, id: String, gone: Text)
        -> HTML
    {
        HTML("section", ["id": id, "aria-labelledby": "\(id)-title"]) {
            HTML("h4", ["id": "\(id)-title"]) { context[title] }
            if let trip {
                content(trip.content, besides: other?.content)
                timeline(trip.timeline, besides: other?.timeline)
            } else {
                HTML("p", ["class": "note"]) { context[gone] }
            }
        }
    }

    @HTML.Builder
    private func content(_ content: TripContent, besides other: TripContent?) -> HTML {
        HTML("p", ["dir": "auto"]) { marked(content.title.text, content.title == other?.title || other == nil) }
        HTML("p") { marked(context.language[.dates(content.days)], content.days == other?.days || other == nil) }
        HTML("ul", ["class": "facts"]) {
            for trait in content.traits(in: context.language) {
                HTML("li") { marked(trait, other.map { $0.traits(in: context.language).contains(trait) } ?? true) }
            }
        }
        HTML("p") {
            "\(context[.audience]): "
            marked(context[content.audience.level.names], other.map { $0.audience == content.audience } ?? true)
        }
    }

    /// The number of entries that are listed.
    private static let longestList = 50

    @HTML.Builder
    private func timeline(_ entries: [TimelineEntry], besides other: [TimelineEntry]?) -> HTML {
        let others = Dictionary((other ?? []).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let differing = other == nil ? [] : entries.filter { others[$0.id] != $0 }
        HTML("p") { context.language[.entries(entries.count)] }
        if !differing.isEmpty {
            HTML("ul") {
                for entry in differing.prefix(Self.longestList) {
                    HTML("li", ["dir": "auto"]) { line(entry, besides: others[entry.id]) }
                }
                if differing.count > Self.longestList {
                    HTML("li") { context[.furtherEntries(differing.count - Self.longestList)] }
                }
            }
        }
    }

    /// An entry with all in which it differs from the other version of it; `nil` for one that only this side has.
    @HTML.Builder
    private func line(_ entry: TimelineEntry, besides other: TimelineEntry?) -> HTML {
        let when = "\(context.language[.day(entry.day)]) \(entry.time)"
        if let other {
            marked(when, entry.day == other.day && entry.time == other.time)
            " "
            marked(entry.title.text, entry.title == other.title)
            if entry.place != other.place {
                HTML("p") {
                    "\(context[.place]): "
                    marked(entry.place.map { "\($0.name) \($0.address)" } ?? "–", false)
                }
            }
            if entry.text != other.text { text(of: entry, besides: other) }
            if entry.pictures != other.pictures {
                HTML("p") {
                    "\(context[.pictures]): "
                    marked("\(entry.pictures.count)", entry.pictures.count == other.pictures.count)
                    if entry.pictures.count == other.pictures.count { " (\(context[.differs]))" }
                }
            }
        } else {
            "\(when) "
            HTML("mark") { entry.title.text }
            " (\(context[.onlyHere]))"
        }
    }

    /// The number of lines of a text that are shown.
    private static let longestText = 12

    /// The beginning of the text, with the lines marked that the other one does not have.
    private func text(of entry: TimelineEntry, besides other: TimelineEntry) -> HTML {
        func lines(_ entry: TimelineEntry) -> [String] {
            entry.text.text.split(whereSeparator: \.isNewline).map(String.init)
        }
        let (lines, others) = (lines(entry), Set(lines(other)))
        return HTML("blockquote", ["dir": "auto"]) {
            for (index, line) in lines.prefix(Self.longestText).enumerated() {
                if index > 0 { HTML("br") }
                marked(line, others.contains(line))
            }
            if lines.isEmpty { "–" }
            if lines.count > Self.longestText { " …" }
        }
    }

    @HTML.Builder
    private func marked(_ text: String, _ isEqual: Bool) -> HTML {
        if isEqual { text } else { HTML("mark") { text } }
    }

    private func button(_ choice: SyncViewModel.Decision.Choice, _ conflict: TripConflict) -> HTML {
        let control = PageInput.Control("decide", "\(conflict.id) \(choice.name)")
        switch choice {
        case .keepMine: return controls.button(control, .keepMine)
        case .edit: return controls.button(control, .edit, style: "plain")
        case .keepCopy: return controls.button(control, .keepCopy, style: "plain")
        case .takeTheirs:
            let isLast = conflict.isLastVersion
            return controls.confirmed(
                control, isLast ? .letTripGo : .takeTheirs, question: isLast ? .letTripGoQuestion : .takeTheirsQuestion,
                id: "take-theirs-\(conflict.id)")
        }
    }

    // MARK: Vanished trips

    private func article(_ vanished: VanishedTrip) -> HTML {
        let content = vanished.trip.content
        return HTML("article", ["id": "vanished-\(vanished.id)", "class": "whole conflict"]) {
            HTML("h3", ["dir": "auto"]) { content.title.text }
            HTML("p") {
                "\(context.language[.dates(content.days)]) · \(context.language[.entries(vanished.trip.timeline.count)])"
            }
            HTML("div", ["class": "buttons"]) {
                controls.button(.init("restore", "\(vanished.id)"), .restore)
                controls.confirmed(
                    .init("forget", "\(vanished.id)"), .letTripGo, question: .letTripGoQuestion,
                    id: "forget-\(vanished.id)")
            }
        }
    }
}

extension SyncViewModel.Decision.Choice {
    /// Its name in a control.
    fileprivate var name: String {
        switch self {
        case .keepMine: "mine"
        case .takeTheirs: "theirs"
        case .edit: "edit"
        case .keepCopy: "copy"
        }
    }
}

/// The view model of what waits, bound once.
@MainActor
final class ChangesModel: PageModel {
    private let content: Bound<SyncViewModel.Content?>
    private let decided = PublishRelay<SyncViewModel.Decision>()
    private let restoreTapped = PublishRelay<Trip.ID>()
    private let forgetTapped = PublishRelay<Trip.ID>()
    private let retryTapped = PublishRelay<Void>()
    private let signInTapped = PublishRelay<Void>()
    private let bag = DisposeBag()

    init(_ viewModel: SyncViewModel, in context: AppContext, emit: @escaping @MainActor (ScreenEvent) -> Void) {
        let output = viewModel.transform(
            .init(
                decided: decided.asObservable(), restoreTapped: restoreTapped.asObservable(),
                forgetTapped: forgetTapped.asObservable(), retryTapped: retryTapped.asObservable(),
                signInTapped: signInTapped.asObservable()))
        output.events.emit(onNext: { emit($0) }).disposed(by: bag)
        content = Bound(output.content.map { .some($0) }, initially: nil, in: context, bag)
    }

    var state: ChangesPage.State { .init(content: content.value) }

    func send(_ action: ChangesPage.Action) {
        switch action {
        case .decided(let decision): decided.accept(decision)
        case .restore(let id): restoreTapped.accept(id)
        case .forget(let id): forgetTapped.accept(id)
        case .retry: retryTapped.accept(())
        case .signIn: signInTapped.accept(())
        }
    }
}

extension Text {
    fileprivate static let tripIsDeleted = Text("You deleted the trip.", "여행을 삭제했습니다.")
    fileprivate static let noStoredVersion = Text("There is no stored version.", "저장된 내용이 없습니다.")
    fileprivate static let decisionHint = Text("Which version should stay?", "어느 쪽을 남길까요?")
    fileprivate static let takeTheirsQuestion = Text("Your change will be lost.", "내 변경은 사라집니다.")
    fileprivate static let letTripGoQuestion = Text(
        "This is the only version left. The trip will be lost.", "하나 남은 내용입니다. 여행이 사라집니다.")
    fileprivate static let onlyHere = Text("only here", "여기에만 있음")
    fileprivate static let differs = Text("different ones", "서로 다름")

    fileprivate static func furtherEntries(_ count: Int) -> Text {
        Text("and \(count) more", "외 \(count)개")
    }
}
