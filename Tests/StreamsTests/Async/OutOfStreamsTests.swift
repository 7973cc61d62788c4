import Streams
import StreamsTesting
import TestConcurrency
import Testing

@Suite("From streams to async", .limitedConcurrency)
struct OutOfStreamsTests {
    let scheduler = TestScheduler(resolution: 0.001)

    @Test("values returns the elements and then ends")
    func values() throws {
        #expect(
            try scheduler.run { try await Observable.of(1, 2, 3).values.reduce(into: []) { $0.append($1) } } == [
                1, 2, 3,
            ])
        #expect(throws: Failure.self) {
            try scheduler.run { for try await _ in Observable<Int>.error(Failure.expected).values {} }
        }
        let letters = try scheduler.run { await Infallible.of("a", "b").values.reduce("", +) }
        #expect(letters == "ab")
    }

    @Test("values subscribes immediately and buffers elements")
    func valuesWait() throws {
        let subject = PublishSubject<Int>()
        let values = subject.values
        #expect(subject.hasObservers)
        for number in 1...3 { subject.onNext(number) }
        subject.onCompleted()
        #expect(try scheduler.run { try await values.reduce(0, +) } == 6)
    }

    @Test("Cancelling the iterating task disposes the subscription", arguments: [false, true])
    func cancelled(isBuffered: Bool) {
        let subject = PublishSubject<Int>()
        let iteration = Observable<Int>.task {
            var count = 0
            if isBuffered {
                for try await _ in subject.values(buffering: .latest) { count += 1 }
            } else {
                for try await _ in subject.values { count += 1 }
            }
            return count
        }
        scheduler.scheduleAt(210) { subject.onNext(1) }
        scheduler.scheduleAt(220) { #expect(subject.hasObservers) }
        let result = scheduler.start(disposed: 230) { iteration }
        #expect(result.events == [])
        #expect(!subject.hasObservers)
        scheduler.expectIdle()
    }

    @Test("values throws CancellationError after the buffered elements in a cancelled task", arguments: [false, true])
    func cancellationError(isBuffered: Bool) async {
        let subject = PublishSubject<Int>()
        let started = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            var numbers: [Int] = []
            do {
                if isBuffered {
                    for try await number in subject.values(buffering: .unbounded) {
                        numbers.append(number)
                        started.continuation.yield()
                    }
                } else {
                    for try await number in subject.values {
                        numbers.append(number)
                        started.continuation.yield()
                    }
                }
                return "\(numbers) completed"
            } catch is CancellationError {
                return "\(numbers) cancelled"
            } catch {
                return "\(numbers) \(error)"
            }
        }
        while !subject.hasObservers, !Task.isCancelled { await Task.yield() }
        subject.onNext(1)
        for await _ in started.stream { break }
        task.cancel()
        #expect(await task.value == "[1] cancelled")
        #expect(!subject.hasObservers)
    }

    @Test("values of a stream that cannot fail ends when its task is cancelled", arguments: [false, true])
    func infallibleCancelled(isBuffered: Bool) async {
        let relay = BehaviorRelay(value: 1)
        let task = Task {
            let infallible = relay.asInfallible()
            var numbers: [Int] = []
            if isBuffered {
                for await number in infallible.values(buffering: .latest) { numbers.append(number) }
            } else {
                for await number in infallible.values { numbers.append(number) }
            }
            return numbers
        }
        task.cancel()
        #expect(await task.value.allSatisfy { $0 == 1 })
    }

    @Test("values(buffering:) of an infallible stream ends even if the stream fails")
    func infallibleThatFails() throws {
        let broken = Infallible<Int>.combineLatest(Infallible.just(1), Infallible.just(2)) { _, _ in
            throw Failure.expected
        }
        #expect(try scheduler.run { await broken.values(buffering: .latest).reduce(0, +) } == 0)
        #expect(try scheduler.run { await broken.values.reduce(0, +) } == 0)
    }

    @Test("The deinit of a dropped element can read droppedCount")
    func droppedElement() {
        final class Element: Sendable {
            let onDeinit: @Sendable () -> Void
            init(_ onDeinit: @escaping @Sendable () -> Void) { self.onDeinit = onDeinit }
            deinit { onDeinit() }
        }
        let subject = PublishSubject<Element>()
        let values = subject.values(buffering: .latest)
        let counts = Notes<Int>()
        subject.onNext(Element { counts.add(values.droppedCount) })
        subject.onNext(Element {})
        #expect(counts.all == [1])
    }

    @Test(
        "values(buffering:) follows its policy and counts dropped elements",
        arguments: [
            (ValueBuffering.unbounded, [1, 2, 3, 4, 5], 0),
            (.latest, [5], 4),
            (.bounded(2, .dropOldest), [4, 5], 3),
            (.bounded(2, .dropNewest), [1, 2], 3),
        ])
    func buffering(_ buffering: ValueBuffering, kept: [Int], dropped: Int) throws {
        let subject = PublishSubject<Int>()
        let values = subject.values(buffering: buffering)
        for number in 1...5 { subject.onNext(number) }
        subject.onCompleted()
        #expect(try scheduler.run { try await values.reduce(into: []) { $0.append($1) } } == kept)
        #expect(values.droppedCount == dropped)
    }

    @Test("values(buffering:) drops nothing while a task waits")
    func waiting() throws {
        let clock = scheduler.virtualClock
        let numbers = scheduler.createHotObservable([.next(10, 1), .next(20, 2), .next(30, 3), .completed(40)])
        let values = numbers.values(buffering: .latest)
        let received = scheduler.createObserver(Int.self)
        try scheduler.run {
            for try await number in values {
                received.onNext(number)
                if number == 1 { try await clock.sleep(for: .milliseconds(25)) }
            }
        }
        #expect(received.events == [.next(10, 1), .next(35, 3)])
        #expect(values.droppedCount == 1)
    }

    @Test("values(buffering:) throws an error once, after the elements")
    func bufferedError() throws {
        let subject = PublishSubject<Int>()
        let values = subject.values(buffering: .unbounded)
        subject.onNext(1)
        subject.onError(Failure.expected)
        let received = try scheduler.run {
            var iterator = values.makeAsyncIterator()
            let first = try await iterator.next()
            var failed = false
            do { _ = try await iterator.next() } catch { failed = error is Failure }
            return (first, failed, try await iterator.next())
        }
        #expect(received == (1, true, nil))
    }

    @Test("Releasing values disposes the subscription")
    func releasedSequence() {
        let subject = PublishSubject<Int>()
        do {
            let values = subject.values(buffering: .unbounded)
            #expect(subject.hasObservers)
            withExtendedLifetime(values) {}
        }
        #expect(!subject.hasObservers)
    }

    @Test("value returns the result of each trait")
    func traitValues() throws {
        #expect(try scheduler.run { try await Single.just(1).value } == 1)
        #expect(try scheduler.run { try await Maybe.just(2).value } == 2)
        #expect(try scheduler.run { try await Maybe<Int>.empty().value } == nil)
        try scheduler.run { try await Completable.empty().value }
        #expect(throws: Failure.self) { try scheduler.run { try await Single<Int>.error(Failure.expected).value } }
        #expect(throws: Failure.self) { try scheduler.run { try await Completable.error(Failure.expected).value } }
    }

    @Test("Cancelling a task that awaits value disposes the subscription")
    func valueCancelled() {
        let subject = PublishSubject<Int>()
        let errors = Notes<Bool>()
        let waiting = Observable<Int>.task {
            do { return try await subject.asSingle().value } catch {
                errors.add(error is CancellationError)
                throw error
            }
        }
        _ = scheduler.start(disposed: 300) { waiting }
        #expect(!subject.hasObservers)
        #expect(errors.all == [true])
        scheduler.expectIdle()
    }
}
