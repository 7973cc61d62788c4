import Streams
import Testing
import ViewModels
import ViewModelsTesting

/// Movie details: a trigger in, a title out.
private struct MovieDetails: ViewModel {
    struct Input { let trigger: Observable<Void> }
    struct Output { let title: Driver<String> }

    let movie: String

    func transform(_ input: Input) -> Output {
        Output(title: input.trigger.map { movie }.asDriver(onErrorJustReturn: ""))
    }
}

@Suite("View models")
@MainActor
struct ViewModelTests {
    @Test("transform subscribes to nothing; binding the output pulls the input once; disposing leaves nothing alive")
    func transformOnlyComposes() {
        let trigger = PublishSubject<Void>()
        let input = CountedStream(trigger)
        let output = MovieDetails(movie: "Burning").transform(.init(trigger: input.stream))
        #expect(input.subscriptions == 0)

        let titles = Titles()
        let subscription = output.title.drive(onNext: { titles.all.append($0) })
        #expect(input.subscriptions == 1)
        trigger.onNext(())
        #expect(titles.all == ["Burning"])

        subscription.dispose()
        #expect(input.active == 0)
        #expect(!trigger.hasObservers)
    }
}

@MainActor
private final class Titles {
    var all: [String] = []
}
