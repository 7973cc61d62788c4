import StreamsTesting
import TravelPresentation

/// Drives the home screen: sends input at given ticks, and records its output as text.
final class HomeScreen {
    let scheduler = TestScheduler(resolution: 0.001)
    let travels: ScriptedTravels
    private let criteria = PublishSubject<TravelCriteria>()
    private let refreshed = PublishSubject<Void>()
    private let reachedEnd = PublishSubject<Void>()
    private let retryTapped = PublishSubject<Void>()
    private let observer: TestableObserver<HomeContent>
    private var subscription: (any Disposable)?

    init(answers: [ScriptedTravels.Answer]) throws {
        travels = try ScriptedTravels(answers: answers, clock: scheduler.virtualClock)
        observer = scheduler.createObserver(HomeContent.self)
        SharingScheduler.mock(scheduler: scheduler) {
            let output = HomeViewModel(
                searchTravels: SearchTravels(travels: travels, session: .signedOut), language: .english
            )
            .transform(
                .init(
                    criteria: criteria, refreshed: refreshed, reachedEnd: reachedEnd, retryTapped: retryTapped))
            subscription = output.content.asObservable().subscribe(observer)
        }
    }

    func search(at tick: Int, _ criteria: TravelCriteria) {
        scheduler.scheduleAt(tick) { [self] in self.criteria.onNext(criteria) }
    }

    func refresh(at tick: Int) { scheduler.scheduleAt(tick) { [self] in refreshed.onNext(()) } }
    func reachEnd(at tick: Int) { scheduler.scheduleAt(tick) { [self] in reachedEnd.onNext(()) } }
    func retry(at tick: Int) { scheduler.scheduleAt(tick) { [self] in retryTapped.onNext(()) } }
    func leave(at tick: Int) { scheduler.scheduleAt(tick) { [self] in subscription?.dispose() } }

    /// Runs to the end and returns the output: the tick, the phase, the number of rows, and `+` if more follow.
    ///
    /// The scheduler delivers to the main actor one tick later; the recorded ticks are those of the cause.
    func run() -> [String] {
        scheduler.run()
        subscription?.dispose()
        return observer.events.compactMap { recorded in
            recorded.value.element.map { "\(recorded.time - 1) \(Self.words($0))" }
        }
    }

    private static func words(_ content: HomeContent) -> String {
        let rows = "\(content.rows.count)\(content.hasMore ? "+" : "")"
        switch content.phase {
        case .loading: return "loading \(rows)"
        case .loaded: return content.isEmpty ? "empty" : "loaded \(rows)"
        case .failed(let message): return "failed \(rows)\(message.canRetry ? ", retry" : "")"
        }
    }
}
