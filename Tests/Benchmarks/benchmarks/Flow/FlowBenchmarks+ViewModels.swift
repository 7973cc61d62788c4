import Samples
import Screens
import Streams
import ViewModels

extension FlowBenchmarks {
    /// A view model of another module made, its outputs bound, and let go.
    static func viewModels(_ report: inout Report) async throws {
        try await viewModel(&report, Int.self, { NumberSearch().transform($0) }, HandSearches.number)
        try await viewModel(&report, String.self, { TextSearch().transform($0) }, HandSearches.text)
        try await viewModel(&report, Article.self, { ArticleSearch().transform($0) }, HandSearches.article)
    }

    private static func viewModel<E: Sample>(
        _ report: inout Report, _: E.Type, _ transform: @escaping (SearchInput<E>) -> SearchOutput<E>,
        _ makeHand: @escaping @MainActor (HandSearch<E>.TextField) -> HandSearch<E>
    ) async throws {
        let totals = StreamsBenchmarks.Totals()
        let text = PublishRelay<E>()
        let input = SearchInput(text: text.asObservable())
        let field = HandSubject<E>()
        func makeAndBind(_ bag: DisposeBag) {
            let total = totals.streams
            let output = transform(input)
            output.title.drive(onNext: { total.add(sample: $0) }).disposed(by: bag)
            output.rows.drive(onNext: { for row in $0 { total.add(sample: row) } }).disposed(by: bag)
        }
        func makeAndBindHand() -> HandSearch<E> {
            let total = totals.hand
            let screen = makeHand { next in
                let key = field.add(next)
                return { field.remove(key) }
            }
            screen.onTitle { total.add(sample: $0) }
            screen.onRows { for row in $0 { total.add(sample: row) } }
            return screen
        }
        try await compare(&report, "viewModelCreate", element: E.name, count: 3_000, totals) { count in
            for _ in 0..<count { makeAndBind(DisposeBag()) }
        } hand: { count in
            for _ in 0..<count { _ = makeAndBindHand() }
        }
        // The same screen in use, which shows that both do the same.
        try await compare(&report, "viewModelUse", element: E.name, count: 10_000, totals) { count in
            let bag = DisposeBag()
            makeAndBind(bag)
            for number in 0..<count { text.accept(E.sample(number)) }
        } hand: { count in
            let screen = makeAndBindHand()
            for number in 0..<count { field.send(E.sample(number)) }
            withExtendedLifetime(screen) {}
        }
    }
}
