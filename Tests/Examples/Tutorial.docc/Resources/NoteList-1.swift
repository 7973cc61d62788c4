import NotesDomain
import Streams
import ViewModels

/// The list of notes: its values are independent, so that it is a function from streams to streams.
package struct NoteList: ViewModel {
    package struct Input {
        let words: Observable<String>

        package init(words: Observable<String>) {
            self.words = words
        }
    }

    package struct Output {
        /// What the list shows; nothing before the first notes arrive.
        package let content: Driver<Content>
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
        return Output(content: content)
    }
}
