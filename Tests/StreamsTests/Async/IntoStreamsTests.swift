import Streams
import StreamsTesting
import TestConcurrency
import Testing

@Suite("From async to streams", .limitedConcurrency)
struct IntoStreamsTests {
    let scheduler = TestScheduler(resolution: 0.001)

    @Test("Observable.task emits the value of its task or fails with its error")
    func task() {
        let clock = scheduler.virtualClock
        let value = scheduler.start {
            Observable.task {
                try await clock.sleep(for: .milliseconds(50))
                return 1
            }
        }
        #expect(value.events == [.next(250, 1), .completed(250)])
        let scheduler = TestScheduler()
        let failure = scheduler.start { Observable<Int>.task { throw Failure.expected } }
        #expect(failure.events == [.error(200, Failure.expected)])
    }

    @Test("Each subscription to Observable.task runs a new task")
    func taskForEachSubscription() {
        let runs = Notes<Int>()
        let stream = Observable<Int>.task {
            runs.add(1)
            return runs.all.count
        }
        scheduler.perform { for _ in 0..<3 { _ = stream.subscribe() } }
        scheduler.run()
        #expect(runs.all.count == 3)
        scheduler.expectIdle()
    }

    @Test("A sending task emits any number of values and terminates when it returns or throws")
    func taskThatSends() {
        let clock = scheduler.virtualClock
        let many = scheduler.start {
            Observable<Int>.task { send in
                send(1)
                try await clock.sleep(for: .milliseconds(50))
                send(2)
                send(3)
            }
        }
        #expect(many.events == [.next(200, 1), .next(250, 2), .next(250, 3), .completed(250)])
        let none = TestScheduler().start { Observable<Int>.task { _ in await Task.yield() } }
        #expect(none.events == [.completed(200)])
        let failure = TestScheduler().start {
            Observable<Int>.task { send in
                send(1)
                throw Failure.expected
            }
        }
        #expect(failure.events == [.next(200, 1), .error(200, Failure.expected)])
    }

    @Test("Disposal cancels a sending task and ignores its later values")
    func sendingTaskDisposed() {
        let clock = scheduler.virtualClock
        let cancelled = Notes<Bool>()
        let result = scheduler.start(disposed: 230) {
            Observable<Int>.task { send in
                send(1)
                do { try await clock.sleep(for: .milliseconds(50)) } catch {
                    cancelled.add(Task.isCancelled)
                    send(2)
                }
            }
        }
        #expect(result.events == [.next(200, 1)])
        #expect(cancelled.all == [true])
        scheduler.expectIdle()
    }

    @Test("Disposal cancels the task and ignores its result")
    func taskDisposed() {
        let clock = scheduler.virtualClock
        let cancelled = Notes<Bool>()
        let result = scheduler.start(disposed: 220) {
            Observable<Int>.task {
                do { try await clock.sleep(for: .seconds(1)) } catch { cancelled.add(Task.isCancelled) }
                return 1
            }
        }
        #expect(result.events == [])
        #expect(cancelled.all == [true])
        scheduler.expectIdle()
    }

    private func mapped(
        _ transform: (Observable<Int>, @escaping @Sendable (Int) async throws -> Int) -> Observable<Int>
    ) -> [Recorded<Event<Int>>] {
        let clock = scheduler.virtualClock
        let numbers = scheduler.createHotObservable([
            .next(210, 1), .next(220, 2), .next(300, 3), .completed(310),
        ])
        let stream = transform(numbers.asObservable()) { number in
            try await clock.sleep(for: .milliseconds(50))
            return number * 10
        }
        return scheduler.start { stream }.events
    }

    @Test("flatMap runs all tasks concurrently")
    func flatMap() {
        #expect(mapped { $0.flatMap($1) } == [.next(260, 10), .next(270, 20), .next(350, 30), .completed(350)])
    }

    @Test("flatMapLatest cancels the task of the previous element")
    func flatMapLatest() {
        #expect(mapped { $0.flatMapLatest($1) } == [.next(270, 20), .next(350, 30), .completed(350)])
        scheduler.expectIdle()
    }

    @Test("flatMapFirst ignores elements while a task runs")
    func flatMapFirst() {
        #expect(mapped { $0.flatMapFirst($1) } == [.next(260, 10), .next(350, 30), .completed(350)])
    }

    @Test("concatMap runs one task after the other")
    func concatMap() {
        #expect(mapped { $0.concatMap($1) } == [.next(260, 10), .next(310, 20), .next(360, 30), .completed(360)])
    }

    @Test("flatMap with a closure that returns a stream still emits the stream's elements")
    func overloads() {
        let doubled: Observable<Int> = Observable.of(1, 2).flatMap { Observable.of($0, $0 * 2) }
        #expect(try! doubled.toBlocking().toArray() == [1, 2, 2, 4])
        let latest = Observable.just(1).flatMapLatest { number in Observable.just(number) }
        let _: Observable<Int> = latest
    }

    @Test("asObservable emits the elements and the termination of an asynchronous sequence", arguments: [false, true])
    func sequence(fails: Bool) {
        let clock = scheduler.virtualClock
        let (sequence, continuation) = AsyncThrowingStream.makeStream(of: Int.self)
        let stream = Observable<Int>.task {
            for number in 1...2 {
                try await clock.sleep(for: .milliseconds(10))
                continuation.yield(number)
            }
            continuation.finish(throwing: fails ? Failure.expected : nil)
            return 0
        }
        scheduler.scheduleAt(200) { _ = stream.subscribe() }
        let result = scheduler.start { sequence.asObservable() }
        let end: Recorded<Event<Int>> = fails ? .error(220, Failure.expected) : .completed(220)
        #expect(result.events == [.next(210, 1), .next(220, 2), end])
        scheduler.expectIdle()
    }

    @Test("A cancelled asynchronous sequence completes its stream, at any priority", arguments: [false, true])
    func sequenceCancelled(isDetached: Bool) {
        let (sequence, continuation) = AsyncThrowingStream.makeStream(of: Int.self)
        continuation.yield(1)
        continuation.finish(throwing: CancellationError())
        let result = scheduler.start { sequence.asObservable(detached: isDetached, priority: .low) }
        #expect(result.events == [.next(200, 1), .completed(200)])
    }

    @Test("create(work:) of each trait emits the value of a task")
    func create() {
        let clock = scheduler.virtualClock
        let numbers = scheduler.start {
            Observable.merge(
                Observable.create { 1 },
                Single.create(detached: true) { 2 }.asObservable(),
                Maybe.create(priority: .high) {
                    try await clock.sleep(for: .milliseconds(10))
                    return 3
                }.asObservable(),
                Maybe<Int>.create { nil }.asObservable(),
                Completable.create { try await clock.sleep(for: .milliseconds(20)) }.andThen(Observable<Int>.empty()))
        }
        #expect(numbers.events == [.next(200, 1), .next(200, 2), .next(210, 3), .completed(220)])
        let failure = TestScheduler().start { Completable.create { throw Failure.expected }.andThen(Single.just(1)) }
        #expect(failure.events == [.error(200, Failure.expected)])
    }

    @Test("A task outside virtual time has the given priority", arguments: [false, true])
    func priority(isDetached: Bool) async throws {
        let single = Single.create(detached: isDetached, priority: .background) { Task.currentPriority }
        let priority = try await single.value
        #expect(priority == .background)
    }

    @Test("Disposal stops the iteration over an asynchronous sequence")
    func sequenceDisposed() {
        let (sequence, continuation) = AsyncStream.makeStream(of: Int.self)
        let ended = Notes<Bool>()
        continuation.onTermination = { _ in ended.add(true) }
        _ = scheduler.start(disposed: 300) { sequence.asObservable() }
        #expect(ended.all == [true])
        scheduler.expectIdle()
    }

    @Test("A single runs an async closure")
    func single() {
        let result = scheduler.start { Single { 7 } }
        #expect(result.events == [.next(200, 7), .completed(200)])
        let scheduler = TestScheduler()
        #expect(scheduler.start { Single.create { 8 } }.events == [.next(200, 8), .completed(200)])
    }

    @Test("a maybe and a completable run an async closure, and fail with its error")
    func maybeAndCompletable() {
        #expect(scheduler.start { Maybe { 7 } }.events == [.next(200, 7), .completed(200)])
        #expect(TestScheduler().start { Maybe<Int> { nil } }.events == [.completed(200)])
        #expect(
            TestScheduler().start { Maybe<Int> { throw Failure.expected } }.events == [.error(200, Failure.expected)])
        let ran = Notes<Int>()
        let saving = Completable { ran.add(1) }
        #expect(ran.all == [])
        #expect(TestScheduler().start { saving.asObservable() }.events == [.completed(200)])
        #expect(TestScheduler().start { saving.asObservable() }.events == [.completed(200)])
        #expect(ran.all == [1, 1])
        #expect(
            TestScheduler().start { Completable { throw Failure.expected } }.events == [.error(200, Failure.expected)])
    }

    @Test("disposal cancels the task of a maybe and of a completable", arguments: [true, false])
    func disposedTraits(isMaybe: Bool) {
        let ended = Notes<Bool>()
        let scheduler = TestScheduler()
        let clock = scheduler.virtualClock
        let work: @Sendable () async throws -> Void = {
            do { try await clock.sleep(for: .seconds(1_000)) } catch {
                ended.add(Task.isCancelled)
                throw error
            }
        }
        _ = scheduler.start(disposed: 300) {
            isMaybe
                ? Maybe<Int> {
                    try await work()
                    return 1
                }.asObservable() : Completable(work).andThen(Observable<Int>.empty())
        }
        #expect(ended.all == [true])
        scheduler.expectIdle()
    }
}
