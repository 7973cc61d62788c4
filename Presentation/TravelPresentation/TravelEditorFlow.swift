/// The editor of a trip: a new one, or one that is stored.
///
/// A flow, because fields depend on each other, and saving, a conflict and the question whether to discard changes each
/// decide what the others may do.
///
/// - Every field is validated at each change; its problem shows once the field was changed or left, or after an attempt
///   to save. Saving is possible only while there is no problem and something was changed.
/// - The first day is the last day as well until another is typed, and wherever that one is earlier.
/// - Two quick taps on the save button save once. While a form is being saved it cannot be changed. Where an image is
///   being read, the form is saved with it as soon as it has been read; if it cannot be, nothing is saved.
/// - If the trip was changed elsewhere meanwhile, the form shows both versions: the user keeps theirs or takes the
///   stored one. Where the changes do not touch the form, such as a new entry, it saves without asking.
/// - Leaving a changed form asks first. The form of a new trip survives the end of the app:
///   ``State/restorableText``.
package struct TravelEditorFlow: Flow {
    package typealias Event = ScreenEvent

    package let initialState: State
    private let useCases: ScreenUseCases

    package init(_ useCases: ScreenUseCases, travel id: Travel.ID) {
        self.useCases = useCases
        initialState = State(id, .loading)
    }

    /// Creates the editor of a new trip. Saving again after an answer that was lost finds the trip by its ID, which is new
    /// by default.
    package init(_ useCases: ScreenUseCases, newTravel id: Travel.ID? = nil) {
        @Dependency(\.uuid) var uuid
        self.useCases = useCases
        initialState = State(id ?? Travel.ID(uuid()), .editing)
    }

    /// Creates the editor of a new trip that was being written when the app was left, from ``State/restorableText``; for any
    /// other text the form is empty.
    package init(_ useCases: ScreenUseCases, restoring text: String) {
        @Dependency(\.uuid) var uuid
        self.useCases = useCases
        initialState = State(restoring: text) ?? State(Travel.ID(uuid()), .editing)
    }

    package func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .load(let id): .task { [useCases] in .loaded(await Result { try await useCases.load(id) }) }
        case .loadStored(let id):
            .task { [useCases] in .storedLoaded(await Result { try await useCases.load(id) }) }
        case .readImage(let path):
            .task { [useCases] in .imageRead(await Result { try await useCases.readImage(path) }) }
        case .record(let content, let id, let image):
            .task { [useCases] in
                .saved(await Result { try await useCases.recordTravel(content, id: id, adding: image) })
            }
        case .edit(let content, let base, let image):
            .task { [useCases] in
                .saved(
                    await Result {
                        try await useCases.editTravel(base.id, content, adding: image, expecting: base.version)
                    })
            }
        }
    }
}

extension TravelEditorFlow {
    package struct State: Equatable, Sendable {
        package let id: Travel.ID
        package internal(set) var draft = TravelDraft()
        /// The phase of the editor, its problems, and whether it asks to discard the changes.
        package internal(set) var status: EditorStatus<TravelDraft.Field>
        /// The stored version that differs from the form, until the user has decided.
        package internal(set) var conflict: Conflict?
        /// Whether an image is being read from its file.
        package internal(set) var isReadingImage = false
        /// Whether to save the form when the image has been read.
        var savesReadImage = false
        /// The stored trip that the form began with; `nil` for a new one.
        var base: RecordedTravel?
        var original = TravelDraft()

        init(_ id: Travel.ID, _ phase: EditorStatus<TravelDraft.Field>.Phase) {
            self.id = id
            status = EditorStatus(phase)
        }
    }

    /// The form beside the version that was stored meanwhile.
    package struct Conflict: Equatable, Sendable {
        package let mine: TravelDraft
        package let theirs: RecordedTravel

        package func lines(in language: Language) -> [VersionLine] {
            mine.lines(beside: TravelDraft(theirs.content), in: language)
        }
    }

    package enum Action: Equatable, Sendable {
        /// The screen appeared. Appearing again has no effect.
        case appeared
        case retryTapped
        case titleTyped(String)
        /// The text of the first day changed; it is also the last day while that one is missing or earlier.
        case firstDayTyped(String)
        case lastDayTyped(String)
        case optionTapped(FilterOption)
        case imagePicked(String)
        case imageRemoved
        case fieldLeft(TravelDraft.Field)
        case saveTapped
        case keepMineTapped
        case takeTheirsTapped
        case conflictClosed
        /// The back button was tapped: closes the editor, or asks first.
        case backTapped
        case discardAnswered(Bool)

        case loaded(Result<RecordedTravel, ScreenFailure>)
        case imageRead(Result<PickedImage, ScreenFailure>)
        case saved(Result<RecordedTravel, ScreenFailure>)
        case storedLoaded(Result<RecordedTravel, ScreenFailure>)
    }

    package enum SideEffect: Equatable, Sendable {
        case load(Travel.ID)
        case loadStored(Travel.ID)
        case readImage(String)
        case record(TravelContent, Travel.ID, TravelImage?)
        case edit(TravelContent, RecordedTravel, TravelImage?)
    }
}

extension TravelEditorFlow {
    package func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, ScreenEvent> {
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
    package var isNew: Bool { base == nil && (status.phase == .editing || status.phase == .saving) }
    package var hasChanges: Bool { draft != original }
    /// Whether the save button is enabled: no problem, and something changed.
    package var canSave: Bool { status.phase == .editing && !isReadingImage && hasChanges && isValid }

    /// The problem to show beside a field; `nil` if it has none, or was neither changed nor left.
    package func problem(of field: TravelDraft.Field) -> FormProblem? {
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
            // An earlier attempt has stored the new trip, its answer was lost, and the form has changed since.
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
    /// The field of the form of a trip that shows a violation.
    fileprivate var inTravel: TravelDraft.Field {
        switch self {
        case .image: .image
        case .title: .title
        default: .lastDay
        }
    }
}
