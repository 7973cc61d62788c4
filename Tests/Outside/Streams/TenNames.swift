import Streams
import StreamsTesting
import Testing

// The example of the article:
/// Shows what a search finds, once the user has stopped typing.
@MainActor
func showTitles(
    of text: PublishSubject<String>, isSorted: BehaviorRelay<Bool>, scheduler: any SchedulerType, in bag: DisposeBag,
    show: @escaping @MainActor @Sendable ([String]) -> Void
) {
    let found = text.debounce(.milliseconds(300), scheduler: scheduler)
        .flatMapLatest { text in  // a new text cancels the search
            Observable.task { try await search(text) }.catchAndReturn([])
        }
    Observable.combineLatest(found, isSorted)
        .map { titles, isSorted in isSorted ? titles.sorted() : titles }
        .asDriver(onErrorJustReturn: [])
        .drive(onNext: show)  // on the main actor
        .disposed(by: bag)
}

nonisolated func search(_ text: String) async throws -> [String] { ["\(text) in winter", "a \(text)"] }
// Its results:

@Suite("The ten names of Streams")
@MainActor
struct TenNamesTests {
    @Test("titles are shown after the last key, and again when they are to be sorted")
    func example() {
        let scheduler = TestScheduler(resolution: 0.001)
        let (text, isSorted) = (PublishSubject<String>(), BehaviorRelay(value: false))
        let bag = DisposeBag()
        var shown: [[String]] = []
        showTitles(of: text, isSorted: isSorted, scheduler: scheduler, in: bag) { shown.append($0) }
        scheduler.perform {
            text.onNext("s")
            text.onNext("sea")
        }
        scheduler.run()
        scheduler.perform { isSorted.accept(true) }
        scheduler.run()
        #expect(shown == [["sea in winter", "a sea"], ["a sea", "sea in winter"]])
    }
}
