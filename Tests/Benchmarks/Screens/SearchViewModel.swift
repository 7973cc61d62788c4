package import Samples
package import Streams
import ViewModels

/// What a search screen gets.
package struct SearchInput<Element: Sample>: Sendable {
    /// What is typed.
    package var text: Observable<Element>

    package init(text: Observable<Element>) {
        self.text = text
    }
}

/// What a search screen shows.
package struct SearchOutput<Element: Sample>: Sendable {
    /// The title, at once with that of an empty search.
    package var title: Driver<Element>
    /// What was found.
    package var rows: Driver<[Element]>
}

/// A search screen for numbers.
package struct NumberSearch: ViewModel {
    package init() {}

    package func transform(_ input: SearchInput<Int>) -> SearchOutput<Int> { compose(input) }
}

/// A search screen for text.
package struct TextSearch: ViewModel {
    package init() {}

    package func transform(_ input: SearchInput<String>) -> SearchOutput<String> { compose(input) }
}

/// A search screen for articles.
package struct ArticleSearch: ViewModel {
    package init() {}

    package func transform(_ input: SearchInput<Article>) -> SearchOutput<Article> { compose(input) }
}

/// Written once for the three; a screen has elements of one type, so each gets code of its own.
@inline(__always)
private func compose<Element: Sample>(_ input: SearchInput<Element>) -> SearchOutput<Element> {
    SearchOutput(
        title: input.text.map { $0.next }.startWith(Element.sample(0)).asDriver(onErrorDriveWith: .empty()),
        rows: input.text.distinctUntilChanged()
            .flatMapLatest { element in
                Observable.create { observer in
                    observer.onNext([element, element.next])
                    observer.onCompleted()
                    return Disposables.create()
                }
            }
            .asDriver(onErrorJustReturn: []))
}
