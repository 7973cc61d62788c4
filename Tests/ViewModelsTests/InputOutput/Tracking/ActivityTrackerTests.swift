import Dispatch
import Streams
import Synchronization
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

private struct Failure: Error {}

@Suite("Activity tracker", .limitedConcurrency, .nothingSurvives)
@MainActor
struct ActivityTrackerTests {
    private let tracker = ActivityTracker()

    @Test("an activity tracker emits the current value first")
    func beginning() {
        let early = Received(tracker.asDriver())
        let work = Observable<Int>.never().trackActivity(tracker).subscribe()
        let late = Received(tracker.asDriver())
        #expect(early.elements == [false, true])
        #expect(late.elements == [true])
        work.dispose()
        #expect(late.elements == [true, false])
    }

    enum Ending: CaseIterable, CustomTestStringConvertible {
        case completion, error, disposal
        var testDescription: String { "\(self)" }
    }

    @Test("an activity tracker is active during work, and inactive after its end", arguments: Ending.allCases)
    func ending(_ ending: Ending) {
        let received = Received(tracker.asDriver())
        let subject = PublishSubject<Int>()
        let work = subject.trackActivity(tracker).subscribe(onError: { _ in })
        subject.onNext(1)
        #expect(received.elements == [false, true])
        switch ending {
        case .completion: subject.onCompleted()
        case .error: subject.onError(Failure())
        case .disposal: work.dispose()
        }
        #expect(received.elements == [false, true, false])
        work.dispose()
        #expect(received.elements == [false, true, false])
    }

    @Test("the end of work is delivered before the activity tracker becomes inactive")
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

    @Test("an activity tracker is active from the start of the first to the end of the last overlapping work")
    func overlapping() {
        let received = Received(tracker.asDriver())
        let subjects = (0..<3).map { _ in PublishSubject<Int>() }
        let first = subjects[0].trackActivity(tracker).subscribe()
        _ = subjects[1].trackActivity(tracker).subscribe()
        first.dispose()
        _ = subjects[2].trackActivity(tracker).subscribe()
        subjects[1].onCompleted()
        #expect(received.elements == [false, true])
        subjects[2].onCompleted()
        #expect(received.elements == [false, true, false])
    }

    @Test("each subscription to a tracked stream counts as separate work")
    func everySubscription() {
        let received = Received(tracker.asDriver())
        let work = Observable<Int>.never().trackActivity(tracker)
        let subscriptions = [work.subscribe(), work.subscribe()]
        subscriptions[0].dispose()
        subscriptions[0].dispose()
        #expect(received.elements == [false, true])
        subscriptions[1].dispose()
        #expect(received.elements == [false, true, false])
    }

    @Test("composing with an activity tracker starts nothing")
    func composing() {
        let received = Received(tracker.asDriver())
        let work = PublishSubject<Int>()
        _ = work.trackActivity(tracker)
        _ = Single<Int>.just(1).trackActivity(tracker)
        #expect(!work.hasObservers)
        #expect(received.elements == [false])
    }

    @Test("tracked singles, maybes, completables and infallibles keep their type")
    func traits() {
        let received = Received(tracker.asDriver())
        let single: Single<Int> = Single.just(1).trackActivity(tracker)
        let maybe: Maybe<Int> = Maybe.empty().trackActivity(tracker)
        let completable: Completable = Completable.error(Failure()).trackActivity(tracker)
        _ = single.subscribe()
        #expect(received.elements == [false, true, false])
        _ = maybe.subscribe()
        #expect(received.elements == [false, true, false, true, false])
        _ = completable.subscribe(onError: { _ in })
        #expect(received.elements.count == 7)
        _ = Infallible<Int>.just(1).trackActivity(tracker).subscribe()
        #expect(received.elements.count == 9)
        let never = Single<Int>.never().trackActivity(tracker).subscribe()
        #expect(received.elements.last == true)
        never.dispose()
        #expect(received.elements.last == false)
    }

    @Test("an activity tracker counts async work until it returns or throws")
    func asyncWork() async throws {
        let received = Received(tracker.asDriver())
        let answer = await tracker.track {
            #expect(received.elements == [false, true])
            await Task.yield()
            return 42
        }
        #expect(answer == 42)
        #expect(received.elements == [false, true, false])
        await #expect(throws: Failure.self) { try await tracker.track { throw Failure() } }
        #expect(received.elements == [false, true, false, true, false])
    }

    @Test("work that starts in an observer of inactivity is emitted after it, in one order for all observers")
    func reentrant() {
        let work = PublishSubject<Int>()
        let restarts = tracker.asDriver().drive(onNext: { [tracker] active in
            if !active { _ = work.take(1).trackActivity(tracker).subscribe() }
        })
        let received = Received(tracker.asDriver())
        #expect(received.elements == [true])
        work.onNext(1)
        #expect(received.elements == [true, false, true])
        restarts.dispose()
        work.onCompleted()
        #expect(received.elements == [true, false, true, false])
    }

    @Test("with many threads an activity tracker alternates true and false, and ends inactive")
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
        let received = log.withLock { $0 }
        #expect(received.count >= 3)
        #expect(received.last == false)
        #expect(zip(received, received.dropFirst()).allSatisfy { $0 != $1 })
    }

    @Test("tracked work retains its activity tracker until its end")
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
