/// What was deleted, for an app that can bring it back: what ``ScreenUseCases/undo`` receives.
public struct UndoableDeletion: Hashable, Sendable, Identifiable {
    public enum Removed: Hashable, Sendable {
        case trip(Trip.ID)
        case entry(TimelineEntry.ID, in: Trip.ID)
    }

    /// The ID of the deletion: something that is deleted twice is deleted by two of them.
    public let id: Identifier<UndoableDeletion>
    public let removed: Removed

    public init(id: Identifier<UndoableDeletion>, of removed: Removed) {
        (self.id, self.removed) = (id, removed)
    }
}

/// Brings back what the user has deleted, when they ask for it in the notice of the deletion.
///
/// A flow of the whole app, because the screen of what was deleted has closed.
///
/// - Each deletion is undone once, however often that is asked for; several are undone one after another.
/// - A trip that is back is open again, as it was when it was deleted.
/// - After a failure that another attempt may mend, the notice of the deletion comes again.
public struct UndoFlow: Flow {
    public struct State: Equatable, Sendable {
        /// The deletions that are being undone.
        public internal(set) var working: Set<UndoableDeletion> = []
        var undone: Set<UndoableDeletion> = []
    }

    public enum Action: Equatable, Sendable {
        case undoTapped(UndoableDeletion)
        case undoEnded(UndoableDeletion, Outcome)
    }

    public enum SideEffect: Equatable, Sendable {
        case undo(UndoableDeletion)
    }

    public typealias Event = ScreenEvent

    public let initialState = State()
    private let undo: @Sendable (UndoableDeletion) async throws -> Void

    /// - Parameter undo: Brings back what a deletion has removed, and nothing else.
    public init(_ undo: @escaping @Sendable (UndoableDeletion) async throws -> Void) {
        self.undo = undo
    }

    public func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, ScreenEvent> {
        switch action {
        case .undoTapped(let deletion):
            guard !state.undone.contains(deletion), state.working.insert(deletion).inserted else { return .none }
            return .inOrder(.undo(deletion), id: "undo")
        case .undoEnded(let deletion, let outcome):
            state.working.remove(deletion)
            if let failure = outcome.failure {
                let notice = Next<SideEffect, ScreenEvent>.event(.notice(.failed(failure)))
                return failure.canRetry ? notice.and(.event(.notice(deletion.notice))) : notice
            }
            state.undone.insert(deletion)
            switch deletion.removed {
            case .trip(let trip): return .event(.notice(.done(.tripRestored))).and(.event(.open(.trip(trip))))
            case .entry: return .event(.notice(.done(.entryRestored)))
            }
        }
    }

    public func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .undo(let deletion):
            .task { [undo] in .undoEnded(deletion, await Outcome { try await undo(deletion) }) }
        }
    }

    public func unanswered(_ sideEffect: SideEffect) -> Action? {
        switch sideEffect {
        case .undo(let deletion): .undoEnded(deletion, .failed(.unknown))
        }
    }
}

extension UndoableDeletion {
    /// The notice that something was deleted and can be brought back.
    var notice: Notice {
        switch removed {
        case .trip: .deleted(.tripDeleted, self)
        case .entry: .deleted(.entryDeleted, self)
        }
    }
}
