import NotesDomain
import Streams
import ViewModels

/// The form of a new note: two fields and a button, which do not depend on each other.
package struct QuickNote: ViewModel {
    package struct Input {
        let title: Observable<String>
        let text: Observable<String>
        let saveTapped: Observable<Void>

        package init(title: Observable<String>, text: Observable<String>, saveTapped: Observable<Void>) {
            (self.title, self.text, self.saveTapped) = (title, text, saveTapped)
        }
    }

    package struct Output {
        /// The problem to show beside the title.
        package let problem: Driver<NoteProblem?>
        package let canSave: Driver<Bool>
        package let saved: Signal<Note.ID>
        /// Why a valid note was not saved.
        package let failure: Signal<NoteProblem>
    }

    private let id: Note.ID
    private let notes: any NoteRepository
    private let save: SaveNote

    /// Writes a note with that id.
    package init(_ id: Note.ID, in notes: any NoteRepository, save: SaveNote) {
        (self.id, self.notes, self.save) = (id, notes, save)
    }

    package func transform(_ input: Input) -> Output {
        let title = FormField<String, NoteProblem>(ValidationRule(trying: Note.Title.init))
            .checked(after: .milliseconds(300), repeatedAfter: { $0 != .usedTitle }) { [notes] title in
                await Self.problem(of: title, among: notes)
            }
        let text = FormField<String, Never>()
        let form = FormFields(
            submitted: input.saveTapped, title.filled(by: input.title), text.filled(by: input.text))
        // The error of a store becomes a value where the work is; outside, it would end the form.
        let outcomes = form.submissions
            .flatMapFirst { [id, save] title, text in
                Observable.task { try await save(id, title: title, text: text) }.materialize()
            }
            .share()
        return Output(
            problem: form.fields.0.problem, canSave: form.canSubmit,
            saved: outcomes.elements().map { [id] in id }.asSignal(),
            failure: outcomes.errors().map { $0 as? NoteProblem ?? .storage("\($0)") }.asSignal())
    }

    /// The problem of a title that another note has.
    private nonisolated static func problem(of title: String, among notes: any NoteRepository) async -> NoteProblem? {
        do {
            for try await found in notes.watch(matching: title) {
                return found.contains { $0.title.text == title } ? .usedTitle : nil
            }
            return nil
        } catch {
            return .storage("\(error)")
        }
    }
}
