import Dispatch
import Streams
import Synchronization
import TestTurns
import Testing
import ViewModels
import ViewModelsTesting

private struct Failure: Error {}

@Suite("Activity tracker", .takesTurns, .nothingSurvives)
@MainActor
struct ActivityTrackerTests {
    private let tracker = ActivityTracker()

    @Test("it begins with how things are: quiet, or active while work is under way")
    func beginning() {
        let early = Heard(tracker.asDriver())
        let work = Observable<Int>.never().trackActivity(tracker).subscribe()
        let late = Heard(tracker.asDriver())
        #expect(early.elements == [false, true])
        #expect(late.elements == [true])
        work.dispose()
        #expect(late.elements == [true, false])
    }

    enum Ending: CaseIterable, CustomTestStringConvertible {
        case completion, error, disposal
        var testDescription: String { "\(self)" }
    }

    @Test("it is active while work is under way, and quiet after its", arguments: Ending.allCases)
    func ending(_ ending: Ending) {
        let heard = Heard(tracker.asDriver())
        let subject = PublishSubject<Int>()
        let work = subject.trackActivity(tracker).subscribe(onError: { _ in })
        subject.onNext(1)
        #expect(heard.elements == [false, true])
        switch ending {
        case .completion: subject.onCompleted()
        case .error: subject.onError(Failure())
        case .disposal: work.dispose()
        }
        #expect(heard.elements == [false, true, false])
        work.dispose()
        #expect(heard.elements == [false, true, false])
    }

    @Test("the end is heard before it goes quiet")
    func order() {
        let log = Mutex<[String]>([])
        let subscription = tracker.asDriver().drive(onNext: { active in log.withLock { $0.append("\(active)") } })
        _ = Observable.just(1).trackActivity(tracker)
            .subscribe(
                onNext: { number in log.withLock { $0.append("\(number)") } },
                onCompleted: { log.withLock { $0.append("|") } })
        #expect(log.withLock { $0 } == ["false", "true", "1", "|", "false"])
        subscription.dispose()
    }

    @Test("work that overlaps counts: active from the beginning of the first to the end of the last")
    func overlapping() {
        let heard = Heard(tracker.asDriver())
        let subjects = (0..<3).map { _ in PublishSubject<Int>() }
        let first = subjects[0].trackActivity(tracker).subscribe()
        _ = subjects[1].trackActivity(tracker).subscribe()
        first.dispose()
        _ = subjects[2].trackActivity(tracker).subscribe()
        subjects[1].onCompleted()
        #expect(heard.elements == [false, true])
        subjects[2].onCompleted()
        #expect(heard.elements == [false, true, false])
    }

    @Test("each subscription to one stream is work of its own")
    func everySubscription() {
        let heard = Heard(tracker.asDriver())
        let work = Observable<Int>.never().trackActivity(tracker)
        let subscriptions = [work.subscribe(), work.subscribe()]
        subscriptions[0].dispose()
        subscriptions[0].dispose()
        #expect(heard.elements == [false, true])
        subscriptions[1].dispose()
        #expect(heard.elements == [false, true, false])
    }

    @Test("composing with it starts nothing")
    func composing() {
        let heard = Heard(tracker.asDriver())
        let work = PublishSubject<Int>()
        _ = work.trackActivity(tracker)
        _ = Single<Int>.just(1).trackActivity(tracker)
        #expect(!work.hasObservers)
        #expect(heard.elements == [false])
    }

    @Test("singles, maybes, completables and infallibles keep their type, and are tracked")
    func traits() {
        let heard = Heard(tracker.asDriver())
        let single: Single<Int> = Single.just(1).trackActivity(tracker)
        let maybe: Maybe<Int> = Maybe.empty().trackActivity(tracker)
        let completable: Completable = Completable.error(Failure()).trackActivity(tracker)
        _ = single.subscribe()
        #expect(heard.elements == [false, true, false])
        _ = maybe.subscribe()
        #expect(heard.elements == [false, true, false, true, false])
        _ = completable.subscribe(onError: { _ in })
        #expect(heard.elements.count == 7)
        _ = Infallible<Int>.just(1).trackActivity(tracker).subscribe()
        #expect(heard.elements.count == 9)
        let never = Single<Int>.never().trackActivity(tracker).subscribe()
        #expect(heard.elements.last == true)
        never.dispose()
        #expect(heard.elements.last == false)
    }

    @Test("async work counts until it returns or throws")
    func asyncWork() async throws {
        let heard = Heard(tracker.asDriver())
        let answer = await tracker.track {
            #expect(heard.elements == [false, true])
            await Task.yield()
            return 42
        }
        #expect(answer == 42)
        #expect(heard.elements == [false, true, false])
        await #expect(throws: Failure.self) { try await tracker.track { throw Failure() } }
        #expect(heard.elements == [false, true, false, true, false])
    }

    @Test("work that begins where quiet is heard is told after it, to everyone in one order")
    func reentrant() {
        let work = PublishSubject<Int>()
        let restarts = tracker.asDriver().drive(onNext: { [tracker] active in
            if !active { _ = work.take(1).trackActivity(tracker).subscribe() }
        })
        let heard = Heard(tracker.asDriver())
        #expect(heard.elements == [true])
        work.onNext(1)
        #expect(heard.elements == [true, false, true])
        restarts.dispose()
        work.onCompleted()
        #expect(heard.elements == [true, false, true, false])
    }

    @Test("from many threads at once it says true and false in turn, and is quiet in the end")
    func threads() {
        let tracker = tracker
        let log = Mutex<[Bool]>([])
        let bag = DisposeBag()
        SharingScheduler.mock(scheduler: InlineScheduler()) {
            tracker.asDriver().asObservable()
                .subscribe(onNext: { active in log.withLock { $0.append(active) } }).disposed(by: bag)
        }
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<1000 { _ = Observable<Int>.empty().trackActivity(tracker).subscribe() }
        }
        let heard = log.withLock { $0 }
        #expect(heard.count >= 3)
        #expect(heard.last == false)
        #expect(zip(heard, heard.dropFirst()).allSatisfy { $0 != $1 })
    }

    @Test("a tracker that is let go leaves the work as it is, which keeps it until its end")
    func lifetime() {
        let work = PublishSubject<Int>()
        weak var released: ActivityTracker?
        do {
            let tracker = ActivityTracker()
            released = tracker
            _ = work.trackActivity(tracker).subscribe()
        }
        #expect(released != nil)
        work.onCompleted()
        #expect(released == nil)
    }
}
