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
