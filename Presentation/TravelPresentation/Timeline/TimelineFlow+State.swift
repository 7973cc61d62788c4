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
