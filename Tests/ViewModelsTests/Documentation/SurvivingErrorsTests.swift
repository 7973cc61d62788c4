import Streams
import StreamsTesting
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

private struct Outage: Error {}

private enum LandingPage {
    struct Search: ViewModel {
        struct Input { let text: Observable<String> }
        struct Output { let titles: Driver<[String]>, failure: Signal<any Error> }

        let titles: @Sendable (String) async throws -> [String]
        @Dependency(\.mainScheduler) private var scheduler

        func transform(_ input: Input) -> Output {
            let answers = input.text.debounce(.milliseconds(300), scheduler: scheduler)
                .flatMapLatest { [titles] text in Observable.task { try await titles(text) }.materialize() }
                .share()
            return Output(
                titles: answers.elements().asDriver(),
                failure: answers.errors().asSignal())
        }
    }
}

/// Examples of the documentation whose work fails once: what follows works.
@Suite("Examples after their first error", .limitedConcurrency, .nothingSurvives)
struct SurvivingErrorsTests {
    private let scheduler = TestScheduler(resolution: 0.001)

    @Test("the search of the landing page finds the next text after a request that failed")
    func landingPage() {
        let text = scheduler.createHotObservable([.next(210, "a"), .next(700, "offline"), .next(1_200, "b")])
        let search = withDependencies {
            $0.useVirtualTime(of: scheduler)
        } operation: {
            LandingPage.Search { text in
                if text == "offline" { throw Outage() }
                return [text]
            }
        }
        let shown = SharingScheduler.mock(scheduler: scheduler) {
            scheduler.start(disposed: 3_000) {
                let output = search.transform(.init(text: text.asObservable()))
                return Observable.merge(
                    output.titles.asObservable().map { "\($0)" }, output.failure.asObservable().map { "\($0)" })
            }
        }
        #expect(shown.events.map(\.value) == [.next(#"["a"]"#), .next("Outage()"), .next(#"["b"]"#)])
    }

    @Test("the example of the landing page is in this file, word for word")
    func landingPageExample() throws {
        try Article("ViewModels").expectExamples()
    }

    @Test("the list of the example of ActivityTracker loads again after a failure")
    @MainActor
    func activityTracker() {
        let refreshed = PublishRelay<Void>()
        let attempts = Mutexed(0)
        let activity = ActivityTracker()
        let loads = refreshed.asObservable().flatMapLatest { _ -> Observable<Event<[String]>> in
            let posts = Observable<[String]>.deferred {
                attempts.change { $0 += 1 }
                return attempts.value == 1 ? .error(Outage()) : .just(["post"])
            }
            return posts.trackActivity(activity).materialize()
        }.share()
        let posts = Received(loads.elements().asDriver())
        let failures = Received(loads.errors().map { "\($0)" }.asSignal())
        let isLoading = Received(activity.asDriver())
        for _ in 0..<2 { refreshed.accept(()) }
        #expect(posts.elements == [["post"]] && failures.elements == ["Outage()"])
        #expect(isLoading.elements.last == false)
    }

    @Test("the form of the example of FormField saves after a failure")
    @MainActor
    func formField() {
        let (value, save) = (BehaviorRelay(value: "Mina"), PublishRelay<Void>())
        let attempts = Mutexed(0)
        let nickname = FormField<String, Int>(ValidationRule(1, unless: { $0.count >= 2 }))
            .transform(.init(value: value.asObservable(), submitted: save.asObservable()))
        let outcomes = nickname.submissions.flatMapFirst { _ in
            Observable<Bool>.deferred {
                attempts.change { $0 += 1 }
                return attempts.value == 1 ? .error(Outage()) : .just(true)
            }.materialize()
        }.share()
        let saved = Received(outcomes.elements().asSignal())
        let failures = Received(outcomes.errors().map { "\($0)" }.asSignal())
        for _ in 0..<2 { save.accept(()) }
        #expect(saved.elements == [true] && failures.elements == ["Outage()"])
    }
}
