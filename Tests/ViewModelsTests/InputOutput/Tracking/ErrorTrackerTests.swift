import Streams
import Synchronization
import TestTurns
import Testing
import ViewModels
import ViewModelsTesting

private struct Failure: Error, Equatable {
    let number: Int

    init(_ number: Int) { self.number = number }
}

@Suite("Error tracker", .takesTurns, .nothingSurvives)
@MainActor
struct ErrorTrackerTests {
    private let tracker = ErrorTracker()

    private func numbers(_ heard: Heard<any Error>) -> [Int] {
        heard.elements.compactMap { ($0 as? Failure)?.number }
    }

    @Test("one that replays the latest error tells it to everyone who listens later")
    @MainActor
    func replaysLatest() {
        let errors = ErrorTracker(replaysLatest: true)
        let first = Heard(errors.asSignal())
        errors.report(RxError.timeout)
        errors.report(RxError.noElements)
        #expect(first.elements.map { "\($0)" } == ["\(RxError.timeout)", "\(RxError.noElements)"])
        #expect(Heard(errors.asSignal()).elements.map { "\($0)" } == ["\(RxError.noElements)"])
    }

    @Test("an error is told once, before it goes on and ends the stream")
    func passesOn() {
        let heard = Heard(tracker.asSignal())
        let ended = Mutex<(any Error)?>(nil)
        let subject = PublishSubject<Int>()
        _ = subject.trackError(tracker).subscribe(onError: { error in ended.withLock { $0 = error } })
        subject.onError(Failure(1))
        #expect(numbers(heard) == [1])
        #expect(ended.withLock { $0 as? Failure } == Failure(1))
    }

    @Test("caught and tracked, an error is told and the stream is complete")
    func completes() {
        let heard = Heard(tracker.asSignal())
        let events = Mutex<[Event<Int>]>([])
        _ = Observable.concat(.just(7), .error(Failure(2))).catchAndTrack(tracker)
            .subscribe { event in events.withLock { $0.append(event) } }
        #expect(events.withLock { $0 } == [.next(7), .completed])
        #expect(numbers(heard) == [2])
    }

    @Test("inside flatMap, every failure is told and the stream around it goes on")
    func inside() {
        let heard = Heard(tracker.asSignal())
        let requests = PublishSubject<Int>()
        let tracker = tracker
        let subscription = requests.flatMapLatest { Single<Int>.error(Failure($0)).catchAndTrack(tracker) }.subscribe()
        for number in 1...3 { requests.onNext(number) }
        #expect(numbers(heard) == [1, 2, 3])
        #expect(requests.hasObservers)
        subscription.dispose()
    }

    @Test("elements and completion go on as they are, and nothing is told")
    func untouched() {
        let heard = Heard(tracker.asSignal())
        let events = Mutex<[Event<Int>]>([])
        for stream in [Observable.of(1, 2).trackError(tracker), Observable.of(1, 2).catchAndTrack(tracker)] {
            _ = stream.subscribe { event in events.withLock { $0.append(event) } }
        }
        #expect(events.withLock { $0 } == [.next(1), .next(2), .completed, .next(1), .next(2), .completed])
        #expect(heard.elements.isEmpty)
    }

    @Test("errors that come while nobody listens wait for the first who does, and are heard once")
    func waiting() {
        _ = Observable<Int>.error(Failure(1)).trackError(tracker).subscribe(onError: { _ in })
        _ = Observable<Int>.error(Failure(2)).catchAndTrack(tracker).subscribe()
        let first = Heard(tracker.asSignal())
        #expect(numbers(first) == [1, 2])
        let second = Heard(tracker.asSignal())
        tracker.report(Failure(3))
        #expect(numbers(first) == [1, 2, 3])
        #expect(numbers(second) == [3])
    }

    @Test("errors wait again once those who listened have left")
    func waitingAgain() {
        var heard: Heard<any Error>? = Heard(tracker.asSignal())
        tracker.report(Failure(1))
        #expect(heard.map(numbers) == [1])
        heard = nil
        tracker.report(Failure(2))
        heard = Heard(tracker.asSignal())
        #expect(heard.map(numbers) == [2])
    }

    @Test("an error that comes while one is being told is told after it")
    func reentrant() {
        let bag = DisposeBag()
        tracker.asSignal().emit(onNext: { [tracker] error in
            if error as? Failure == Failure(1) { tracker.report(Failure(2)) }
        })
        .disposed(by: bag)
        let heard = Heard(tracker.asSignal())
        tracker.report(Failure(1))
        #expect(numbers(heard) == [1, 2])
    }

    @Test("singles, maybes and completables keep their promise")
    func traits() {
        let heard = Heard(tracker.asSignal())
        let single: Single<Int> = Single.error(Failure(1)).trackError(tracker)
        let maybe: Maybe<Int> = Maybe.error(Failure(2)).trackError(tracker)
        let completable: Completable = Completable.error(Failure(3)).trackError(tracker)
        let ends = Mutex(0)
        let count: @Sendable (any Error) -> Void = { _ in ends.withLock { $0 += 1 } }
        _ = single.subscribe(onFailure: count)
        _ = maybe.subscribe(onError: count)
        _ = completable.subscribe(onError: count)
        #expect(ends.withLock { $0 } == 3)

        let quietSingle: Maybe<Int> = Single.error(Failure(4)).catchAndTrack(tracker)
        let quietMaybe: Maybe<Int> = Maybe.error(Failure(5)).catchAndTrack(tracker)
        let quietCompletable: Completable = Completable.error(Failure(6)).catchAndTrack(tracker)
        let completions = Mutex(0)
        let complete: @Sendable () -> Void = { completions.withLock { $0 += 1 } }
        _ = quietSingle.subscribe(onCompleted: complete)
        _ = quietMaybe.subscribe(onCompleted: complete)
        _ = quietCompletable.subscribe(onCompleted: complete)
        #expect(completions.withLock { $0 } == 3)
        #expect(numbers(heard) == [1, 2, 3, 4, 5, 6])
    }

    @Test("what async work throws is told, and thrown on")
    func asyncWork() async throws {
        let heard = Heard(tracker.asSignal())
        await #expect(throws: Failure(1)) { try await tracker.track { throw Failure(1) } }
        #expect(await tracker.track { 42 } == 42)
        #expect(numbers(heard) == [1])
    }

    @Test("from many threads at once none is lost or told twice, whenever someone begins to listen")
    func threads() async throws {
        let tracker = tracker
        let heard = Mutex<[Int]>([])
        let bag = DisposeBag()
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    for number in 0..<200 { tracker.report(Failure(thread * 200 + number)) }
                }
            }
            group.addTask { @Sendable in
                // On the thread that tells, so that what is heard is known when all are done.
                SharingScheduler.mock(scheduler: InlineScheduler()) {
                    tracker.asSignal().asObservable()
                        .subscribe(onNext: { error in heard.withLock { $0.append((error as! Failure).number) } })
                        .disposed(by: bag)
                }
            }
        }
        let numbers = heard.withLock { $0 }
        #expect(numbers.count == 1600)
        #expect(Set(numbers).count == 1600)
        for thread in 0..<8 {
            let own = numbers.filter { $0 / 200 == thread }
            #expect(own == own.sorted(), "each thread's errors keep their order")
        }
    }
}
