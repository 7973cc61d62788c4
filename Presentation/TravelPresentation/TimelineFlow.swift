/// One trip with its timeline: header, day tabs, the cards of a day, and what can be done with them.
///
/// A flow, because a like, a question that waits for its answer and the work that follows all depend on a trip that
/// may change elsewhere in the meantime.
///
/// - The trip is watched: what changes elsewhere changes here, and a trip that is deleted, or that the user no
///   longer sees, says so.
/// - A like shows immediately and is rolled back when the store refuses it.
/// - Reporting, blocking and deleting ask first. One of them runs at a time.
/// - Only the author edits, moves and deletes; only others report and block.
/// - An entry moves up and down among those of its time, at once and without a question. While one move is stored, others
///   are ignored.
///
/// The map of a day is another view of the same flow: it shows ``State/stops``.
public struct TimelineFlow: Flow {
    public typealias Event = ScreenEvent

    public let initialState: State
    private let useCases: ScreenUseCases
    private let user: Observable<User?>

    /// Creates the screen of a trip, opened on a day, 1-based; a day that the trip does not have becomes the nearest one.
    /// `user` is the signed-in user, now and after each change; it does not fail.
    public init(_ useCases: ScreenUseCases, trip: Trip.ID, day: Int = 1, user: Observable<User?>) {
        self.useCases = useCases
        self.user = user
        initialState = State(trip, day: day)
    }

    public func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .watchUser: user.map(Action.userChanged)
        case .watchTrip(let id):
            useCases.showTrip(id).asObservable().map { .arrived(.success($0)) }
                .catch { .just(.arrived(.failure(ScreenFailure($0)))) }
        case .setLiked(let isLiked, let id):
            .task { [useCases] in
                .likeEnded(isLiked, await Outcome { try await useCases.likeTrip(isLiked, trip: id) })
            }
        case .report(let id): .task { [useCases] in .reportEnded(await Result { try await useCases.reportTrip(id) }) }
        case .block(let author):
            .task { [useCases] in
                let outcome = await Outcome { try await useCases.blockAuthor(author) }
                return .workEnded(.block, outcome.failure.map(Result.failure) ?? .success(nil))
            }
        case .deleteTrip(let id):
            .task { [useCases] in .workEnded(.deleteTrip, await Result { try await useCases.deleteTrip(id) }) }
        case .deleteEntry(let entry, let id):
            .task { [useCases] in
                .workEnded(.deleteEntry(entry), await Result { try await useCases.deleteEntry(entry, id) })
            }
        case .moveEntry(let entry, let placement, let id):
            .task { [useCases] in
                .moveEnded(await Outcome { try await useCases.moveEntry(entry, placement, in: id) })
            }
        }
    }

    public func unanswered(_ sideEffect: SideEffect) -> Action? {
        switch sideEffect {
        case .watchUser: nil
        case .watchTrip: .arrived(.failure(.unknown))
        case .setLiked(let isLiked, _): .likeEnded(isLiked, .failed(.unknown))
        case .report: .reportEnded(.failure(.unknown))
        case .block: .workEnded(.block, .failure(.unknown))
        case .deleteTrip: .workEnded(.deleteTrip, .failure(.unknown))
        case .deleteEntry(let entry, _): .workEnded(.deleteEntry(entry), .failure(.unknown))
        case .moveEntry: .moveEnded(.failed(.unknown))
        }
    }
}

extension TimelineFlow {
    public struct State: Equatable, Sendable {
        public let id: Trip.ID
        /// The chosen day, 1-based; always a day of the trip once that is known.
        public internal(set) var day: Int
        public internal(set) var phase = Phase.loading
        /// The trip with the like to show; `nil` until it arrives.
        public internal(set) var header: TripCard?
        /// The whole timeline, ordered by day and time.
        public internal(set) var timeline: [TimelineEntry] = []
        /// The way of the recorded track from which the trip was imported, if it was.
        public internal(set) var track: TrackGeometry?
        public internal(set) var question: Question?
        /// The work that an answer has started and that has not ended.
        public internal(set) var working: Question?
        public internal(set) var user: User?
        var knowsUser = false
        /// Whether the trip was reported to be gone while it is being deleted, or its author blocked.
        var isLost = false
        var likes = PendingLikes()

        init(_ id: Trip.ID, day: Int) {
            self.id = id
            self.day = max(day, 1)
        }
    }

    public enum Phase: Hashable, Sendable {
        case loading
        case shown
        case gone
        case failed(ScreenFailure)
    }

    /// A question before the trip is reported, its author blocked, or something deleted.
    public enum Question: Hashable, Sendable {
        case report
        case block
        case deleteTrip
        case deleteEntry(TimelineEntry.ID)

        public var text: Text {
            switch self {
            case .report: .reportQuestion
            case .block: .blockQuestion
            case .deleteTrip: .deleteTripQuestion
            case .deleteEntry: .deleteEntryQuestion
            }
        }

        public var yes: Text {
            switch self {
            case .report: .report
            case .block: .block
            case .deleteTrip, .deleteEntry: .delete
            }
        }
    }
}

extension TimelineFlow.State {
    /// The tabs of the days; empty until the trip arrives.
    public var tabs: DayTabs? { header.map { DayTabs($0.trip.days) } }

    /// The cards of the chosen day, in order of time.
    public var cards: [EntryCard] { [EntryCard](timeline, day: day) }

    /// The stops of the chosen day, in order of time.
    public var stops: [MapStop] { cards.compactMap(MapStop.init) }

    /// The title of what the open question would delete; `nil` if it would delete nothing.
    public var titleToDelete: Title? {
        switch question {
        case .deleteTrip: header?.trip.title
        case .deleteEntry(let id): timeline.first { $0.id == id }?.title
        case .report, .block, nil: nil
        }
    }

    /// Whether the user is the author and may therefore edit and delete.
    public var isMine: Bool { header?.trip.isMine ?? false }
}

extension TimelineFlow {
    /// The user's actions on the timeline, and the answers of its side effects.
    public enum Action: Equatable, Sendable {
        /// The screen appeared. Appearing again has no effect.
        case appeared
        case retryTapped
        /// A day was picked, 1-based; a day that the trip does not have picks the nearest one.
        case dayPicked(Int)
        case nextDayPicked
        case previousDayPicked
        case likeTapped
        /// The report button was tapped: asks first.
        case reportTapped
        /// The button that blocks the author was tapped: asks first.
        case blockTapped
        case editTapped
        /// The button that deletes the trip was tapped: asks first.
        case deleteTapped
        case addEntryTapped
        case entryTapped(TimelineEntry.ID)
        case editEntryTapped(TimelineEntry.ID)
        /// The button that deletes an entry was tapped: asks first.
        case deleteEntryTapped(TimelineEntry.ID)
        /// An entry was moved before the previous one of its time.
        case moveEntryUpTapped(TimelineEntry.ID)
        /// An entry was moved after the next one of its time.
        case moveEntryDownTapped(TimelineEntry.ID)
        case mapTapped
        case answered(Bool)
        /// The back button was tapped: closes the screen.
        case backTapped
        case returned(ScreenResult)

        case userChanged(User?)
        case arrived(Result<TripDetails, ScreenFailure>)
        case likeEnded(Bool, Outcome)
        case reportEnded(Result<Bool, ScreenFailure>)
        /// The work that an answer has started has ended; a deletion that can be undone says which one it was.
        case workEnded(Question, Result<UndoableDeletion?, ScreenFailure>)
        case moveEnded(Outcome)
    }

    public enum SideEffect: Equatable, Sendable {
        case watchUser
        case watchTrip(Trip.ID)
        case setLiked(Bool, Trip.ID)
        case report(Trip.ID)
        case block(User.ID)
        case deleteTrip(Trip.ID)
        case deleteEntry(TimelineEntry.ID, Trip.ID)
        case moveEntry(TimelineEntry.ID, TimelineEntry.Placement, Trip.ID)
    }
}

/// The tab of one day of a trip.
public struct DayTab: Hashable, Sendable, Identifiable {
    /// The number of the day in the trip, 1-based.
    public let number: Int
    public let day: CalendarDay

    public var id: Int { number }

    /// The text of the tab: the day of the month and of the week, `"05 Fri"`, `"05 금"`.
    public func text(in language: Language) -> String { day.tabText(in: language) }
}

/// The tabs of the days of a trip. They are made when they are read: a trip may have thousands of days.
public struct DayTabs: RandomAccessCollection, Hashable, Sendable {
    private let days: DayRange

    init(_ days: DayRange) {
        self.days = days
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { days.count }

    public subscript(position: Int) -> DayTab {
        DayTab(number: position + 1, day: days.first.adding(days: position))
    }
}

/// One entry of a timeline, as a card.
public struct EntryCard: Hashable, Sendable, Identifiable {
    public let entry: TimelineEntry
    /// The number of the entry in the timeline of the trip, from 1: the same on every day, on the map, in commands
    /// and in exported files.
    public let number: Int

    public static let previewLength = 40

    public var id: TimelineEntry.ID { entry.id }

    /// The beginning of the text on one line: its first 40 characters (extended grapheme clusters), and `…` if there
    /// are more. Line breaks and repeated blanks become one space.
    public var preview: String {
        let text = entry.text.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let beginning = text.prefix(Self.previewLength)
        return beginning.endIndex == text.endIndex ? text : "\(beginning)…"
    }
}

extension [EntryCard] {
    /// The cards of one day, in order of time.
    init(_ timeline: [TimelineEntry], day: Int) {
        self = timeline.enumerated().filter { $1.day == day }.map { EntryCard(entry: $1, number: $0 + 1) }
    }
}

/// One stop on the map of a day.
public struct MapStop: Hashable, Sendable, Identifiable {
    /// The number of the entry in the timeline of the trip, from 1, as ``EntryCard/number``.
    public let number: Int
    public let entry: TimelineEntry
    public let place: Place
    public let coordinate: Coordinate

    public var id: TimelineEntry.ID { entry.id }

    /// The stop of a card; `nil` for a card without a place on the map.
    init?(_ card: EntryCard) {
        guard let place = card.entry.place, let coordinate = place.coordinate else { return nil }
        self.number = card.number
        self.entry = card.entry
        self.place = place
        self.coordinate = coordinate
    }
}

extension TimelineFlow {
    public func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, ScreenEvent> {
        switch action {
        case .appeared:
            return .exhausting(.watchUser).and(.exhausting(.watchTrip(state.id)))
        case .retryTapped:
            guard state.phase != .loading else { return .none }
            if state.header == nil { state.phase = .loading }
            return .latest(.watchTrip(state.id))
        case .arrived(.success(let details)):
            state.show(details)
            return .none
        case .arrived(.failure(let failure)): return state.lose(failure)
        case .userChanged(let user): return state.change(to: user)
        case .dayPicked(let day):
            state.pick(day)
            return .none
        case .nextDayPicked: return reduce(&state, .dayPicked(state.day + 1))
        case .previousDayPicked: return reduce(&state, .dayPicked(state.day - 1))
        case .likeTapped: return state.like()
        case .likeEnded(let isLiked, let outcome): return state.endLike(isLiked, outcome)
        case .reportTapped: return state.ask(.report, ofAuthor: false)
        case .blockTapped: return state.ask(.block, ofAuthor: false)
        case .deleteTapped: return state.ask(.deleteTrip, ofAuthor: true)
        case .deleteEntryTapped(let entry):
            guard state.timeline.contains(where: { $0.id == entry }) else { return .none }
            return state.ask(.deleteEntry(entry), ofAuthor: true)
        case .moveEntryUpTapped(let entry): return state.move(entry, state.timeline.placementAbove(entry))
        case .moveEntryDownTapped(let entry): return state.move(entry, state.timeline.placementBelow(entry))
        case .moveEnded(let outcome): return outcome.failure.map { .event(.notice(.failed($0))) } ?? .none
        case .answered(let isYes): return state.answer(isYes)
        case .reportEnded(let result): return state.endReport(result)
        case .workEnded(let work, let result): return state.end(work, result)
        case .editTapped: return state.isMine ? .event(.open(.tripEditor(state.id))) : .none
        case .addEntryTapped: return state.isMine ? .event(.open(.newEntry(in: state.id, day: state.day))) : .none
        case .editEntryTapped(let entry):
            return state.isMine ? .event(.open(.entryEditor(entry, in: state.id))) : .none
        case .entryTapped(let entry): return .event(.open(.entry(entry, in: state.id)))
        case .mapTapped: return state.phase == .shown ? .event(.open(.map(state.id, day: state.day))) : .none
        case .backTapped: return .event(.close(nil))
        case .returned(.savedEntry(_, let day)):
            return reduce(&state, .dayPicked(day))
        case .returned(.removedTrip(state.id)): return .event(.close(.removedTrip(state.id)))
        case .returned: return .none
        }
    }
}

extension TimelineFlow.State {
    // MARK: The trip

    fileprivate mutating func show(_ details: TripDetails) {
        phase = .shown
        header = TripCard(details.trip, wanted: likes.wanted(id))
        timeline = details.timeline
        track = details.track
        pick(day)
        if case .deleteEntry(let entry) = question, !timeline.contains(where: { $0.id == entry }) { question = nil }
        if isMine ? question == .report || question == .block : question == .deleteTrip { question = nil }
    }

    fileprivate mutating func lose(_ failure: ScreenFailure) -> TimelineFlow.Requests {
        switch failure {
        case .domain(.notFound):
            // A deletion or a block in progress closes the screen when it ends.
            isLost = working == .deleteTrip || working == .block
            if !isLost { becomeGone() }
            return .none
        default:
            if header == nil {
                phase = .failed(failure)
                return .none
            }
            // The last loaded trip stays; a retry observes it again.
            return .event(.notice(.failed(failure)))
        }
    }

    fileprivate mutating func change(to user: User?) -> TimelineFlow.Requests {
        let wasKnown = knowsUser
        let isSame = user?.id == self.user?.id
        self.user = user
        knowsUser = true
        // The first answer names the viewer for whom the trip is being loaded already.
        guard wasKnown, !isSame else { return .none }
        forget()
        phase = .loading
        return .cancel(id).and(.cancel(TimelineFlow.work)).and(.cancel(TimelineFlow.move)).and(.latest(.watchTrip(id)))
    }

    private mutating func becomeGone() {
        forget()
        phase = .gone
    }

    private mutating func forget() {
        isLost = false
        header = nil
        timeline = []
        track = nil
        question = nil
        working = nil
        _ = likes.cancel()
    }

    fileprivate mutating func pick(_ day: Int) {
        self.day = min(max(day, 1), header?.trip.days.count ?? max(day, 1))
    }

    // MARK: Likes

    fileprivate mutating func like() -> TimelineFlow.Requests {
        guard user != nil else { return .event(.open(.signIn)) }
        guard let header else { return .none }
        let wanted = !header.like.isLiked
        self.header?.show(wanted)
        return likes.want(wanted, id) ? .inOrder(.setLiked(wanted, id), id: id) : .none
    }

    fileprivate mutating func endLike(
        _ isLiked: Bool, _ outcome: Outcome
    ) -> TimelineFlow.Requests {
        let end = likes.finish(id, succeeded: outcome == .done)
        if outcome == .done { header?.store(isLiked) }
        if case .send(let wanted) = end { header?.show(wanted) } else { header?.rollBack() }
        switch end {
        case .settled: return .none
        case .send(let wanted): return .inOrder(.setLiked(wanted, id), id: id)
        case .rolledBack: return outcome.failure.map { .event(.notice(.failed($0))) } ?? .none
        }
    }

    // MARK: Moves

    fileprivate func move(
        _ entry: TimelineEntry.ID, _ placement: TimelineEntry.Placement?
    ) -> TimelineFlow.Requests {
        guard phase == .shown, working == nil, isMine, let placement else { return .none }
        guard user != nil else { return .event(.open(.signIn)) }
        return .exhausting(.moveEntry(entry, placement, id), id: TimelineFlow.move)
    }

    // MARK: Questions

    fileprivate mutating func ask(
        _ question: TimelineFlow.Question, ofAuthor: Bool
    ) -> TimelineFlow.Requests {
        guard phase == .shown, working == nil, isMine == ofAuthor else { return .none }
        guard user != nil else { return .event(.open(.signIn)) }
        self.question = question
        return .none
    }

    fileprivate mutating func answer(_ isYes: Bool) -> TimelineFlow.Requests {
        guard let question, let author = header?.trip.author.id else { return .none }
        self.question = nil
        guard isYes else { return .none }
        working = question
        let sideEffect: TimelineFlow.SideEffect =
            switch question {
            case .report: .report(id)
            case .block: .block(author)
            case .deleteTrip: .deleteTrip(id)
            case .deleteEntry(let entry): .deleteEntry(entry, id)
            }
        return .run(sideEffect, id: TimelineFlow.work)
    }

    fileprivate mutating func endReport(
        _ result: Result<Bool, ScreenFailure>
    ) -> TimelineFlow.Requests {
        working = nil
        switch result {
        case .success(let isNew): return .event(.notice(.done(isNew ? .reported : .alreadyReported)))
        case .failure(let failure): return .event(.notice(.failed(failure)))
        }
    }

    fileprivate mutating func end(
        _ work: TimelineFlow.Question, _ result: Result<UndoableDeletion?, ScreenFailure>
    ) -> TimelineFlow.Requests {
        working = nil
        switch (work, result) {
        case (_, .failure(let failure)):
            if isLost { becomeGone() }
            return .event(.notice(.failed(failure)))
        case (.report, _): return .none
        case (.block, _): return .event(.notice(.done(.blocked))).and(.event(.close(.removedTrip(id))))
        case (.deleteEntry, .success(let deletion)): return .event(.notice(deletion?.notice ?? .done(.entryDeleted)))
        case (.deleteTrip, .success(let deletion)):
            return .event(.notice(deletion?.notice ?? .done(.tripDeleted))).and(.event(.close(.removedTrip(id))))
        }
    }
}

extension TimelineFlow {
    fileprivate typealias Requests = Next<SideEffect, ScreenEvent>

    /// The ID of the effect that a confirmed question starts.
    fileprivate static let work = "work"
    /// The ID of the effect that moves an entry.
    fileprivate static let move = "move"
}
