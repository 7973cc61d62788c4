import TravelDataInMemory
import TravelPresentation
import TravelSamples

/// The sample trips in memory, shown in lines.
@main
struct LinesApp {
    @MainActor
    static func main() async throws {
        let store = InMemoryTripRepository()
        for user in SampleTrips.travelers { try await store.add(user) }
        try await store.add(SampleTrips.all.map(\.trip))
        let device = InMemorySession()
        let useCases = ScreenUseCases(
            store: store, session: device, identity: device, recentKeywords: InMemoryRecentKeywordRepository(),
            readImage: { _ in throw TravelError.signedOut }, saveLanguage: { _ in })

        let changes = PublishRelay<Void>()
        let edge = withDependencies {
            $0.places = Gazetteer.korea
        } operation: {
            LineEdge(useCases, language: .english) { changes.accept(()) }
        }
        let bag = DisposeBag()
        changes.map { [unowned edge] in MainActor.assumeIsolated { edge.text } }
            .debounce(.milliseconds(50), scheduler: MainScheduler.instance).distinctUntilChanged()
            .subscribe(onNext: { print($0) }).disposed(by: bag)

        print("A number opens; /TEXT searches; l likes, n and p change the day; b goes back. End with Ctrl-D.")
        let reading = SerialDispatchQueueScheduler(qos: .userInitiated)
        for try await line in Observable.from(Lines(), scheduler: reading).values {
            edge.type(line)
            if edge.hasEnded { return }
        }
    }
}

/// The lines of standard input. Reading one blocks its thread, so they are read on a queue of their own.
nonisolated struct Lines: Sequence, IteratorProtocol {
    func next() -> String? { readLine() }
}
