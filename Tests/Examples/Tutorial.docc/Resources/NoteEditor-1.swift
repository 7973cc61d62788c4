import NotesDomain
import Streams
import ViewModels

/// The form of one note: what Back and Save do depends on what is typed, stored and being saved, so that it is a flow.
package struct NoteEditor: Flow {
    package struct Draft: Equatable, Sendable {
        package var title = "", text = ""
        package init(title: String = "", text: String = "") { (self.title, self.text) = (title, text) }
    }

    package struct State: Equatable, Sendable {
        package var draft = Draft()
        package var stored = Draft()
        package var isSaving = false
        /// Whether the screen asks if the changes may be discarded.
        package var isAsking = false
        package var problem: NoteProblem?
    }

    package enum Action: Equatable, Sendable {
        case opened, titleTyped(String), textTyped(String), saveTapped, backTapped, discardTapped, stayTapped
        case loaded(Draft), saved(Draft), failed(NoteProblem)
    }

    package enum SideEffect: Equatable, Sendable { case load, save(Draft) }
    package enum Event: Equatable, Sendable { case closed }

    private let id: Note.ID
    private let notes: any NoteRepository
    private let save: SaveNote

    /// Edits the note with that id, or a new one if there is none.
    package init(_ id: Note.ID, in notes: any NoteRepository, save: SaveNote) {
        (self.id, self.notes, self.save) = (id, notes, save)
    }

    package var initialState: State { State() }

    package func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Event> {
        switch action {
        case .opened: return .run(.load)
        case .loaded(let draft): (state.draft, state.stored) = (draft, draft)
        case .titleTyped(let title): (state.draft.title, state.problem) = (title, nil)
        case .textTyped(let text): state.draft.text = text
        case .saveTapped where !state.isSaving:
            (state.isSaving, state.problem) = (true, nil)
            return .run(.save(state.draft))
        case .saved(let draft):
            (state.stored, state.isSaving) = (draft, false)
            // What was typed meanwhile is not stored: the form stays open.
            if state.draft == draft { return .event(.closed) }
        case .failed(let problem): (state.problem, state.isSaving) = (problem, false)
        case .backTapped where state.draft != state.stored: state.isAsking = true
        case .backTapped, .discardTapped: return .event(.closed)
        case .stayTapped: state.isAsking = false
        case .saveTapped: break
        }
        return .none
    }

    package func perform(_ sideEffect: SideEffect) -> Observable<Action> { .empty() }
}
