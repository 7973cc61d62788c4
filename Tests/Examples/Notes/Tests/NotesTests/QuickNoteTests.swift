import Foundation
import NotesData
import NotesDomain
import NotesScreens
import Synchronization
import Testing
import ViewModelsTesting

@Suite("The form of a new note", .nothingSurvives, .timeLimit(.minutes(1)))
struct QuickNoteTests {
    let scheduler = TestScheduler(resolution: 0.001)  // a tick is a millisecond
    let id = UUID()

    @Test("Save waits for the check of the title, and saves the newest texts once")
    func saves() async throws {
        let notes = InMemoryNoteRepository()
        let titles = scheduler.createHotObservable([.next(210, "List")])
        let texts = scheduler.createHotObservable([.next(210, "tent"), .next(400, "tent, pan")])
        let taps = scheduler.createHotObservable([.next(300, ()), .next(350, ())])

        let shown = outcomes(in: notes, titles, texts, taps)

        #expect(shown.map(\.value) == [.next("saved")])
        #expect((511...513).contains(shown.first?.time ?? 0))
        #expect(try await notes.note(id)?.text == "tent, pan")
    }

    @Test("a title that another note has is a problem, and is not saved")
    func usedTitle() async throws {
        let notes = InMemoryNoteRepository([try Note("List", at: 1)])
        let titles = scheduler.createHotObservable([.next(210, "List")])
        let taps = scheduler.createHotObservable([.next(300, ()), .next(600, ())])

        let shown = outcomes(in: notes, titles, scheduler.createHotObservable([.next(210, "")]), taps)

        #expect(shown.map(\.value) == [.next("usedTitle")])
        #expect(try await notes.note(id) == nil)
    }

    @Test("after a check that could not be made, Save checks again and saves")
    func checksAgain() {
        let notes = OfflineAtFirst(InMemoryNoteRepository())
        let titles = scheduler.createHotObservable([.next(210, "List")])
        let taps = scheduler.createHotObservable([.next(1_000, ())])

        let shown = outcomes(in: notes, titles, scheduler.createHotObservable([.next(210, "")]), taps)

        #expect(shown.map(\.value) == [.next("saved")])
    }

    @Test("binding each output subscribes to each input once")
    @MainActor
    func onlyComposes() {
        let notes = InMemoryNoteRepository()
        expectOnlyComposes(QuickNote(id, in: notes, save: SaveNote(in: notes, now: Date.init))) { inputs in
            .init(
                title: inputs.count(Observable.just("List")), text: inputs.count(Observable.just("")),
                saveTapped: inputs.count(Observable.never()))
        }
    }

    /// What the form shows, without the problems before it was submitted.
    private func outcomes(
        in notes: any NoteRepository, _ titles: TestableObservable<String>, _ texts: TestableObservable<String>,
        _ taps: TestableObservable<Void>
    ) -> [Recorded<Event<String>>] {
        SharingScheduler.mock(scheduler: scheduler) {
            scheduler.start(disposed: 2_000) { () -> Observable<String> in
                let output = QuickNote(id, in: notes, save: SaveNote(in: notes, now: Date.init)).transform(
                    .init(
                        title: titles.asObservable(), text: texts.asObservable(), saveTapped: taps.asObservable()))
                return .merge(
                    output.saved.asObservable().map { _ in "saved" },
                    output.problem.asObservable().compactMap { $0.map { "\($0)" } },
                    output.failure.asObservable().map { "\($0)" })
            }
        }
        .events
    }
}

/// A repository that cannot be reached the first time that notes are looked for.
private nonisolated final class OfflineAtFirst: NoteRepository {
    private let notes: any NoteRepository
    private let hasFailed = Mutex(false)

    init(_ notes: any NoteRepository) { self.notes = notes }

    func note(_ id: Note.ID) async throws -> Note? { try await notes.note(id) }
    func save(_ note: Note) async throws { try await notes.save(note) }
    func delete(_ id: Note.ID) async throws { try await notes.delete(id) }

    func watch(matching words: String) -> any AsyncSequence<[Note], any Error> & Sendable {
        let isFirst = hasFailed.withLock { hasFailed in
            defer { hasFailed = true }
            return !hasFailed
        }
        guard isFirst else { return notes.watch(matching: words) }
        return AsyncThrowingStream { $0.finish(throwing: NoteProblem.storage("offline")) }
    }
}
