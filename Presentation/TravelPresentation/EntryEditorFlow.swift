/// The editor of an entry: a new one on a day of a trip, or one that is stored.
///
/// A flow, for the reasons of ``TravelEditorFlow``, whose rules apply here as well; in addition, a place search and an
/// image change the form while it is edited.
///
/// - Places are searched 300 ms after the last key; only the newest answer counts. A name that was typed is the place of
///   the entry, without a position, unless a place is picked.
/// - The position at which an image was taken proposes the nearest known place, if there is no place yet.
/// - The time at which an image was taken becomes the time of the entry, and its day the day of the entry, if the
///   trip has it.
/// - If the entry was changed or deleted elsewhere meanwhile, the form shows both versions. Changes of the rest of the
///   trip raise no question.
package struct EntryEditorFlow: Flow {
    package typealias Event = ScreenEvent

    /// The time for which the text must stay unchanged before places are searched.
    package static let typingPause = Duration.milliseconds(300)

    package let initialState: State
    private let useCases: ScreenUseCases

    package init(_ useCases: ScreenUseCases, entry id: TimelineEntry.ID, in travel: Travel.ID) {
        self.useCases = useCases
        initialState = State(id, in: travel, isNew: false, day: 1)
    }

    /// Creates the editor of a new entry on a day, 1-based; a day that the trip does not have becomes the nearest one. Saving
    /// again after an answer that was lost replaces the entry by its ID, which is new by default.
    package init(
        _ useCases: ScreenUseCases, newEntryIn travel: Travel.ID, day: Int, id: TimelineEntry.ID? = nil
    ) {
        @Dependency(\.uuid) var uuid
        self.useCases = useCases
        initialState = State(id ?? TimelineEntry.ID(uuid()), in: travel, isNew: true, day: day)
    }

    package func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .load(let id): .task { [useCases] in .loaded(await Result { try await useCases.load(id) }) }
        case .searchPlaces(let text):
            .task { [useCases] in .placesFound(text, await Result { try await useCases.searchPlaces(text) }) }
        case .readImage(let path):
            .task { [useCases] in .imageRead(await Result { try await useCases.readImage(path) }) }
        case .proposePlace(let coordinate):
            .task { [useCases] in .placeProposed(await Result { try await useCases.searchPlaces(near: coordinate) }) }
        case .save(let entry, let base, let image):
            .task { [useCases] in
                .saved(
                    await Result {
                        try await useCases.saveEntry(entry, adding: image, in: base.id, expecting: base.version)
                    })
            }
        }
    }
}

extension EntryEditorFlow {
    package struct State: Equatable, Sendable {
        package let id: TimelineEntry.ID
        package let travel: Travel.ID
        package let isNew: Bool
        package internal(set) var draft = EntryDraft()
        /// The phase of the editor, its problems, and whether it asks to discard the changes.
        package internal(set) var status = EditorStatus<EntryDraft.Field>(.loading)
        package internal(set) var places = PlaceSearch()
        /// The stored version that differs from the form, until the user has decided.
        package internal(set) var conflict: Conflict?
        /// Whether an image is being read from its file.
        package internal(set) var isReadingImage = false
        /// Whether to save the form when the image has been read.
        var savesReadImage = false
        /// The trip as the user has seen it.
        var base: RecordedTravel?
        var original = EntryDraft()

        init(_ id: TimelineEntry.ID, in travel: Travel.ID, isNew: Bool, day: Int) {
            self.id = id
            self.travel = travel
            self.isNew = isNew
            draft.day = day
            original = draft
        }
    }

    package struct PlaceSearch: Equatable, Sendable {
        package internal(set) var text = ""
        /// The places that match, best matches first, or the one near the position of an image; `nil` before an answer.
        package internal(set) var results: [KnownPlace]?
        package internal(set) var failure: ScreenFailure?
    }

    /// The form beside the version that was stored meanwhile.
    package struct Conflict: Equatable, Sendable {
        package let mine: EntryDraft
        /// The entry as it is stored; `nil` if it was deleted.
        package let theirs: TimelineEntry?
        let travel: RecordedTravel

        package func lines(in language: Language) -> [VersionLine] {
            mine.lines(beside: theirs.map(EntryDraft.init), in: language)
        }
    }

    package enum Action: Equatable, Sendable {
        /// The screen appeared. Appearing again has no effect.
        case appeared
        case retryTapped
        /// A day of the trip was picked, 1-based.
        case dayPicked(Int)
        case timeTyped(String)
        case titleTyped(String)
        case textTyped(String)
        /// The name of the place was typed, which also searches for places.
        case placeTyped(String)
        case placePicked(Place)
        case placeRemoved
        case imagePicked(String)
        case imageRemoved
        case fieldLeft(EntryDraft.Field)
        case saveTapped
        case keepMineTapped
        /// The user takes the stored version of a conflict; closes the editor of an entry that was deleted.
        case takeTheirsTapped
        case conflictClosed
        /// The back button was tapped: closes the editor, or asks first.
        case backTapped
        case discardAnswered(Bool)

        case loaded(Result<RecordedTravel, ScreenFailure>)
        case placesFound(String, Result<[KnownPlace], ScreenFailure>)
        case placeProposed(Result<KnownPlace?, ScreenFailure>)
        case imageRead(Result<PickedImage, ScreenFailure>)
        case saved(Result<RecordedTravel, ScreenFailure>)
    }

    package enum SideEffect: Equatable, Sendable {
        case load(Travel.ID)
        case searchPlaces(String)
        case proposePlace(Coordinate)
        case readImage(String)
        case save(TimelineEntry, RecordedTravel, TravelImage?)
    }
}

extension EntryEditorFlow {
    package func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, ScreenEvent> {
        switch action {
        case .appeared: return state.status.phase == .loading ? .exhausting(.load(state.travel)) : .none
        case .retryTapped:
            guard case .failed = state.status.phase else { return .none }
            state.status.phase = .loading
            return .exhausting(.load(state.travel))
        case .loaded(let result):
            state.begin(with: result)
            return .none
        case .dayPicked, .timeTyped, .titleTyped, .textTyped, .placePicked, .placeRemoved, .imageRemoved, .fieldLeft:
            guard state.status.phase == .editing else { return .none }
            return state.edit(action)
        case .placeTyped(let text): return state.search(text)
        case .placesFound(let text, let result):
            guard text == state.places.text else { return .none }
            switch result {
            case .success(let places): (state.places.results, state.places.failure) = (places, nil)
            case .failure(let failure): (state.places.results, state.places.failure) = (nil, failure)
            }
            return .none
        case .imagePicked(let path):
            guard state.status.phase == .editing else { return .none }
            state.isReadingImage = true
            state.savesReadImage = false
            return .latest(.readImage(path))
        case .imageRead(let result): return state.show(result).and(state.proposePlace(for: result))
        case .placeProposed(let result):
            guard state.awaitsProposal else { return .none }
            switch result {
            case .success(let place): state.places.results = place.map { [$0] }
            case .failure(let failure): state.places.failure = failure
            }
            return .none
        case .saveTapped where state.isReadingImage:
            state.savesReadImage = true
            return .none
        case .saveTapped: return state.conflict == nil && state.hasChanges ? state.save() : .none
        case .saved(let result): return state.end(result)
        case .keepMineTapped, .takeTheirsTapped, .conflictClosed: return state.resolve(action)
        case .backTapped:
            state.savesReadImage = false
            return state.status.leave(hasChanges: state.hasChanges)
        case .discardAnswered(let isYes): return state.status.answer(discard: isYes)
        }
    }
}

extension EntryEditorFlow.State {
    /// The tabs of the days to choose from; `nil` until the trip has loaded.
    package var days: DayTabs? { base.map { DayTabs($0.content.days) } }
    package var hasChanges: Bool { draft != original }
    /// Whether the save button is enabled: no problem, and something changed.
    package var canSave: Bool { status.phase == .editing && !isReadingImage && hasChanges && isValid }

    /// The problem to show beside a field; `nil` if it has none, or was neither changed nor left.
    package func problem(of field: EntryDraft.Field) -> FormProblem? {
        status.touched.contains(field) ? problems[field] : nil
    }

    /// Whether no field prevents saving. An image that could not be taken does not: the form keeps the previous one.
    private var isValid: Bool { problems.keys.allSatisfy { $0 == .image } }

    private var problems: [EntryDraft.Field: FormProblem] {
        draft.problems(days: base?.content.days.count ?? 1).merging(status.rejections) { rule, _ in rule }
    }

    // MARK: Editing

    fileprivate mutating func begin(with result: Result<RecordedTravel, ScreenFailure>) {
        switch result {
        case .failure(let failure): status.phase = .failed(failure)
        case .success(let travel):
            if isNew {
                begin(with: EntryDraft(newIn: travel, day: draft.day), in: travel)
            } else if let entry = travel.entry(id) {
                begin(with: EntryDraft(entry), in: travel)
            } else {
                status.phase = .failed(.travel(.notFound(.entry(id))))
            }
        }
    }

    private mutating func begin(with draft: EntryDraft, in travel: RecordedTravel) {
        base = travel
        places = .init()
        self.draft = draft
        original = draft
        status = EditorStatus(.editing)
    }

    fileprivate mutating func edit(
        _ action: EntryEditorFlow.Action
    ) -> Next<EntryEditorFlow.SideEffect, ScreenEvent> {
        switch action {
        case .dayPicked(let day):
            draft.day = day
            status.touch(.day)
        case .timeTyped(let text):
            draft.time = text
            status.touch(.time)
        case .titleTyped(let text):
            draft.title = text
            status.touch(.title)
        case .textTyped(let text):
            draft.text = text
            status.touch(.text)
        case .placePicked(let place):
            (draft.place, draft.placeName) = (place, "")
            places = .init()
            status.touch(.place)
            return .cancel(kindOf: .searchPlaces(""))
        case .placeRemoved:
            (draft.place, draft.placeName) = (nil, "")
            status.touch(.place)
        case .imageRemoved:
            draft.image = nil
            (isReadingImage, savesReadImage) = (false, false)
            status.touch(.image)
            return .cancel(kindOf: .readImage(""))
        case .fieldLeft(let field): status.touched.insert(field)
        default: break
        }
        return .none
    }

    fileprivate mutating func search(_ text: String) -> Next<EntryEditorFlow.SideEffect, ScreenEvent> {
        guard text != places.text else { return .none }
        places.text = text
        places.failure = nil
        if status.phase == .editing {
            draft.placeName = text
            status.touch(.place)
        }
        guard Keyword(text) != nil else {
            places.results = nil
            return .cancel(kindOf: .searchPlaces(""))
        }
        return .latest(.searchPlaces(text), after: EntryEditorFlow.typingPause)
    }

    fileprivate mutating func show(
        _ result: Result<PickedImage, ScreenFailure>
    ) -> Next<EntryEditorFlow.SideEffect, ScreenEvent> {
        isReadingImage = false
        status.touch(.image)
        switch result {
        case .success(let picked):
            guard let days = base?.content.days else { return .none }
            draft.take(picked, days: days)
            return savesReadImage && conflict == nil ? save() : .none
        case .failure(.travel(.invalid(let violation))): status.rejections[.image] = .violation(violation)
        case .failure(let failure): status.rejections[.image] = .failed(failure)
        }
        return .none
    }

    /// Whether a place may be proposed: none was chosen or typed.
    fileprivate var awaitsProposal: Bool { draft.place == nil && places.text.isEmpty }

    /// Looks for the known place nearest to a picture that says where it was taken.
    fileprivate func proposePlace(
        for result: Result<PickedImage, ScreenFailure>
    ) -> Next<EntryEditorFlow.SideEffect, ScreenEvent> {
        guard status.phase == .editing, awaitsProposal, let coordinate = (try? result.get())?.coordinate else {
            return .none
        }
        return .latest(.proposePlace(coordinate))
    }

    // MARK: Saving

    fileprivate mutating func save() -> Next<EntryEditorFlow.SideEffect, ScreenEvent> {
        guard status.phase == .editing, !isReadingImage, let base else { return .none }
        status.touched = Set(EntryDraft.Field.allCases)
        // An error is one of the problems, which are visible now.
        guard isValid, let entry = try? draft.entry(id) else { return .none }
        status.phase = .saving
        return .run(.save(entry, base, draft.image?.new))
    }

    fileprivate mutating func end(
        _ result: Result<RecordedTravel, ScreenFailure>
    ) -> Next<EntryEditorFlow.SideEffect, ScreenEvent> {
        status.phase = .editing
        switch result {
        case .success:
            original = draft
            return .event(.notice(.done(.saved))).and(.event(.close(.savedEntry(id, day: draft.day))))
        case .failure(.travel(.outdated(let travel))):
            // The rest of the trip has changed: there is nothing to decide.
            if travel.entry(id) == base?.entry(id) {
                base = travel
                return save()
            }
            conflict = .init(mine: draft, theirs: travel.entry(id), travel: travel)
            return .none
        case .failure(.travel(.invalid(let violation))):
            status.rejections[violation.field.inEntry] = .violation(violation)
            return .none
        case .failure(let failure): return .event(.notice(.failed(failure)))
        }
    }

    fileprivate mutating func resolve(
        _ action: EntryEditorFlow.Action
    ) -> Next<EntryEditorFlow.SideEffect, ScreenEvent> {
        guard let conflict else { return .none }
        self.conflict = nil
        switch action {
        case .keepMineTapped:
            base = conflict.travel
            return save()
        case .takeTheirsTapped:
            guard let theirs = conflict.theirs else { return .event(.close(.removedEntry(id))) }
            begin(with: EntryDraft(theirs), in: conflict.travel)
            return .none
        default: return .none
        }
    }
}

extension RecordedTravel {
    fileprivate func entry(_ id: TimelineEntry.ID) -> TimelineEntry? { timeline.first { $0.id == id } }
}

extension Violation.Field {
    /// The field of the form of an entry that shows a violation.
    fileprivate var inEntry: EntryDraft.Field {
        switch self {
        case .day, .dates, .date: .day
        case .time: .time
        case .title: .title
        case .image: .image
        case .placeName, .placeAddress, .coordinate: .place
        default: .text
        }
    }
}
