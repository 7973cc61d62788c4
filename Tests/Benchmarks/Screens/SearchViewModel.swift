public import Samples
public import Streams
public import ViewModels

/// What a search screen gets.
public struct SearchInput<Element: Sample>: Sendable {
    /// What is typed.
    public var text: Observable<Element>
    /// Pulls to refresh.
    public var refresh: Observable<Void>
    /// Taps on a row, by its index.
    public var selection: Observable<Int>

    public init(text: Observable<Element>, refresh: Observable<Void>, selection: Observable<Int>) {
        self.text = text
        self.refresh = refresh
        self.selection = selection
    }
}

/// What a search screen shows.
public struct SearchOutput<Element: Sample>: Sendable {
    /// What was found.
    public var rows: Driver<[Element]>
    /// The title.
    public var title: Driver<Element>
    /// Whether something is being looked for.
    public var isLoading: Driver<Bool>
    /// The row that was tapped.
    public var selected: Signal<Element>
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
    let query = input.text.distinctUntilChanged().share(replay: 1)
    let rows = Observable.merge(query, input.refresh.withLatestFrom(query))
        .flatMapLatest { element in
            Observable.create { observer in
                observer.onNext([element, element.next])
                observer.onCompleted()
                return Disposables.create()
            }
        }
        .share(replay: 1)
    return SearchOutput(
        rows: rows.asDriver(onErrorJustReturn: []),
        title: query.map { $0.next }.startWith(Element.sample(0)).asDriver(onErrorDriveWith: .empty()),
        isLoading: Observable.merge(query.map { _ in true }, rows.map { _ in false }).startWith(false)
            .distinctUntilChanged().asDriver(onErrorJustReturn: false),
        selected: input.selection.withLatestFrom(rows) { index, rows in rows[index] }
            .asSignal(onErrorSignalWith: .empty()))
}
