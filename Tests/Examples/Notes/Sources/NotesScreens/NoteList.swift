import NotesDomain
import Streams
import ViewModels

/// The list of notes: its values are independent, so that it is a function from streams to streams.
package struct NoteList: ViewModel {
    package struct Input {
        let words: Observable<String>
        let deletions: Observable<Note.ID>

        package init(words: Observable<String>, deletions: Observable<Note.ID>) {
            (self.words, self.deletions) = (words, deletions)
        }
    }

    package struct Output {
        /// What the list shows; nothing before the first notes arrive.
        package let content: Driver<Content>
        /// Why a note was not deleted.
        package let failure: Signal<String>
    }

    package enum Content: Equatable, Sendable {
        case notes([Note])
        case failed(String)
    }

    private let notes: any NoteRepository
    @Dependency(\.mainScheduler) private var scheduler

    package init(_ notes: any NoteRepository) {
        self.notes = notes
    }

    package func transform(_ input: Input) -> Output {
        let content = input.words
            .debounce(.milliseconds(300), scheduler: scheduler)
            .startWith("")
            .distinctUntilChanged()
            .flatMapLatest { [notes] words in
                notes.watch(matching: words).asObservable()
                    .map(Content.notes)
                    .catch { .just(.failed("\($0)")) }
            }
            .asDriver(onErrorDriveWith: .empty())
        let failure = input.deletions
            .concatMap { [notes] id in Observable.task { try await notes.delete(id) }.materialize() }
            .errors().map { "\($0)" }
            .asSignal()
        return Output(content: content, failure: failure)
    }
}
