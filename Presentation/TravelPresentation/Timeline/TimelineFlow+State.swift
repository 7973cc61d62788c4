extension TimelineFlow {
    /// What the timeline shows.
    public struct State: Equatable, Sendable {
        /// The ID of the travel.
        public let id: Travel.ID
        /// The entry that the screen is about; `nil` for a screen of the whole travel.
        public let entryID: TimelineEntry.ID?
        /// The chosen day, 1-based; always a day of the travel once that is known.
        public internal(set) var day: Int
        /// The status of the screen.
        public internal(set) var phase = Phase.loading
        /// The travel with the like to show; `nil` until it arrives.
        public internal(set) var header: TravelCard?
        /// The whole timeline, ordered by day and time.
        public internal(set) var timeline: [TimelineEntry] = []
        /// The question that waits for an answer.
        public internal(set) var question: Question?
        /// The work that an answer has started and that has not ended.
        public internal(set) var working: Question?
        /// The person who is signed in; `nil` for nobody.
        public internal(set) var person: User?
        var knowsPerson = false
        var likes = PendingLikes()

        init(_ id: Travel.ID, day: Int, entry: TimelineEntry.ID? = nil) {
            self.id = id
            entryID = entry
            self.day = max(day, 1)
        }
    }

    /// The status of the screen.
    public enum Phase: Hashable, Sendable {
        /// The travel is loading.
        case loading
        /// The travel is shown.
        case shown
        /// The travel, or the entry that the screen is about, does not exist, or the person does not see it.
        case gone
        /// The travel failed to load.
        case failed(ScreenFailure)
    }

    /// A question before something that cannot be undone.
    public enum Question: Hashable, Sendable {
        /// Whether to report the travel.
        case report
        /// Whether to block the author.
        case block
        /// Whether to delete the travel.
        case deleteTravel
        /// Whether to delete an entry.
        case deleteEntry(TimelineEntry.ID)

        /// The text of the question.
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

    /// Whether the person is the author, who edits and deletes.
    public var isMine: Bool { header?.travel.isMine ?? false }
}

extension TimelineFlow {
    /// What happens to the timeline.
    public enum Action: Equatable, Sendable {
        /// The screen appeared. Appearing again has no effect.
        case appeared
        /// The retry button was tapped, or a refresh was asked for: loads the travel and follows it again.
        case retryTapped
        /// A day was picked, 1-based; a day that the travel does not have picks the nearest one.
        case dayPicked(Int)
        /// The day after the chosen one was picked.
        case nextDayPicked
        /// The day before the chosen one was picked.
        case previousDayPicked
        /// The like button was tapped.
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
        /// A card was tapped.
        case entryTapped(TimelineEntry.ID)
        /// The button that edits an entry was tapped.
        case editEntryTapped(TimelineEntry.ID)
        /// The button that deletes an entry was tapped: asks first.
        case deleteEntryTapped(TimelineEntry.ID)
        /// The button for the map of the day was tapped.
        case mapTapped
        /// The question was answered.
        case answered(Bool)
        /// The back button was tapped.
        case backTapped
        /// A screen above returned a result.
        case returned(ScreenResult)

        /// Somebody is signed in, or nobody.
        case personChanged(User?)
        /// The travel, now or after a change.
        case arrived(Result<TravelDetails, ScreenFailure>)
        /// The request for a like ended.
        case likeEnded(Bool, Outcome)
        /// The report ended.
        case reportEnded(Result<Bool, ScreenFailure>)
        /// The work that the question was about ended.
        case workEnded(Question, Outcome)
    }

    /// What the timeline asks for.
    public enum SideEffect: Equatable, Sendable {
        /// Follows who is signed in.
        case watchPerson
        /// Loads the travel and follows its changes.
        case watchTravel(Travel.ID)
        /// Likes the travel, or takes the like back.
        case setLiked(Bool, Travel.ID)
        /// Reports the travel.
        case report(Travel.ID)
        /// Blocks its author.
        case block(User.ID)
        /// Deletes the travel.
        case deleteTravel(Travel.ID)
        /// Deletes an entry.
        case deleteEntry(TimelineEntry.ID, Travel.ID)
    }
}
