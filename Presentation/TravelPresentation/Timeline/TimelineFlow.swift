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
