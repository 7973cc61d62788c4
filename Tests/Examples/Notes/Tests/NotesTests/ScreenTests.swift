import Foundation
import NotesData
import NotesDomain
import NotesScreens
import Testing
import ViewModelsTesting

@Suite("The list of notes", .nothingSurvives, .timeLimit(.minutes(1)))
struct NoteListTests {
    let scheduler = TestScheduler(resolution: 0.001)  // a tick is a millisecond

    @Test("it shows all notes, and those that match 300 ms after the last key")
    func finds() throws {
        let (list, places) = (try Note("Packing list", at: 1), try Note("Places", at: 2))
        let words = scheduler.createHotObservable([.next(300, "pa"), .next(400, "pack")])

        let shown = content(of: InMemoryNoteRepository([list, places]), words: words.asObservable())

        #expect(shown == [.next(200, .notes([places, list])), .next(700, .notes([list]))])
    }

    @Test("a deleted note leaves the list")
    func deletes() throws {
        let (list, places) = (try Note("Packing list", at: 1), try Note("Places", at: 2))
        let deletions = scheduler.createHotObservable([.next(300, list.id)])

        let shown = content(of: InMemoryNoteRepository([list, places]), deletions: deletions.asObservable())

        #expect(shown == [.next(200, .notes([places, list])), .next(300, .notes([places]))])
    }

    @Test("binding each output subscribes to each input once")
    @MainActor
    func onlyComposes() {
        expectOnlyComposes(list(of: InMemoryNoteRepository())) { inputs in
            .init(words: inputs.count(Observable.never()), deletions: inputs.count(Observable.never()))
        }
    }

    private func list(of notes: any NoteRepository) -> NoteList {
        withDependencies {
            $0.useVirtualTime(of: scheduler)
        } operation: {
            NoteList(notes)
        }
    }

    private func content(
        of notes: any NoteRepository, words: Observable<String> = .never(), deletions: Observable<Note.ID> = .never()
    ) -> [Recorded<Event<NoteList.Content>>] {
        scheduler.start { () -> Observable<NoteList.Content> in
            let output = list(of: notes).transform(.init(words: words, deletions: deletions))
            let failures = output.failure.asObservable().map { NoteList.Content.failed($0) }
            return .merge(output.content.asObservable(), failures)
        }
        .events
    }
}

@Suite("The form of a note", .nothingSurvives, .timeLimit(.minutes(1)))
struct NoteEditorTests {
    @Test("a saved note is stored, and the form closes")
    func saves() async throws {
        let notes = InMemoryNoteRepository()
        let tester = FlowTester(NoteEditor(UUID(), in: notes, save: SaveNote(in: notes, now: Date.init)))

        tester.send(.opened, starts: .load)
        tester.receive(.loaded(.init()))
        tester.send(.titleTyped("Packing list")) { $0.draft.title = "Packing list" }
        tester.send(.saveTapped, starts: .save(.init(title: "Packing list"))) { $0.isSaving = true }
        tester.receive(.saved(.init(title: "Packing list"))) {
            $0.stored.title = "Packing list"
            $0.isSaving = false
        }
        tester.receive(event: .closed)
        tester.finish()
    }

    @Test("a title that is not valid is not saved, and typing removes the problem")
    func validates() {
        let notes = InMemoryNoteRepository()
        let tester = FlowTester(NoteEditor(UUID(), in: notes, save: SaveNote(in: notes, now: Date.init)))

        tester.send(.saveTapped, starts: .save(.init())) { $0.isSaving = true }
        tester.receive(.failed(.emptyTitle)) { ($0.problem, $0.isSaving) = (.emptyTitle, false) }
        tester.send(.titleTyped("List")) { ($0.draft.title, $0.problem) = ("List", nil) }
        tester.finish()
    }

    @Test("a second tap on Save is ignored while the first is saving")
    func savesOnce() {
        spec.given { $0.draft.title = "List" }
            .when(.saveTapped).then(.run(.save(.init(title: "List")))) { $0.isSaving = true }
            .when(.saveTapped).then()
    }

    @Test("the form stays open if the user typed while it was saving")
    func typesWhileSaving() {
        spec.given { ($0.draft.title, $0.isSaving) = ("List", true) }
            .when(.textTyped("tent")).then { $0.draft.text = "tent" }
            .when(.saved(.init(title: "List"))).then { ($0.stored.title, $0.isSaving) = ("List", false) }
    }

    @Test("Back closes the form at once without changes, and asks first with changes")
    func asks() {
        spec.when(.backTapped).then(.event(.closed))
        spec.given { $0.draft.text = "tent" }
            .when(.backTapped).then { $0.isAsking = true }
            .when(.stayTapped).then { $0.isAsking = false }
            .when(.backTapped).then { $0.isAsking = true }
            .when(.discardTapped).then(.event(.closed))
    }

    @Test("a note that cannot be stored shows why, and can be saved again")
    func fails() {
        spec.given { ($0.draft.title, $0.isSaving) = ("List", true) }
            .when(.failed(.storage("full"))).then { ($0.problem, $0.isSaving) = (.storage("full"), false) }
            .when(.saveTapped).then(.run(.save(.init(title: "List")))) { ($0.problem, $0.isSaving) = (nil, true) }
    }

    private var spec: FlowSpec<NoteEditor> {
        let notes = InMemoryNoteRepository()
        return FlowSpec(NoteEditor(UUID(), in: notes, save: SaveNote(in: notes, now: Date.init)))
    }
}
