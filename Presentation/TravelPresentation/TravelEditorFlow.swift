/// The editor of a travel: a new one, or one that is stored.
///
/// A flow, because fields depend on each other, and saving, a conflict and the question whether to discard changes each
/// decide what the others may do.
///
/// - Every field is validated at each change; its problem shows once the field was changed or left, or after an attempt
///   to save. Saving is possible only while there is no problem and something was changed.
/// - The first day is the last day as well until another is typed, and wherever that one is earlier.
/// - Two quick taps on the save button save once. While a form is being saved it cannot be changed. Where an image is
///   being read, the form is saved with it as soon as it has been read; if it cannot be, nothing is saved.
/// - If the travel was changed elsewhere meanwhile, the form shows both versions: the person keeps theirs or takes the
///   stored one. Where the changes do not touch the form, such as a new entry, it saves without asking.
/// - Leaving a changed form asks first. The form of a new travel survives the end of the app:
///   ``State/restorableText``.
///
/// ```swift
/// let editor = FlowStore(TravelEditorFlow(useCases, travel: id))
/// editor.send(.appeared)
/// editor.send(.titleTyped("부산 밤바다"))
/// editor.currentState.canSave    // true, once the travel has loaded
/// ```
public struct TravelEditorFlow: Flow {
    /// The events that the screen raises: closing, and notices.
    public typealias Event = ScreenEvent

    /// The state before the first action: loading, or an empty form.
    public let initialState: State
    private let useCases: UseCases

    /// Creates the editor of a stored travel.
    public init(_ useCases: UseCases, travel id: Travel.ID) {
        self.useCases = useCases
        initialState = State(id, .loading)
    }

    /// Creates the editor of a new travel.
    ///
    /// - Parameters:
    ///   - useCases: The functions of the domain that the editor calls.
    ///   - id: The ID of the new travel. Saving again after an answer that was lost finds the travel by it.
    public init(_ useCases: UseCases, newTravel id: Travel.ID = Travel.ID()) {
        self.useCases = useCases
        initialState = State(id, .editing)
    }

    /// Creates the editor of a new travel that was being written when the app was left.
    ///
    /// - Parameters:
    ///   - useCases: The functions of the domain that the editor calls.
    ///   - text: The value of ``State/restorableText``; for any other text the form is empty.
    public init(_ useCases: UseCases, restoring text: String) {
        self.useCases = useCases
        initialState = State(restoring: text) ?? State(Travel.ID(), .editing)
    }

    /// Performs a side effect with a use case, and emits its answer as an action. The stream does not fail.
    public func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .load(let id): .task { [useCases] in .loaded(await Result { try await useCases.load(id) }) }
        case .loadStored(let id):
            .task { [useCases] in .storedLoaded(await Result { try await useCases.load(id) }) }
        case .readImage(let path):
            .task { [useCases] in .imageRead(await Result { try await useCases.readImage(path) }) }
        case .record(let content, let id, let image):
            .task { [useCases] in
                .saved(await Result { try await useCases.record(content, id, image) })
            }
        case .edit(let content, let base, let image):
            .task { [useCases] in .saved(await Result { try await useCases.edit(content, base, image) }) }
        }
    }
}

extension TravelEditorFlow {
    /// The state of the editor: the form, its status, and a conflict.
    ///
    /// ```swift
    /// let editor = FlowStore(TravelEditorFlow(useCases))
    /// editor.currentState.status.phase    // .editing: a new travel needs nothing to load
    /// editor.currentState.canSave         // false: the form is empty
    /// ```
    public struct State: Equatable, Sendable {
        /// The ID of the travel, stored or new.
        public let id: Travel.ID
        /// The form as the person has filled it in.
        public internal(set) var draft = TravelDraft()
        /// The phase of the editor, its problems, and whether it asks to discard the changes.
        public internal(set) var status: EditorStatus<TravelDraft.Field>
        /// The stored version that differs from the form, until the person has decided.
        public internal(set) var conflict: Conflict?
        /// Whether an image is being read from its file.
        public internal(set) var isReadingImage = false
        /// Whether to save the form when the image has been read.
        var savesReadImage = false
        /// The stored travel that the form began with; `nil` for a new one.
        var base: RecordedTravel?
        var original = TravelDraft()

        init(_ id: Travel.ID, _ phase: EditorStatus<TravelDraft.Field>.Phase) {
            self.id = id
            status = EditorStatus(phase)
        }
    }

    /// The form beside the version that was stored meanwhile.
    ///
    /// ```swift
    /// for line in state.conflict?.lines(in: .english) ?? [] where line.differs {
    ///     print(line.label, line.mine, line.theirs)    // Title Beach Beach at night
    /// }
    /// ```
    public struct Conflict: Equatable, Sendable {
        /// The form as the person has filled it in.
        public let mine: TravelDraft
        /// The currently stored travel.
        public let theirs: RecordedTravel

        /// Compares both versions, one line for each field.
        public func lines(in language: Language) -> [VersionLine] {
            mine.lines(beside: TravelDraft(theirs.content), in: language)
        }
    }

    /// The functions of the domain that the editor calls. The screen shows their errors as ``ScreenFailure``.
    ///
    /// ```swift
    /// let useCases = TravelEditorFlow.UseCases(
    ///     load: { _ in travel }, record: { _, _, _ in travel }, edit: { _, _, _ in travel },
    ///     readImage: { _ in throw TravelError.notFound(.travel(travel.id)) })
    /// ```
    public struct UseCases: Sendable {
        /// Loads the travel as it is stored. Throws `TravelError.notFound` if it does not exist.
        public var load: @Sendable (Travel.ID) async throws -> RecordedTravel
        /// Records a new travel with an ID, and its image if that is new. Throws `TravelError.conflict` if it exists.
        public var record: @Sendable (TravelContent, Travel.ID, TravelImage?) async throws -> RecordedTravel
        /// Changes a travel, and stores its image if that is new. Throws `TravelError.outdated` if the travel was
        /// changed since the version that the person has seen.
        public var edit: @Sendable (TravelContent, RecordedTravel, TravelImage?) async throws -> RecordedTravel
        /// Reads an image at a path. Throws if it cannot be read.
        public var readImage: @Sendable (String) async throws -> PickedImage

        /// Creates use cases from functions: those of ``ScreenUseCases``, or stubs of a test.
        public init(
            load: @escaping @Sendable (Travel.ID) async throws -> RecordedTravel,
            record: @escaping @Sendable (TravelContent, Travel.ID, TravelImage?) async throws -> RecordedTravel,
            edit: @escaping @Sendable (TravelContent, RecordedTravel, TravelImage?) async throws -> RecordedTravel,
            readImage: @escaping @Sendable (String) async throws -> PickedImage
        ) {
            self.load = load
            self.record = record
            self.edit = edit
            self.readImage = readImage
        }
    }

    /// The person's actions in the editor, and the answers of its side effects.
    ///
    /// ```swift
    /// editor.send(.titleTyped("Busan"))
    /// editor.send(.optionTapped(.region(.busan)))
    /// editor.send(.firstDayTyped("2024-05-01"))
    /// editor.currentState.canSave    // true: the last day is that day, too
    /// ```
    public enum Action: Equatable, Sendable {
        /// The screen appeared. Appearing again has no effect.
        case appeared
        /// The retry button was tapped: loads the travel again.
        case retryTapped
        /// The text in the field of the title changed.
        case titleTyped(String)
        /// The text of the first day changed; it is also the last day while that one is missing or earlier.
        case firstDayTyped(String)
        /// The text in the field of the last day changed.
        case lastDayTyped(String)
        /// A value of the region, the themes, the companions, the headcount, the budget or the transportation was
        /// tapped.
        case optionTapped(FilterOption)
        /// An image was picked by its path.
        case imagePicked(String)
        /// The image was removed from the form.
        case imageRemoved
        /// A field was left: its problem shows from now on.
        case fieldLeft(TravelDraft.Field)
        /// The save button was tapped: saves, or shows all problems.
        case saveTapped
        /// The person keeps their version of a conflict.
        case keepMineTapped
        /// The person takes the stored version of a conflict.
        case takeTheirsTapped
        /// The conflict was closed without a decision.
        case conflictClosed
        /// The back button was tapped: closes the editor, or asks first.
        case backTapped
        /// The question whether to discard the changes was answered.
        case discardAnswered(Bool)

        /// The travel was loaded, or failed to load.
        case loaded(Result<RecordedTravel, ScreenFailure>)
        /// The image was read, or could not be read.
        case imageRead(Result<PickedImage, ScreenFailure>)
        /// The travel was saved, or saving it failed.
        case saved(Result<RecordedTravel, ScreenFailure>)
        /// The travel that an earlier attempt to save has stored, whose answer was lost.
        case storedLoaded(Result<RecordedTravel, ScreenFailure>)
    }

    /// The side effects of the editor.
    ///
    /// ```swift
    /// var state = flow.initialState
    /// flow.reduce(&state, .appeared)    // requests .load(id), for a stored travel
    /// ```
    public enum SideEffect: Equatable, Sendable {
        /// Loads the travel that is to be edited.
        case load(Travel.ID)
        /// Loads the travel that an earlier attempt to save has stored.
        case loadStored(Travel.ID)
        /// Reads the image at that path, with its time.
        case readImage(String)
        /// Records a new travel, with its image if that is new.
        case record(TravelContent, Travel.ID, TravelImage?)
        /// Changes a stored travel, as the person has seen it.
        case edit(TravelContent, RecordedTravel, TravelImage?)
    }
}

extension TravelEditorFlow {
    /// Changes the state for an action, and returns the side effects and events that follow from it.
    public func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, ScreenEvent> {
        switch action {
        case .appeared: return state.status.phase == .loading ? .exhausting(.load(state.id)) : .none
        case .retryTapped:
            guard case .failed = state.status.phase else { return .none }
            state.status.phase = .loading
            return .exhausting(.load(state.id))
        case .loaded(.success(let travel)):
            state.begin(with: travel)
            return .none
        case .loaded(.failure(let failure)):
            state.status.phase = .failed(failure)
            return .none
        case .titleTyped, .firstDayTyped, .lastDayTyped, .optionTapped, .imageRemoved, .fieldLeft:
            guard state.status.phase == .editing else { return .none }
            state.edit(action)
            return action == .imageRemoved ? .cancel(kindOf: .readImage("")) : .none
        case .imagePicked(let path):
            guard state.status.phase == .editing else { return .none }
            state.isReadingImage = true
            state.savesReadImage = false
            return .latest(.readImage(path))
        case .imageRead(let result): return state.show(result)
        case .saveTapped where state.isReadingImage:
            state.savesReadImage = true
            return .none
        case .saveTapped: return state.conflict == nil && state.hasChanges ? state.save() : .none
        case .saved(let result): return state.end(result)
        case .storedLoaded(.success(let stored)): return state.end(.failure(.travel(.outdated(stored))))
        case .storedLoaded(.failure(let failure)): return state.end(.failure(failure))
        case .keepMineTapped:
            guard let conflict = state.conflict else { return .none }
            state.conflict = nil
            state.base = conflict.theirs
            return state.save()
        case .takeTheirsTapped:
            guard let conflict = state.conflict else { return .none }
            state.conflict = nil
            state.begin(with: conflict.theirs)
            return .none
        case .conflictClosed:
            state.conflict = nil
            return .none
        case .backTapped:
            state.savesReadImage = false
            return state.status.leave(hasChanges: state.hasChanges)
        case .discardAnswered(let isYes): return state.status.answer(discard: isYes)
        }
    }
}

extension TravelEditorFlow.State {
    /// Whether the travel is a new one.
    public var isNew: Bool { base == nil && (status.phase == .editing || status.phase == .saving) }
    /// Whether the form differs from the stored version.
    public var hasChanges: Bool { draft != original }
    /// Whether the save button is enabled: no problem, and something changed.
    public var canSave: Bool { status.phase == .editing && !isReadingImage && hasChanges && isValid }

    /// The problem to show beside a field; `nil` if it has none, or was neither changed nor left.
    public func problem(of field: TravelDraft.Field) -> FormProblem? {
        status.touched.contains(field) ? problems[field] : nil
    }

    /// Whether no field prevents saving. An image that could not be taken does not: the form keeps the previous one.
    private var isValid: Bool { problems.keys.allSatisfy { $0 == .image } }

    private var problems: [TravelDraft.Field: FormProblem] {
        draft.problems(base?.timeline ?? []).merging(status.rejections) { rule, _ in rule }
    }

    fileprivate mutating func begin(with travel: RecordedTravel) {
        base = travel
        draft = TravelDraft(travel.content)
        original = draft
        status = EditorStatus(.editing)
    }

    fileprivate mutating func edit(_ action: TravelEditorFlow.Action) {
        switch action {
        case .titleTyped(let text):
            draft.title = text
            status.touch(.title)
        case .firstDayTyped(let text):
            draft.setFirstDay(text)
            status.touch(.firstDay)
            status.rejections[.lastDay] = nil
        case .lastDayTyped(let text):
            draft.setLastDay(text)
            status.touch(.lastDay)
        case .optionTapped(let option):
            draft.toggle(option)
            if option.kind == .region { status.touch(.region) }
        case .imageRemoved:
            draft.image = nil
            (isReadingImage, savesReadImage) = (false, false)
            status.touch(.image)
        case .fieldLeft(let field): status.touched.insert(field)
        default: break
        }
    }

    fileprivate mutating func show(
        _ result: Result<PickedImage, ScreenFailure>
    ) -> Next<TravelEditorFlow.SideEffect, ScreenEvent> {
        isReadingImage = false
        status.touch(.image)
        switch result {
        case .success(let picked):
            draft.image = .picked(picked.image)
            return savesReadImage && conflict == nil ? save() : .none
        case .failure(.travel(.invalid(let violation))): status.rejections[.image] = .violation(violation)
        case .failure(let failure): status.rejections[.image] = .failed(failure)
        }
        return .none
    }

    // MARK: Saving

    fileprivate mutating func save() -> Next<TravelEditorFlow.SideEffect, ScreenEvent> {
        guard status.phase == .editing, !isReadingImage else { return .none }
        status.touched = Set(TravelDraft.Field.allCases)
        // An error is one of the problems, which are visible now.
        guard isValid, let content = try? draft.content() else { return .none }
        status.phase = .saving
        guard let base else { return .run(.record(content, id, draft.image?.new)) }
        return .run(.edit(content, base, draft.image?.new))
    }

    fileprivate mutating func end(
        _ result: Result<RecordedTravel, ScreenFailure>
    ) -> Next<TravelEditorFlow.SideEffect, ScreenEvent> {
        status.phase = .editing
        switch result {
        case .success(let travel):
            original = draft
            return .event(.notice(.done(.saved))).and(.event(.close(.savedTravel(travel.id))))
        case .failure(.travel(.outdated(let theirs))):
            // Only the timeline, or nothing that the form shows, has changed: there is nothing to decide.
            if theirs.content == base?.content {
                base = theirs
                return save()
            }
            conflict = TravelEditorFlow.Conflict(mine: draft, theirs: theirs)
            return .none
        case .failure(.travel(.conflict(.travel(id)))) where base == nil:
            // An earlier attempt has stored the new travel, its answer was lost, and the form has changed since.
            status.phase = .saving
            return .run(.loadStored(id))
        case .failure(.travel(.invalid(let violation))):
            status.rejections[violation.field.inTravel] = .violation(violation)
            return .none
        case .failure(let failure): return .event(.notice(.failed(failure)))
        }
    }
}

extension Violation.Field {
    /// The field of the form of a travel that shows a violation.
    fileprivate var inTravel: TravelDraft.Field {
        switch self {
        case .image: .image
        case .title: .title
        default: .lastDay
        }
    }
}
