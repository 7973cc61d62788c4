/// The editor of a form: of a trip (``TripDraft``) or of an entry of its timeline (``EntryDraft``), new or stored.
///
/// A flow, because fields depend on each other, and saving, a conflict and the question whether to discard changes each
/// decide what the others may do.
///
/// - Every field is validated at each change; its problem shows once the field was changed or left, or after an attempt
///   to save. Saving is possible only while there is no problem and something was changed.
/// - Two quick taps on the save button save once. While a form is being saved it cannot be changed. Where an image is
///   being read, the form is saved with it as soon as it has been read; if it cannot be, nothing is saved. Several images
///   are read one after the other, in the order in which they were picked.
/// - If what the form shows was changed elsewhere meanwhile, both versions are merged (``DraftMerge``): the user sees what comes
///   from the stored one, chooses a side for each part that both have changed, and saves the result, continues with the stored
///   version, or keeps both where the form can be copied. If it was deleted, the user keeps or discards theirs: what was stored
///   with it, such as its images, is not in what they keep. Other changes of the trip raise no question.
/// - Leaving a changed form, or one for which an image is being read, asks first.
/// - A changed form survives the end of the app: it continues, when its trip has loaded, as the user has left it. If what it
///   shows was changed or deleted meanwhile, both versions show, and nothing is saved before the user has decided. Images
///   that are not stored are read again from their files; those that cannot be read are left out, with a notice.
public struct EditorFlow<Draft: EditorDraft>: Flow {
    public typealias Event = ScreenEvent

    public let initialState: State
    private let useCases: ScreenUseCases
    /// Those of the scope of the screen: work that follows an answer begins in no scope.
    private let dependencies = DependencyValues.current

    init(_ useCases: ScreenUseCases, _ initialState: State) {
        self.useCases = useCases
        self.initialState = initialState
    }

    public func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        .task { [useCases, dependencies] in
            await withDependencies(from: dependencies) { await Self.action(of: sideEffect, by: useCases) }
        }
    }

    private static func action(of sideEffect: SideEffect, by useCases: ScreenUseCases) async -> Action {
        switch sideEffect {
        case .load(let trip): .loaded(await Result { try await useCases.load(trip) })
        case .loadStored(let trip):
            .saved(await Result { throw TravelError.outdated(try await useCases.load(trip)) })
        case .copy(let draft): .copied(await Result { try await draft.copied(by: useCases) })
        case .readImage(let path): .imageRead(await Result { try await useCases.readImage(path) })
        case .save(let draft, let id, let trip, let version):
            .saved(await Result { try await draft.save(id, in: trip, expecting: version, by: useCases) })
        }
    }

    public func unanswered(_ sideEffect: SideEffect) -> Action? {
        switch sideEffect {
        case .load: .loaded(.failure(.unknown))
        case .readImage: .imageRead(.failure(.unknown))
        case .save, .loadStored: .saved(.failure(.unknown))
        case .copy: .copied(.failure(.unknown))
        }
    }
}

extension EditorFlow {
    public struct State: Equatable, Sendable {
        public private(set) var id: Draft.ID
        public let trip: Trip.ID
        public private(set) var isNew: Bool
        public internal(set) var phase: EditorPhase
        public internal(set) var draft: Draft
        public internal(set) var asksToDiscard = false
        /// The stored version that differs from the form, until the user has decided.
        public internal(set) var conflict: Conflict?
        /// The parts whose stored version the user has chosen.
        public private(set) var chosen: Set<Draft.Part> = []
        /// Whether an image is being read from its file.
        public internal(set) var isReadingImage = false
        /// The paths of the images to read after the one that is being read.
        public internal(set) var waitingImages: [String] = []
        /// The images that were picked and are not in the form, each with the reason, in the order in which they were picked:
        /// at most the last ``maximumFailureCount``. Where a form takes several, they stay until they are closed, whatever
        /// else is picked.
        public private(set) var failedImages: [FailedImage] = []
        /// The path of the image that is being read.
        private var readPath: String?
        /// Whether the form is one that was being filled in when the app was left, and its trip has not loaded since.
        private var isRestored = false
        /// The stored version that differs from what a restored form had begun with, until the user has decided.
        private var undecided: Conflict?
        /// The paths of the images of a restored form that could not be read again.
        private var lostImages: [String] = []
        /// Whether to save the form when the image has been read.
        private var savesReadImage = false
        /// The trip as the user has seen it; `nil` before it has loaded, and for a new trip.
        private(set) var base: RecordedTrip?
        /// The version that the user has seen, where the form was begun on an earlier one than ``base``.
        private var seen: TripVersion?
        private(set) var original: Draft
        /// Whether the user has seen ``original``, and not a version that nobody remembers.
        private var hasSeenOriginal = true
        /// The fields whose problems show: those that were changed or left, and all of them after an attempt to save.
        private var touched: Set<Draft.Field> = []
        /// The problems that the store or a file reported for the current values.
        private var rejections: [Draft.Field: FormProblem] = [:]

        init(_ id: Draft.ID, in trip: Trip.ID, isNew: Bool, _ phase: EditorPhase, _ draft: Draft = Draft()) {
            self.id = id
            self.trip = trip
            self.isNew = isNew
            self.phase = phase
            self.draft = draft
            original = draft
        }

        /// A form that was being filled in when the app was left, with the paths of the images that were to be read.
        init(
            restoring draft: Draft, changedFrom original: Draft, _ id: Draft.ID, in trip: Trip.ID, isNew: Bool,
            reading paths: [String] = []
        ) {
            self.init(id, in: trip, isNew: isNew, .loading, draft)
            self.original = original
            (isRestored, waitingImages) = (true, paths)
        }
    }

    /// The version that was stored while the form was filled in.
    public struct Conflict: Equatable, Sendable {
        /// What is stored; `nil` if it was deleted.
        public let theirs: Draft?
        /// The trip as it is stored; `nil` if it was deleted itself.
        let trip: RecordedTrip?

        /// The version of the trip; `nil` if it was deleted itself.
        public var version: TripVersion? { trip?.version }
    }

    public enum Action: Equatable, Sendable {
        /// The screen appeared. Appearing again has no effect.
        case appeared
        case retryTapped
        case edited(Draft.Change)
        case imagePicked(String)
        /// Removes the image of a form that has one; images that are being read are not taken.
        case imageRemoved
        /// The user has seen why the image at this path is not in the form.
        case imageFailureClosed(String)
        /// What follows was typed when the trip had this version, and the form began with `original`; without that, every
        /// difference from the stored version collides. With another version now, saving raises a conflict. For a form that
        /// outlives its screen, as a page without a script does. What was deleted since is there again, as a form that raises
        /// a conflict when it is saved.
        case resumed(from: TripVersion, original: Draft?)
        case fieldLeft(Draft.Field)
        case saveTapped
        /// The user has chosen a version of a part that both have changed.
        case versionChosen(Draft.Part, VersionSide)
        /// The user saves the form with what the stored version brings; as it is, if that was deleted. A page without a script
        /// says so in a form that has no conflict any more.
        case mergeTapped
        /// The user takes the stored version of a conflict; closes the editor if it was deleted.
        case takeTheirsTapped
        /// The user keeps the stored version of a conflict, and stores the form beside it. A page without a script says so in a
        /// form that has no conflict any more.
        case keepBothTapped
        case conflictClosed
        /// The back button was tapped: closes the editor, or asks first.
        case backTapped
        case discardAnswered(Bool)

        case loaded(Result<RecordedTrip, ScreenFailure>)
        case imageRead(Result<PickedImage, ScreenFailure>)
        case saved(Result<RecordedTrip, ScreenFailure>)
        case copied(Result<DraftCopy<Draft>, ScreenFailure>)
    }

    public enum SideEffect: Equatable, Sendable {
        case load(Trip.ID)
        /// Loads a new trip that an earlier attempt has stored.
        case loadStored(Trip.ID)
        case readImage(String)
        case save(Draft, Draft.ID, in: Trip.ID, expecting: TripVersion?)
        case copy(Draft)
    }
}

/// The name of the side effect of an editor that is cancelled.
public enum EditorWork: Hashable, Sendable {
    case readImage
}

public enum EditorPhase: Hashable, Sendable {
    case loading
    case failed(ScreenFailure)
    case editing
    case saving
}

extension EditorFlow {
    public func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, ScreenEvent> {
        switch action {
        case .appeared: return state.phase == .loading ? .exhausting(.load(state.trip)) : .none
        case .retryTapped:
            guard case .failed = state.phase else { return .none }
            state.phase = .loading
            return .exhausting(.load(state.trip))
        case .loaded(let result):
            return state.begin(with: result)
        case .edited(let change):
            state.edit(change)
            return .none
        case .fieldLeft(let field):
            state.leave(field)
            return .none
        case .imagePicked(let path): return state.read(path)
        case .imageRemoved: return state.removeImage()
        case .imageFailureClosed(let path):
            state.closeFailure(of: path)
            return .none
        case .resumed(let version, let original):
            state.resume(from: version, original)
            return .none
        case .imageRead(let result): return state.show(result)
        case .saveTapped: return state.trySaving()
        case .saved(let result): return state.end(result)
        case .versionChosen(let part, let side):
            state.choose(side, of: part)
            return .none
        case .mergeTapped: return state.saveMerge()
        case .takeTheirsTapped: return state.takeTheirs()
        case .keepBothTapped: return state.copy()
        case .copied(let result): return state.save(result)
        case .conflictClosed:
            state.conflict = nil
            return .none
        case .backTapped: return state.close()
        case .discardAnswered(let isYes):
            guard state.asksToDiscard else { return .none }
            state.asksToDiscard = false
            return isYes ? .event(.close(nil)) : .none
        }
    }
}

extension EditorFlow.State {
    public static var maximumFailureCount: Int { 100 }

    typealias Requests = Next<EditorFlow.SideEffect, ScreenEvent>

    public var hasChanges: Bool { draft != original }
    /// Whether the save button is enabled: no problem, and something changed.
    public var canSave: Bool { phase == .editing && !isReadingImage && hasChanges && isValid }

    /// The problem to show beside a field; `nil` if it has none, or was neither changed nor left.
    public func problem(of field: Draft.Field) -> FormProblem? { touched.contains(field) ? problems[field] : nil }

    /// Whether no field prevents saving. An image that could not be taken does not: the form keeps the previous one.
    private var isValid: Bool { problems.keys.allSatisfy { $0 == Draft.imageField } }

    private var problems: [Draft.Field: FormProblem] {
        draft.problems(in: base).merging(rejections) { rule, _ in rule }
    }

    // MARK: Editing

    fileprivate mutating func begin(with result: Result<RecordedTrip, ScreenFailure>) -> Requests {
        switch result {
        case .failure(let failure): phase = .failed(failure)
        case .success(let trip) where isRestored: return resume(in: trip)
        case .success(let trip):
            if isNew {
                draft.begin(in: trip)
                begin(with: draft, in: trip)
            } else if let stored = Draft(id, in: trip) {
                begin(with: stored, in: trip)
            } else {
                base = trip
                phase = .failed(.domain(.notFound(Draft.subject(id))))
            }
        }
        return .none
    }

    /// Continues a restored form.
    private mutating func resume(in trip: RecordedTrip) -> Requests {
        isRestored = false
        let theirs = Draft(id, in: trip)
        if theirs == draft {
            // It was saved, and the app left before the answer.
            begin(with: draft, in: trip)
            return .none
        }
        base = trip
        phase = .editing
        undecided = unsettled(with: theirs, of: trip)
        conflict = undecided
        waitingImages = draft.unreadImages + waitingImages
        return readNext() ?? .none
    }

    private mutating func begin(with draft: Draft, in trip: RecordedTrip) {
        base = trip
        undecided = nil
        (self.draft, original, hasSeenOriginal, seen) = (draft, draft, true, nil)
        (phase, asksToDiscard, touched, rejections, failedImages) = (.editing, false, [], [:], [])
    }

    /// Applies a change, unless the form cannot be changed now.
    mutating func edit(_ change: Draft.Change) {
        guard phase == .editing else { return }
        let fields = draft.apply(change)
        for field in fields { rejections[field] = nil }
        touched.formUnion(fields.prefix(1))
    }

    fileprivate mutating func leave(_ field: Draft.Field) {
        if phase == .editing { touched.insert(field) }
    }

    fileprivate mutating func read(_ path: String) -> Requests {
        guard phase == .editing else { return .none }
        savesReadImage = false
        if isReadingImage, Draft.takesSeveralImages {
            waitingImages.append(path)
            return .none
        }
        // The problem of one of several images stays until another one is picked.
        rejections[Draft.imageField] = nil
        if !Draft.takesSeveralImages { failedImages = [] }
        waitingImages.insert(path, at: 0)
        return readNext() ?? .none
    }

    /// Reads the image that waits; `nil` if there is none.
    private mutating func readNext() -> Requests? {
        isReadingImage = !waitingImages.isEmpty
        readPath = waitingImages.first
        guard let readPath else { return nil }
        waitingImages.removeFirst()
        return .latest(.readImage(readPath), id: EditorWork.readImage)
    }

    /// The paths of the images that are not in the form yet.
    var imagesToRead: [String] {
        let paths = (readPath.map { [$0] } ?? []) + waitingImages
        return paths.filter { !draft.unreadImages.contains($0) }
    }

    fileprivate mutating func removeImage() -> Requests {
        guard phase == .editing else { return .none }
        draft.removeImage()
        forgetWaitingImages()
        touchImage()
        return .cancel(EditorWork.readImage)
    }

    private mutating func forgetWaitingImages() {
        for path in draft.unreadImages { _ = draft.replaceUnreadImage(at: path, by: nil) }
        (isReadingImage, readPath, savesReadImage, waitingImages) = (false, nil, false, [])
    }

    private mutating func touchImage() {
        touched.insert(Draft.imageField)
        rejections[Draft.imageField] = nil
    }

    fileprivate mutating func show(_ result: Result<PickedImage, ScreenFailure>) -> Requests {
        let path = readPath
        let next = readNext()
        touched.insert(Draft.imageField)
        let before = draft
        var (problem, lost): (FormProblem?, String?)
        switch result {
        case .success(var picked):
            picked.path = picked.path ?? path
            if let path, draft.replaceUnreadImage(at: path, by: picked) { break }
            problem = draft.take(picked, in: base)
        case .failure(let failure):
            if let path, draft.replaceUnreadImage(at: path, by: nil) {
                lost = path
                lostImages.append(path)
                reject(.text(.picturesLeftOut(lostImages)))
            } else if case .domain(.invalid(let violation)) = failure {
                problem = .violation(violation)
            } else {
                problem = .failed(failure)
            }
        }
        if let problem {
            reject(problem)
            // A picture with a question is in the form.
            if let path, draft == before {
                failedImages = (failedImages + [FailedImage(path: path, problem: problem)])
                    .suffix(Self.maximumFailureCount)
            }
        }
        let requests = next ?? (savesReadImage && conflict == nil ? save() : .none)
        return lost.map { requests.and(.event(.notice(.done(.picturesLeftOut([$0]))))) } ?? requests
    }

    fileprivate mutating func closeFailure(of path: String) {
        guard let index = failedImages.firstIndex(where: { $0.path == path }) else { return }
        if rejections[Draft.imageField] == failedImages.remove(at: index).problem { rejections[Draft.imageField] = nil }
    }

    /// Shows the problem of an image, with which the form is not saved before its author has seen it.
    private mutating func reject(_ problem: FormProblem) {
        rejections[Draft.imageField] = problem
        savesReadImage = false
    }

    // MARK: Saving

    /// The version of the trip with which the user has begun; `nil` before it has loaded, and for a new trip.
    public var seenVersion: TripVersion? { seen ?? base?.version }

    /// What the form began with, as text for ``EditorFlow/Action/resumed(from:original:)``.
    public var restorableOriginal: String { hasSeenOriginal ? original.restorable : "" }

    fileprivate mutating func resume(from version: TripVersion, _ original: Draft?) {
        if let original { resumeDeleted(original) }
        // A new trip has no version.
        guard phase == .editing, base != nil || !isNew || !isOfTrip else { return }
        seen = version == base?.version ? nil : version
        if let original {
            (self.original, hasSeenOriginal) = (original, true)
        } else if seen != nil {
            hasSeenOriginal = false
        }
    }

    /// Whether the form shows the trip itself, not an entry.
    private var isOfTrip: Bool { Draft.subject(id) == .trip(trip) }

    /// Whether what the form shows was deleted since its page was made, which the user has not decided about.
    private var isDeleted: Bool { undecided.map { $0.theirs == nil } ?? false }

    /// Whether the trip of the form was deleted since its page was made, which the user has not decided about.
    public var isTripDeleted: Bool { isDeleted && base == nil }

    /// Continues a form of what was deleted: of an entry whose trip is there, or of a trip. That of an entry whose trip was
    /// deleted shows what was typed, and says so when it is saved.
    private mutating func resumeDeleted(_ original: Draft) {
        if !isOfTrip, phase == .failed(.domain(.notFound(.trip(trip)))) {
            (phase, draft) = (.editing, original)
            return
        }
        guard !isNew, phase == .failed(.domain(.notFound(Draft.subject(id)))), base != nil || isOfTrip else { return }
        (phase, draft, undecided) = (.editing, original, .init(theirs: nil, trip: base))
    }

    fileprivate mutating func trySaving() -> Requests {
        savesReadImage = isReadingImage
        guard !isReadingImage, conflict == nil else { return .none }
        if hasChanges { return save() }
        // There is nothing to save; what is missing shows.
        if phase == .editing { touched = Set(Draft.Field.allCases) }
        return .none
    }

    private mutating func save() -> Requests {
        guard phase == .editing, !isReadingImage else { return .none }
        if let undecided {
            conflict = undecided
            return .none
        }
        touched = Set(Draft.Field.allCases)
        guard isValid else { return .none }
        phase = .saving
        return .run(.save(draft, id, in: trip, expecting: seen ?? base?.version))
    }

    fileprivate mutating func end(_ result: Result<RecordedTrip, ScreenFailure>) -> Requests {
        phase = .editing
        switch result {
        case .success:
            original = draft
            return .event(.notice(.done(.saved))).and(.event(.close(draft.saved(as: id))))
        case .failure(.domain(.outdated(let trip))):
            let theirs = Draft(id, in: trip)
            conflict = unsettled(with: theirs, of: trip)
            if conflict != nil { return .none }
            // The rest of the trip has changed, or the same was stored: there is nothing to decide.
            if let merge = merge(with: theirs) { draft = merge.result }
            (base, seen) = (trip, nil)
            return save()
        case .failure(.domain(.conflict(.trip(let trip)))) where base == nil:
            // An earlier attempt has stored the new trip, its answer was lost, and the form has changed since.
            phase = .saving
            return .run(.loadStored(trip))
        case .failure(.domain(.invalid(let violation))):
            rejections[Draft.field(of: violation.field)] = .violation(violation)
            return .none
        case .failure(.domain(.notFound(.trip(trip)))) where !isNew && isOfTrip:
            conflict = .init(theirs: nil, trip: nil)
            return .none
        case .failure(let failure): return .event(.notice(.failed(failure)))
        }
    }

    // MARK: Conflicts

    /// The merge of both versions of ``conflict``, with what the user has chosen; `nil` if the stored one was deleted.
    public var merge: DraftMerge<Draft>? { merge(with: conflict?.theirs) }

    /// Whether both versions of ``conflict`` can be kept: they collide, and the form can be copied.
    public var canKeepBoth: Bool { Draft.isCopyable && merge?.collisions.isEmpty == false }

    private func merge(with theirs: Draft?) -> DraftMerge<Draft>? {
        theirs.map { DraftMerge(base: hasSeenOriginal ? original : nil, mine: draft, theirs: $0, chosen: chosen) }
    }

    /// What the user has to know or to decide before the form is saved; `nil` if there is nothing. Nothing is chosen yet.
    private mutating func unsettled(with theirs: Draft?, of trip: RecordedTrip) -> EditorFlow.Conflict? {
        chosen = []
        let isSettled = merge(with: theirs)?.isSettled ?? isNew
        return isSettled ? nil : .init(theirs: theirs, trip: trip)
    }

    /// Ends the conflict; without one, returns that of a page whose form has shown it, with what is stored.
    private mutating func decide() -> EditorFlow.Conflict? {
        guard phase == .editing else { return nil }
        let shown = conflict ?? base.map { .init(theirs: Draft(id, in: $0), trip: $0) } ?? undecided
        guard let shown else { return nil }
        (base, seen, conflict, undecided) = (shown.trip, nil, nil, nil)
        return shown
    }

    fileprivate mutating func choose(_ side: VersionSide, of part: Draft.Part) {
        if side == .theirs { chosen.insert(part) } else { chosen.remove(part) }
    }

    fileprivate mutating func saveMerge() -> Requests {
        // Where a page has shown another version than the one that is stored now, the user sees that first.
        if conflict == nil, seen != nil, base != nil { return save() }
        guard !isReadingImage, let conflict = decide() else { return .none }
        if let merge = merge(with: conflict.theirs) {
            (draft, original, hasSeenOriginal) = (merge.result, merge.theirs, true)
        } else {
            draft.removeStoredImages()
            isNew = isNew || base == nil
        }
        return save()
    }

    fileprivate mutating func copy() -> Requests {
        guard phase == .editing, !isReadingImage, !isNew, Draft.isCopyable, conflict == nil || canKeepBoth else {
            return .none
        }
        touched = Set(Draft.Field.allCases)
        guard isValid else {
            conflict = nil
            return .none
        }
        phase = .saving
        return .run(.copy(draft))
    }

    /// Goes on as the form of something new, which no later answer takes for the stored one.
    fileprivate mutating func save(_ result: Result<DraftCopy<Draft>, ScreenFailure>) -> Requests {
        phase = .editing
        switch result {
        case .failure(let failure): return .event(.notice(.failed(failure)))
        case .success(let copy):
            base = conflict.take()?.trip ?? base
            (id, draft, isNew) = (copy.id, copy.draft, true)
            (seen, undecided, hasSeenOriginal) = (nil, nil, true)
            return save()
        }
    }

    fileprivate mutating func takeTheirs() -> Requests {
        guard let conflict = decide() else { return .none }
        guard let theirs = conflict.theirs, let trip = conflict.trip else {
            return .event(.close(Draft.removed(id)))
        }
        let isReading = isReadingImage
        forgetWaitingImages()
        begin(with: theirs, in: trip)
        return isReading ? .cancel(EditorWork.readImage) : .none
    }

    /// Closes the editor, or asks first where there are changes. Does nothing while the form is being saved.
    fileprivate mutating func close() -> Requests {
        savesReadImage = false
        if phase == .saving { return .none }
        asksToDiscard = hasChanges || isReadingImage
        return asksToDiscard ? .none : .event(.close(nil))
    }
}
