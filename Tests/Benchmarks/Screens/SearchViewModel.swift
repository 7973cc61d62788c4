public import Samples
public import Streams
public import ViewModels

/// What a search screen gets.
public struct SearchInput<Element: Sample>: Sendable {
    /// What is typed.
    public var text: Observable<Element>

    public init(text: Observable<Element>) {
        self.text = text
    }
}

/// What a search screen shows.
public struct SearchOutput<Element: Sample>: Sendable {
    /// The title, at once with that of an empty search.
    public var title: Driver<Element>
    /// What was found.
    public var rows: Driver<[Element]>
}

/// A search screen for numbers.
public struct NumberSearch: ViewModel {
    public init() {}

    public func transform(_ input: SearchInput<Int>) -> SearchOutput<Int> { compose(input) }
}

/// A search screen for text.
public struct TextSearch: ViewModel {
    public init() {}

    public func transform(_ input: SearchInput<String>) -> SearchOutput<String> { compose(input) }
}

/// A search screen for articles.
public struct ArticleSearch: ViewModel {
    public init() {}

    public func transform(_ input: SearchInput<Article>) -> SearchOutput<Article> { compose(input) }
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
