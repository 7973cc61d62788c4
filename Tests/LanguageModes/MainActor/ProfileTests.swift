import Dispatch
import Streams
import StreamsTesting
import Testing

/// Rx code in the Swift 6 language mode where everything is isolated to the main actor by default. Compiling without a
/// warning is part of the test.
final class ProfileViewModel {
    private let bag = DisposeBag()
    private let nickname = BehaviorRelay(value: "")
    private(set) var title = ""

    var isValid: Driver<Bool> {
        nickname.map { (2...10).contains($0.count) }.distinctUntilChanged().asDriver(onErrorJustReturn: false)
    }

    func type(_ text: String) {
        nickname.accept(text)
    }

    func bind() {
        nickname.asDriver().map { "Hello, \($0)" }.drive(onNext: { [weak self] in self?.title = $0 }).disposed(by: bag)
    }
}

@Suite("Streams where the main actor is the default")
struct ProfileTests {
    @Test("A driver reaches main-actor state without a hop")
    func driver() {
        let model = ProfileViewModel()
        model.bind()
        model.type("Mina")
        #expect(model.title == "Hello, Mina")
    }

    @Test("A scheduler drives main-actor state from a synchronous test")
    func virtualTime() {
        let scheduler = TestScheduler(initialClock: 0)
        SharingScheduler.mock(scheduler: scheduler) {
            let model = ProfileViewModel()
            let valid = scheduler.createObserver(Bool.self)
            let subscription = model.isValid.drive(valid)
            scheduler.scheduleAt(10) { model.type("M") }
            scheduler.scheduleAt(20) { model.type("Mina") }
            scheduler.start()
            subscription.dispose()
            #expect(valid.events.compactMap(\.value.element) == [false, true])
        }
    }

    @Test("Jobs of a virtual world run on the main actor's thread when the test does")
    func assumeIsolated() throws {
        let scheduler = TestScheduler()
        let clock = scheduler.virtualClock
        let model = ProfileViewModel()
        let title = try scheduler.run { @concurrent in
            try await clock.sleep(for: .seconds(10))
            return rename(model)
        }
        #expect(title == "Hello, Jun")
    }

    private nonisolated func rename(_ model: ProfileViewModel) -> String {
        MainActor.assumeIsolated {
            model.bind()
            model.type("Jun")
            return model.title
        }
    }
}
