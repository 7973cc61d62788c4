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
