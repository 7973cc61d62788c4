import Streams
import StreamsTesting
import TestTurns
import Testing
import ViewModels
import ViewModelsTesting

/// Movie details: a `trigger` in, a `title` out.
private struct MovieDetailsViewModel: ViewModel {
    struct Input { let trigger: Observable<Void> }
    struct Output { let title: Driver<String> }

    let title: @Sendable () async throws -> String

    func transform(_ input: Input) -> Output {
        let titles = input.trigger.flatMapLatest {
            Single { try await title() }
                .catchAndReturn("Unknown movie")  // inside, so that the next trigger loads again
                .asObservable().startWith("…")
        }
        return Output(title: titles.asDriver(onErrorDriveWith: .empty()))
    }
}

@Suite("Pattern: movie details", .takesTurns, .virtualTime, .nothingSurvives)
@MainActor
struct MovieDetailsTests {
    private let scheduler = TestScheduler(resolution: 0.001)
    private let trigger = PublishRelay<Void>()

    @Test("the trigger loads the movie title")
    func loads() {
        let title = shown(MovieDetailsViewModel { "Burning" })
        #expect(title.value == "")
        trigger.accept(())
        #expect(title.value == "…")
        scheduler.run()
        #expect(title.value == "Burning")
    }

    @Test("a failure is shown in place of the movie title, and the next trigger loads again")
    func fails() {
        let title = shown(MovieDetailsViewModel { throw RxError.timeout })
        for _ in 1...2 {
            trigger.accept(())
            #expect(title.value == "…")
            scheduler.run()
            #expect(title.value == "Unknown movie")
        }
    }

    @Test("transform of the movie details only composes")
    func composes() {
        expectOnlyComposes(MovieDetailsViewModel { "Burning" }) { inputs in
            .init(trigger: inputs.count(trigger))
        } whileBound: {
            trigger.accept(())
        }
    }

    /// The title as a view shows it.
    private func shown(_ viewModel: MovieDetailsViewModel) -> Observed<String> {
        let output = viewModel.transform(.init(trigger: trigger.asObservable()))
        return Observed(output.title, initially: "")
    }
}
