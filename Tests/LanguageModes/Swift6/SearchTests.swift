import Dispatch
import Streams
import StreamsTesting
import Testing

/// Rx code in the Swift 6 language mode, without the upcoming features of this package. Compiling without a warning is
/// part of the test.
struct SearchViewModel: Sendable {
    let search: @Sendable (String) async throws -> [String]
    let scheduler: any SchedulerType

    func results(for query: Observable<String>) -> Observable<[String]> {
        query.distinctUntilChanged()
            .debounce(.milliseconds(300), scheduler: scheduler)
            .flatMapLatest { query in try await search(query) }
            .catch { _ in .just([]) }
    }
}

@Suite("Streams in the Swift 6 language mode")
struct SearchTests {
    @Test("Only the response to the latest query is emitted")
    func newest() {
        let scheduler = TestScheduler(initialClock: 0, resolution: 0.001)
        let clock = scheduler.virtualClock
        let model = SearchViewModel(
            search: { query in
                try await clock.sleep(for: .milliseconds(query.count < 3 ? 500 : 100))
                return [query]
            }, scheduler: scheduler)
        let query = scheduler.createHotObservable([.next(210, "se"), .next(700, "seoul")])
        let result = scheduler.start(disposed: 2000) { model.results(for: query.asObservable()) }
        #expect(result.events == [.next(1100, ["seoul"])])
    }

    @Test("Streams convert from and to Swift concurrency")
    func bridges() async throws {
        let numbers = AsyncStream { continuation in
            for number in 1...3 { continuation.yield(number) }
            continuation.finish()
        }
        var doubled: [Int] = []
        for try await number in numbers.asObservable().map({ $0 * 2 }).values { doubled.append(number) }
        #expect(doubled == [2, 4, 6])
        #expect(try await Single.just(1).value == 1)
    }
}
