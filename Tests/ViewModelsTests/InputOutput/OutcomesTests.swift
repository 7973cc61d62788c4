import Streams
import StreamsTesting
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

private struct Outage: Error {}

@Suite("The outcomes of work", .limitedConcurrency, .nothingSurvives)
struct OutcomesTests {
    private let saves = PublishSubject<Int>()

    @Test("elements are those of the work that succeeds, errors are those of the work that fails, and both go on")
    func outcomes() {
        let scheduler = TestScheduler()
        let outcomes = saves.flatMapFirst { $0 == 2 ? Observable<Int>.error(Outage()) : .of($0, $0) }.materialize()
        let each = saves.flatMapFirst { number in
            (number == 2 ? Observable<Int>.error(Outage()) : .of(number, number)).materialize()
        }.share()
        let (saved, failed) = (scheduler.createObserver(Int.self), scheduler.createObserver(String.self))
        let ended = scheduler.createObserver(Int.self)
        let bag = DisposeBag()
        each.elements().asObservable().subscribe(saved).disposed(by: bag)
        each.errors().asObservable().map { "\($0)" }.subscribe(failed).disposed(by: bag)
        outcomes.elements().asObservable().subscribe(ended).disposed(by: bag)
        for number in 1...3 { saves.onNext(number) }
        saves.onCompleted()
        #expect(saved.events == [.next(0, 1), .next(0, 1), .next(0, 3), .next(0, 3), .completed(0)])
        #expect(failed.events == [.next(0, "Outage()"), .completed(0)])
        #expect(ended.events == [.next(0, 1), .next(0, 1), .completed(0)], "`materialize` outside of `flatMapFirst`")
    }

    @Test("an error of the stream of outcomes itself is reported, and completes both")
    func failingStream() {
        let reported = Mutexed(0)
        let before = Hooks.defaultErrorHandler
        defer { Hooks.defaultErrorHandler = before }
        Hooks.defaultErrorHandler = { callStack, error in
            // Tests that run at the same time report other errors.
            if error is Outage { reported.change { $0 += 1 } } else { before(callStack, error) }
        }
        let scheduler = TestScheduler()
        let (saved, failed) = (scheduler.createObserver(Int.self), scheduler.createObserver(String.self))
        let outcomes = saves.flatMapFirst { Observable.just($0).materialize() }.share()
        let bag = DisposeBag()
        outcomes.elements().asObservable().subscribe(saved).disposed(by: bag)
        outcomes.errors().asObservable().map { "\($0)" }.subscribe(failed).disposed(by: bag)
        saves.onNext(1)
        saves.onError(Outage())
        #expect(saved.events == [.next(0, 1), .completed(0)])
        #expect(failed.events == [.completed(0)])
        #expect(reported.value == 2)
    }
}
