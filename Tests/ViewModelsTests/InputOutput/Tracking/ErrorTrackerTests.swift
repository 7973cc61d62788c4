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

    private func numbers(_ received: Received<any Error>) -> [Int] {
        received.elements.compactMap { ($0 as? Failure)?.number }
    }

    @Test("an error tracker that replays the latest error delivers it to each later observer")
    @MainActor
    func replaysLatest() {
        let errors = ErrorTracker(replaysLatest: true)
        let first = Received(errors.asSignal())
        errors.report(RxError.timeout)
        errors.report(RxError.noElements)
        #expect(first.elements.map { "\($0)" } == ["\(RxError.timeout)", "\(RxError.noElements)"])
        #expect(Received(errors.asSignal()).elements.map { "\($0)" } == ["\(RxError.noElements)"])
    }

    @Test("an error tracker emits an error once, before the error ends the stream")
    func passesOn() {
        let received = Received(tracker.asSignal())
        let ended = Mutex<(any Error)?>(nil)
        let subject = PublishSubject<Int>()
        _ = subject.trackError(tracker).subscribe(onError: { error in ended.withLock { $0 = error } })
        subject.onError(Failure(1))
        #expect(numbers(received) == [1])
        #expect(ended.withLock { $0 as? Failure } == Failure(1))
    }

    @Test("catchAndTrack emits the error and completes the stream")
    func completes() {
        let received = Received(tracker.asSignal())
        let events = Mutex<[Event<Int>]>([])
        _ = Observable.concat(.just(7), .error(Failure(2))).catchAndTrack(tracker)
            .subscribe { event in events.withLock { $0.append(event) } }
        #expect(events.withLock { $0 } == [.next(7), .completed])
        #expect(numbers(received) == [2])
    }

    @Test("catchAndTrack inside flatMap emits every error, and the outer stream continues")
    func inside() {
        let received = Received(tracker.asSignal())
        let requests = PublishSubject<Int>()
        let tracker = tracker
        let subscription = requests.flatMapLatest { Single<Int>.error(Failure($0)).catchAndTrack(tracker) }.subscribe()
        for number in 1...3 { requests.onNext(number) }
        #expect(numbers(received) == [1, 2, 3])
        #expect(requests.hasObservers)
        subscription.dispose()
    }

    @Test("a tracked stream passes elements and completion on, and the error tracker emits nothing")
    func untouched() {
        let received = Received(tracker.asSignal())
        let events = Mutex<[Event<Int>]>([])
        for stream in [Observable.of(1, 2).trackError(tracker), Observable.of(1, 2).catchAndTrack(tracker)] {
            _ = stream.subscribe { event in events.withLock { $0.append(event) } }
        }
        #expect(events.withLock { $0 } == [.next(1), .next(2), .completed, .next(1), .next(2), .completed])
        #expect(received.elements.isEmpty)
    }

    @Test("errors without an observer are buffered for the first one, and delivered once")
    func waiting() {
        _ = Observable<Int>.error(Failure(1)).trackError(tracker).subscribe(onError: { _ in })
        _ = Observable<Int>.error(Failure(2)).catchAndTrack(tracker).subscribe()
        let first = Received(tracker.asSignal())
        #expect(numbers(first) == [1, 2])
        let second = Received(tracker.asSignal())
        tracker.report(Failure(3))
        #expect(numbers(first) == [1, 2, 3])
        #expect(numbers(second) == [3])
    }

    @Test("errors are buffered again after all observers have unsubscribed")
    func waitingAgain() {
        var received: Received<any Error>? = Received(tracker.asSignal())
        tracker.report(Failure(1))
        #expect(received.map(numbers) == [1])
        received = nil
        tracker.report(Failure(2))
        received = Received(tracker.asSignal())
        #expect(received.map(numbers) == [2])
    }

    @Test("an error that occurs during a delivery is delivered after it")
    func reentrant() {
        let bag = DisposeBag()
        tracker.asSignal().emit(onNext: { [tracker] error in
            if error as? Failure == Failure(1) { tracker.report(Failure(2)) }
        })
        .disposed(by: bag)
        let received = Received(tracker.asSignal())
        tracker.report(Failure(1))
        #expect(numbers(received) == [1, 2])
    }

    @Test("tracked singles, maybes and completables keep their contract")
    func traits() {
        let received = Received(tracker.asSignal())
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
        #expect(numbers(received) == [1, 2, 3, 4, 5, 6])
    }

    @Test("an error tracker emits the error of async work, and rethrows it")
    func asyncWork() async throws {
        let received = Received(tracker.asSignal())
        await #expect(throws: Failure(1)) { try await tracker.track { throw Failure(1) } }
        #expect(await tracker.track { 42 } == 42)
        #expect(numbers(received) == [1])
    }

    @Test("with many threads an error tracker delivers each error exactly once, whenever an observer subscribes")
    func threads() async throws {
        let tracker = tracker
        let received = Mutex<[Int]>([])
        let bag = DisposeBag()
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    for number in 0..<200 { tracker.report(Failure(thread * 200 + number)) }
                }
            }
            group.addTask { @Sendable in
                // On the delivering thread, so that all deliveries are recorded when all threads are done.
                SharingScheduler.mock(scheduler: InlineScheduler()) {
                    tracker.asSignal().asObservable()
                        .subscribe(onNext: { error in received.withLock { $0.append((error as! Failure).number) } })
                        .disposed(by: bag)
                }
            }
        }
        let numbers = received.withLock { $0 }
        #expect(numbers.count == 1600)
        #expect(Set(numbers).count == 1600)
        for thread in 0..<8 {
            let own = numbers.filter { $0 / 200 == thread }
            #expect(own == own.sorted(), "each thread's errors keep their order")
        }
    }
}
