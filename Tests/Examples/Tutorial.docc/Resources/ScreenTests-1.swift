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

    @Test("binding each output subscribes to each input once")
    @MainActor
    func onlyComposes() {
        expectOnlyComposes(list(of: InMemoryNoteRepository())) { inputs in
            .init(words: inputs.count(Observable.never()))
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
        of notes: any NoteRepository, words: Observable<String> = .never()
    ) -> [Recorded<Event<NoteList.Content>>] {
        scheduler.start { list(of: notes).transform(.init(words: words)).content }.events
    }
}
