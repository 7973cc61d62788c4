import Foundation
import NotesData
import NotesDomain
import NotesScreens
import SQLiteStore
import ViewModels

/// The composition root: `notes-terminal FILE` opens the database, and runs the screens until the input ends.
@main @MainActor
struct NotesApp {
    static func main() async throws {
        let location = CommandLine.arguments.dropFirst().first.map { Database.Location.file($0) } ?? .inMemory
        let database = try await Database.open(location, migrations: SQLiteNoteRepository.migrations)
        // The terminal watches the notes until the end of the block, before the database closes.
        do {
            let terminal = Terminal(SQLiteNoteRepository(database))
            let reading = SerialDispatchQueueScheduler(qos: .userInitiated)
            print("/words finds, + writes, * TITLE: TEXT writes at once, 1 opens, -1 deletes.")
            print("In a note: t TITLE, s saves, b goes back, else text.")
            for try await line in Observable.from(Lines(), scheduler: reading).values { terminal.receive(line) }
        }
        await database.close()
    }
}

/// The lines of standard input. Reading one blocks its thread, so they are read on a queue of their own.
nonisolated struct Lines: Sequence, IteratorProtocol {
    func next() -> String? { readLine() }
}

/// The edge: the only place where streams are subscribed.
@MainActor
final class Terminal {
    private let notes: any NoteRepository
    private let words = PublishSubject<String>(), deletions = PublishSubject<Note.ID>()
    private var shown: [Note] = []
    private var editor: NoteEditor.Store?
    private let bag = DisposeBag()
    @Dependency(\.uuid) private var uuid
    @Dependency(\.date) private var date

    init(_ notes: any NoteRepository) {
        self.notes = notes
        let output = NoteList(notes).transform(.init(words: words, deletions: deletions))
        output.content.drive(with: self) { $0.show($1) }.disposed(by: bag)
        output.failure.emit(onNext: { print("not deleted: \($0)") }).disposed(by: bag)
    }

    func receive(_ line: String) {
        if let editor { return edit(line, in: editor) }
        let number = Int(line.drop { $0 == "-" }) ?? 0
        let note = shown.indices.contains(number - 1) ? shown[number - 1] : nil
        switch (line.first, note) {
        case ("/", _): words.onNext(String(line.dropFirst()))
        case ("+", _): open(uuid())
        case ("*", _): write(line.dropFirst())
        case ("-", let note?): deletions.onNext(note.id)
        case (_, let note?): open(note.id)
        default: print("?")
        }
    }

    private func open(_ id: Note.ID) {
        let store = NoteEditor.Store(NoteEditor(id, in: notes, save: SaveNote(in: notes) { [date] in date() }))
        store.state.drive(with: self) { $0.show($1) }.disposed(by: bag)
        store.events.emit(with: self) { terminal, _ in terminal.editor = nil }.disposed(by: bag)
        editor = store
        store.send(.opened)
    }

    /// Saves a note of one line. Save is tapped at once, and waits for the check of the title.
    private func write(_ line: Substring) {
        let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        let saveTapped = PublishSubject<Void>()
        let note = QuickNote(uuid(), in: notes, save: SaveNote(in: notes) { [date] in date() })
        let output = note.transform(
            .init(title: .just(parts.first ?? ""), text: .just(parts.dropFirst().last ?? ""), saveTapped: saveTapped))
        output.problem.drive(onNext: { if let problem = $0 { print("not saved: \(problem)") } }).disposed(by: bag)
        output.failure.emit(onNext: { print("not saved: \($0)") }).disposed(by: bag)
        saveTapped.onNext(())
    }

    private func edit(_ line: String, in editor: NoteEditor.Store) {
        let state = editor.currentState
        switch line {
        case "s": editor.send(.saveTapped)
        case "b": editor.send(.backTapped)
        case "y" where state.isAsking: editor.send(.discardTapped)
        case "n" where state.isAsking: editor.send(.stayTapped)
        case _ where line.hasPrefix("t "): editor.send(.titleTyped(String(line.dropFirst(2))))
        default: editor.send(.textTyped(state.draft.text.isEmpty ? line : "\(state.draft.text)\n\(line)"))
        }
    }

    private func show(_ state: NoteEditor.State) {
        print("[\(state.draft.title)] \(state.draft.text)")
        if let problem = state.problem { print("not saved: \(problem)") }
        if state.isAsking { print("discard the changes? y or n") }
    }

    private func show(_ content: NoteList.Content) {
        switch content {
        case .failed(let reason): print("the notes could not be read: \(reason)")
        case .notes(let notes):
            shown = notes
            for (number, note) in zip(1..., notes) { print("\(number) \(note.title.text)") }
        }
    }
}
