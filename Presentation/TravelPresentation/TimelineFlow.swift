/// One travel with its timeline: header, day tabs, the cards of a day, and what can be done with them.
///
/// A flow, because a like, a question that waits for its answer and the work that follows all depend on a travel that
/// may change elsewhere in the meantime.
///
/// - The travel is watched: what changes elsewhere changes here, and a travel that is deleted, or that the person no
///   longer sees, says so.
/// - A like shows immediately and is rolled back when the store refuses it.
/// - Reporting, blocking and deleting ask first. One of them runs at a time.
/// - Only the author edits and deletes; only others report and block.
///
/// ```swift
/// let timeline = FlowStore(TimelineFlow(useCases, travel: id, person: person))
/// timeline.send(.appeared)
/// timeline.state.select(\.cards).drive(onNext: list.show).disposed(by: bag)
/// timeline.send(.dayPicked(2))
/// ```
///
/// The map of a day and the detail of an entry are views of the same flow: they show ``State/stops`` and
/// ``State/entry``.
public struct TimelineFlow: Flow {
    /// The events that the screen raises: opening others, closing, and notices.
    public typealias Event = ScreenEvent

    /// The state before the first action: the travel is loading.
    public let initialState: State
    private let useCases: UseCases
    private let person: Observable<User?>

    /// Creates the screen of a travel, opened on a day.
    ///
    /// - Parameters:
    ///   - useCases: The functions of the domain that the screen calls.
    ///   - travel: The ID of the travel.
    ///   - day: The day to begin with, 1-based; a day that the travel does not have becomes the nearest one.
    ///   - person: The signed-in person, now and after each change; `nil` if nobody is. It does not fail.
    public init(_ useCases: UseCases, travel: Travel.ID, day: Int = 1, person: Observable<User?>) {
        self.useCases = useCases
        self.person = person
        initialState = State(travel, day: day)
    }

    /// Creates the screen of one entry, which closes when the entry is deleted here.
    ///
    /// - Parameters:
    ///   - useCases: The functions of the domain that the screen calls.
    ///   - entry: The ID of the entry.
    ///   - travel: The ID of its travel.
    ///   - person: The signed-in person, now and after each change; `nil` if nobody is. It does not fail.
    public init(
        _ useCases: UseCases, entry: TimelineEntry.ID, in travel: Travel.ID, person: Observable<User?>
    ) {
        self.useCases = useCases
        self.person = person
        initialState = State(travel, day: 1, entry: entry)
    }

    /// Performs a side effect with a use case, and emits its answer as an action. The stream does not fail.
    public func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .watchPerson: person.map(Action.personChanged)
        case .watchTravel(let id):
            useCases.show(id).map { .arrived(.success($0)) }
                .catch { .just(.arrived(.failure(ScreenFailure($0)))) }
        case .setLiked(let isLiked, let id):
            .task { [useCases] in .likeEnded(isLiked, await Outcome { try await useCases.setLiked(isLiked, id) }) }
        case .report(let id): .task { [useCases] in .reportEnded(await Result { try await useCases.report(id) }) }
        case .block(let author):
            .task { [useCases] in .workEnded(.block, await Outcome { try await useCases.block(author) }) }
        case .deleteTravel(let id):
            .task { [useCases] in .workEnded(.deleteTravel, await Outcome { try await useCases.deleteTravel(id) }) }
        case .deleteEntry(let entry, let id):
            .task { [useCases] in
                .workEnded(.deleteEntry(entry), await Outcome { try await useCases.deleteEntry(entry, id) })
            }
        }
    }
}

extension TimelineFlow {
    /// The functions of the domain that the timeline calls. The screen shows their errors as ``ScreenFailure``.
    ///
    /// ```swift
    /// let useCases = TimelineFlow.UseCases(
    ///     show: { _ in .just(TravelDetails(travel: travel, timeline: [])) }, setLiked: { _, _ in },
    ///     report: { _ in true }, block: { _ in }, deleteTravel: { _ in }, deleteEntry: { _, _ in })
    /// ```
    public struct UseCases: Sendable {
        /// The travel with its timeline: now, and again after each change.
        public var show: @Sendable (Travel.ID) -> Observable<TravelDetails>
        /// Likes a travel, or takes the like back. Throws `TravelError.notFound` if the person does not see it.
        public var setLiked: @Sendable (Bool, Travel.ID) async throws -> Void
        /// Reports a travel; returns `false` if the person had reported it before. Throws `TravelError.notFound` if the
        /// person does not see it.
        public var report: @Sendable (Travel.ID) async throws -> Bool
        /// Blocks an author for the person. Throws `TravelError.notFound` if they do not exist any more.
        public var block: @Sendable (User.ID) async throws -> Void
        /// Deletes a travel. Throws `TravelError.forbidden` unless the person is its author.
        public var deleteTravel: @Sendable (Travel.ID) async throws -> Void
        /// Deletes an entry of a travel. Throws `TravelError.forbidden` unless the person is its author.
        public var deleteEntry: @Sendable (TimelineEntry.ID, Travel.ID) async throws -> Void

        /// Creates use cases from functions: those of ``ScreenUseCases``, or stubs of a test.
        public init(
            show: @escaping @Sendable (Travel.ID) -> Observable<TravelDetails>,
            setLiked: @escaping @Sendable (Bool, Travel.ID) async throws -> Void,
            report: @escaping @Sendable (Travel.ID) async throws -> Bool,
            block: @escaping @Sendable (User.ID) async throws -> Void,
            deleteTravel: @escaping @Sendable (Travel.ID) async throws -> Void,
            deleteEntry: @escaping @Sendable (TimelineEntry.ID, Travel.ID) async throws -> Void
        ) {
            self.show = show
            self.setLiked = setLiked
            self.report = report
            self.block = block
            self.deleteTravel = deleteTravel
            self.deleteEntry = deleteEntry
        }
    }
}

extension TimelineFlow {
    /// The state of the timeline: the travel, the chosen day, and an open question.
    ///
    /// ```swift
    /// let timeline = FlowStore(TimelineFlow(useCases, travel: id, person: person))
    /// timeline.currentState.phase    // .loading
    /// timeline.currentState.tabs     // nil, until the travel arrives
    /// ```
    public struct State: Equatable, Sendable {
        /// The ID of the travel that is shown.
        public let id: Travel.ID
        /// The entry that the screen is about; `nil` for a screen of the whole travel.
        public let entryID: TimelineEntry.ID?
        /// The chosen day, 1-based; always a day of the travel once that is known.
        public internal(set) var day: Int
        /// The status of the screen: whether there is a travel to show.
        public internal(set) var phase = Phase.loading
        /// The travel with the like to show; `nil` until it arrives.
        public internal(set) var header: TravelCard?
        /// The whole timeline, ordered by day and time.
        public internal(set) var timeline: [TimelineEntry] = []
        /// The way of the recorded track from which the travel was imported, if it was.
        public internal(set) var track: TrackGeometry?
        /// The question that waits for an answer.
        public internal(set) var question: Question?
        /// The work that an answer has started and that has not ended.
        public internal(set) var working: Question?
        /// The signed-in person; `nil` if nobody is signed in.
        public internal(set) var person: User?
        var knowsPerson = false
        var likes = PendingLikes()

        init(_ id: Travel.ID, day: Int, entry: TimelineEntry.ID? = nil) {
            self.id = id
            entryID = entry
            self.day = max(day, 1)
        }
    }

    /// The status of the screen: whether there is a travel to show.
    ///
    /// ```swift
    /// switch state.phase {
    /// case .loading: showSkeleton()
    /// case .shown: show(state.cards)
    /// case .gone: showHint(Language.english[.tripGone])
    /// case .failed(let failure): show(failure.message(in: .english).text)
    /// }
    /// ```
    public enum Phase: Hashable, Sendable {
        /// The travel is loading: show skeleton cards.
        case loading
        /// The travel is shown, and follows its changes.
        case shown
        /// The travel, or the entry that the screen is about, does not exist, or the person does not see it.
        case gone
        /// The travel failed to load, for that reason.
        case failed(ScreenFailure)
    }

    /// A question before the travel is reported, its author blocked, or something deleted.
    ///
    /// ```swift
    /// if let question = state.question {
    ///     ask(Language.english[question.text], yes: Language.english[question.yes])
    /// }
    /// ```
    public enum Question: Hashable, Sendable {
        /// Whether to report the travel as unsuitable for others.
        case report
        /// Whether to block the author, which hides their travels.
        case block
        /// Whether to delete the travel with all its entries.
        case deleteTravel
        /// Whether to delete the entry with that ID.
        case deleteEntry(TimelineEntry.ID)

        /// The text of the question, to look up in a language.
        public var text: Text {
            switch self {
            case .report: .reportQuestion
            case .block: .blockQuestion
            case .deleteTravel: .deleteTripQuestion
            case .deleteEntry: .deleteEntryQuestion
            }
        }

        /// The text of the button that says yes.
        public var yes: Text {
            switch self {
            case .report: .report
            case .block: .block
            case .deleteTravel, .deleteEntry: .delete
            }
        }
    }
}

extension TimelineFlow.State {
    /// The tabs of the days; empty until the travel arrives.
    public var tabs: DayTabs? { header.map { DayTabs($0.travel.days) } }

    /// The cards of the chosen day, in order of time.
    public var cards: [EntryCard] { [EntryCard](timeline, day: day) }

    /// The card of the entry that the screen is about.
    public var entry: EntryCard? { cards.first { $0.id == entryID } }

    /// The stops of the chosen day, in order of time.
    public var stops: [MapStop] { cards.compactMap(MapStop.init) }

    /// The title of what the open question would delete; `nil` if it would delete nothing.
    public var titleToDelete: Title? {
        switch question {
        case .deleteTravel: header?.travel.title
        case .deleteEntry(let id): timeline.first { $0.id == id }?.title
        case .report, .block, nil: nil
        }
    }

    /// Whether the person is the author and may therefore edit and delete.
    public var isMine: Bool { header?.travel.isMine ?? false }
}

extension TimelineFlow {
    /// The person's actions on the timeline, and the answers of its side effects.
    ///
    /// ```swift
    /// timeline.send(.deleteTapped)
    /// timeline.currentState.question    // .deleteTravel, if the person is the author
    /// timeline.send(.answered(true))    // deletes the travel, and closes the screen when that has succeeded
    /// ```
    public enum Action: Equatable, Sendable {
        /// The screen appeared. Appearing again has no effect.
        case appeared
        /// The retry button was tapped, or a refresh was requested: loads the travel and observes it again.
        case retryTapped
        /// A day was picked, 1-based; a day that the travel does not have picks the nearest one.
        case dayPicked(Int)
        /// The day after the chosen one was picked.
        case nextDayPicked
        /// The day before the chosen one was picked.
        case previousDayPicked
        /// The like button was tapped: shows the like immediately.
        case likeTapped
        /// The report button was tapped: asks first.
        case reportTapped
        /// The button that blocks the author was tapped: asks first.
        case blockTapped
        /// The button that edits the travel was tapped.
        case editTapped
        /// The button that deletes the travel was tapped: asks first.
        case deleteTapped
        /// The button for a new entry was tapped.
        case addEntryTapped
        /// A card was tapped: opens its entry.
        case entryTapped(TimelineEntry.ID)
        /// The button that edits an entry was tapped.
        case editEntryTapped(TimelineEntry.ID)
        /// The button that deletes an entry was tapped: asks first.
        case deleteEntryTapped(TimelineEntry.ID)
        /// The button for the map of the day was tapped.
        case mapTapped
        /// The question was answered: `true` starts the work.
        case answered(Bool)
        /// The back button was tapped: closes the screen.
        case backTapped
        /// A screen above closed and returned a result.
        case returned(ScreenResult)

        /// Another person is signed in, or nobody is.
        case personChanged(User?)
        /// The travel, now or after a change.
        case arrived(Result<TravelDetails, ScreenFailure>)
        /// The request that sets a like succeeded or failed.
        case likeEnded(Bool, Outcome)
        /// The report succeeded, with whether it was the first, or failed.
        case reportEnded(Result<Bool, ScreenFailure>)
        /// The work that the question was about ended.
        case workEnded(Question, Outcome)
    }

    /// The work that the timeline requests of the domain.
    ///
    /// ```swift
    /// var state = flow.initialState
    /// flow.reduce(&state, .appeared)    // requests .watchPerson and .watchTravel(id)
    /// ```
    public enum SideEffect: Equatable, Sendable {
        /// Observes which person is signed in, and emits each change.
        case watchPerson
        /// Loads the travel and follows its changes.
        case watchTravel(Travel.ID)
        /// Likes the travel, or takes the like back.
        case setLiked(Bool, Travel.ID)
        /// Reports the travel in the name of the person.
        case report(Travel.ID)
        /// Blocks the author of the travel for the person.
        case block(User.ID)
        /// Deletes the travel with all its entries.
        case deleteTravel(Travel.ID)
        /// Deletes the entry from the travel with that ID.
        case deleteEntry(TimelineEntry.ID, Travel.ID)
    }
}

/// The tab of one day of a travel.
///
/// ```swift
/// let tab = state.tabs?.first
/// tab?.number                 // 1
/// tab?.text(in: .english)     // "01 Wed", for 1 May 2024
/// ```
public struct DayTab: Hashable, Sendable, Identifiable {
    /// The number of the day in the travel, 1-based.
    public let number: Int
    /// The day of the calendar, without a time zone.
    public let day: CalendarDay

    /// The number of the day, which identifies the tab.
    public var id: Int { number }

    /// The text of the tab: the day of the month and of the week, `"05 Fri"`, `"05 금"`.
    public func text(in language: Language) -> String { day.tabText(in: language) }
}

/// The tabs of the days of a travel. They are made when they are read: a trip may have thousands of days.
///
/// ```swift
/// let tabs = state.tabs
/// tabs?.count            // 3, for a trip of two nights
/// tabs?.last?.number     // 3
/// ```
public struct DayTabs: RandomAccessCollection, Hashable, Sendable {
    private let days: DayRange

    init(_ days: DayRange) {
        self.days = days
    }

    /// The position of the first tab, that of day 1.
    public var startIndex: Int { 0 }
    /// The position after the last tab: the number of days.
    public var endIndex: Int { days.count }

    /// The tab at a position; that of day 1 is at position 0.
    public subscript(position: Int) -> DayTab {
        DayTab(number: position + 1, day: days.first.adding(days: position))
    }
}

/// One entry of a timeline, as a card.
///
/// ```swift
/// card.entry.title.text    // "Breakfast"
/// card.preview             // the first 40 characters of the text
/// card.number              // 1: the first entry of the travel
/// ```
public struct EntryCard: Hashable, Sendable, Identifiable {
    /// The entry, with its title, text and place.
    public let entry: TimelineEntry
    /// The number of the entry in the timeline of the travel, from 1: the same on every day, on the map, in commands
    /// and in exported files.
    public let number: Int

    /// The number of characters of a preview.
    public static let previewLength = 40

    /// The ID of the entry, which identifies the value in a list.
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
///
/// ```swift
/// for stop in state.stops {
///     map.addMarker("\(stop.number)", at: stop.coordinate)
/// }
/// ```
public struct MapStop: Hashable, Sendable, Identifiable {
    /// The number of the entry in the timeline of the travel, from 1, as ``EntryCard/number``.
    public let number: Int
    /// The entry, with its title, text and place.
    public let entry: TimelineEntry
    /// The place of the entry.
    public let place: Place
    /// The location of the place on the map.
    public let coordinate: Coordinate

    /// The ID of the entry, which identifies the value in a list.
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
