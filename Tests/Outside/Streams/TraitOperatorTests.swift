import Foundation
import Streams
import StreamsTesting
import Testing

@Suite("Streams that cannot fail, and streams of one element", .timeLimit(.minutes(5)))
struct TraitOperatorTests {
    private let numbers = Infallible.of(1, 2, 3)

    /// The events of a stream in the virtual time of `scheduler`.
    private func events<Stream: ObservableConvertibleType>(
        _ scheduler: TestScheduler, _ stream: @escaping (TestScheduler) -> Stream
    ) -> [String] {
        let observer = scheduler.createObserver(Stream.Element.self)
        let subscription = stream(scheduler).asObservable().subscribe(observer)
        scheduler.start()
        subscription.dispose()
        return observer.events.map { event in
            event.value.element.map { "\($0)" } ?? (event.value.isCompleted ? "|" : "!")
        }
    }

    @Test("an infallible has the operators of a stream")
    func infallible() {
        expect(numbers.filter { $0 > 1 }, "2 3 |")
        expect(numbers.compactMap { $0 > 1 ? "\($0)" : nil }, "2 3 |")
        expect(numbers.concatMap { Infallible.of($0, $0) }, "1 1 2 2 3 3 |")
        expect(numbers.flatMapFirst { Infallible.just($0) }, "1 2 3 |")
        expect(numbers.flatMapLatest { Infallible.just($0) }, "1 2 3 |")
        expect(numbers.scan(0) { $0 + $1 }, "1 3 6 |")
        expect(numbers.skip(1), "2 3 |")
        expect(numbers.takeLast(1), "3 |")
        expect(Infallible.of(1, 1, 2).distinctUntilChanged(), "1 2 |")
        expect(Infallible<Int>.deferred { .just(1) }, "1 |")
        expect(Infallible<Int>.empty(), "|")
        expect(Infallible<Int>.never(), "")
        expect(Infallible.range(start: 1, count: 2), "1 2 |")
        expect(numbers.asInfallible(), "1 2 3 |")
        let record = Record()
        expect(numbers.do(onNext: { record.note($0) }), "1 2 3 |")
        expect(numbers.withUnretained(record).map { $1 }, "1 2 3 |")
        #expect(record.text == "1 2 3")
        let observer: Infallible<Int>.InfallibleObserver = { event in record.add(event.event.isCompleted ? "|" : "next")
        }
        observer(.next(1))
        _ = (numbers.asDriver(), numbers.asSignal(), numbers.debug("numbers"))
    }

    @Test("an infallible waits in virtual time")
    func infallibleTime() {
        #expect(events(TestScheduler()) { numbers.debounce(.seconds(1), scheduler: $0) } == ["3", "|"])
        #expect(events(TestScheduler()) { numbers.throttle(.seconds(1), latest: false, scheduler: $0) } == ["1", "|"])
        #expect(events(TestScheduler()) { numbers.delay(.seconds(1), scheduler: $0) } == ["1", "2", "3", "|"])
        #expect(
            events(TestScheduler()) { numbers.delaySubscription(.seconds(1), scheduler: $0) } == ["1", "2", "3", "|"])
        #expect(events(TestScheduler()) { numbers.observe(on: $0) } == ["1", "2", "3", "|"])
        #expect(events(TestScheduler()) { numbers.subscribe(on: $0) } == ["1", "2", "3", "|"])
    }

    @Test("a single waits in virtual time")
    func singleTime() {
        let one = Single.just(1)
        #expect(events(TestScheduler()) { one.delay(.seconds(1), scheduler: $0) } == ["1", "|"])
        #expect(events(TestScheduler()) { one.delaySubscription(.seconds(1), scheduler: $0) } == ["1", "|"])
        #expect(events(TestScheduler()) { one.observe(on: $0) } == ["1", "|"])
        #expect(events(TestScheduler()) { one.subscribe(on: $0) } == ["1", "|"])
        #expect(events(TestScheduler()) { Single<Int>.timer(.seconds(1), scheduler: $0) } == ["0", "|"])
        #expect(events(TestScheduler()) { Single<Int>.never().timeout(.seconds(1), scheduler: $0) } == ["!"])
        _ = one.debug("one")
        expect(one.primitiveSequence, "1 |")
    }

    @Test("a single is made from a task, and observed by a function")
    func single() async throws {
        let single = Single<Int> { 7 }
        #expect(try await single.value == 7)
        #expect(try await Maybe<Int> { nil }.value == nil)
        try await Completable { _ = try await single.value }.value
        let record = Record()
        let observer: Single<Int>.SingleObserver = { event in record.add((try? event.get()).map { "\($0)" } ?? "!") }
        let maybe: Maybe<Int>.MaybeObserver = { event in
            switch event {
            case .success(let number): record.note(number)
            case .error: record.add("!")
            case .completed: record.add("|")
            }
        }
        let completable: Completable.CompletableObserver = { event in
            switch event {
            case .error: record.add("!")
            case .completed: record.add("|")
            }
        }
        let bag = DisposeBag()
        Single.just(1).subscribe(observer).disposed(by: bag)
        Maybe.just(2).subscribe(maybe).disposed(by: bag)
        Completable.empty().subscribe(completable).disposed(by: bag)
        #expect(record.text == "1 2 |")
        func sequence<Sequence: PrimitiveSequenceType>(_ sequence: Sequence) -> PrimitiveSequence<
            Sequence.Trait, Sequence.Element
        > {
            sequence.primitiveSequence
        }
        expect(sequence(Single.just(1)), "1 |")
        expect(Single<Int>.never(), "")
        let events: (SingleEvent<Int>, MaybeEvent<Int>, CompletableEvent, InfallibleEvent<Int>) = (
            .success(1), .completed, .completed, .next(1)
        )
        #expect(events.0 == .success(1) && events.1 == .completed && events.2 == .completed && events.3 == .next(1))
        #expect(MaybeTrait.self != CompletableTrait.self && MaybeTrait.self != SingleTrait.self)
    }

    @Test("an event is a value")
    func events() {
        func event<Value: EventConvertible>(_ value: Value) -> Event<Value.Element> { value.event }
        #expect(
            event(InfallibleEvent.next(1)) == .next(1) && event(Event<Int>.completed).isStopEvent
                && Event.next(1).event.element == 1)
        #expect(Event.next(1).map { "\($0)" }.element == "1" && Event<Int>.error(RxError.unknown).error != nil)
    }

    @Test("a group is a stream with a key")
    func groups() {
        let group = GroupedObservable(key: "odd", source: Observable.of(1, 3))
        expect(group.asObservable(), "1 3 |")
        let record = Record()
        group.subscribe(record.observer).dispose()
        #expect(record.text == "1 3 |" && group.key == "odd")
    }

    @Test("a decoder of one's own reads the elements of a stream")
    func decoding() {
        struct Digits: DataDecoder {
            func decode<Item: Decodable>(_ type: Item.Type, from data: Data) throws -> Item {
                guard let count = data.count as? Item else { throw RxError.noElements }
                return count
            }
        }
        func decode<Decoder: DataDecoder>(with decoder: Decoder) throws -> Int {
            try decoder.decode(Int.self, from: Data([1]))
        }
        #expect(throws: Never.self) { try decode(with: Digits()) }
        expect(Observable.just(Data([1, 2])).decode(type: Int.self, decoder: Digits()), "2 |")
    }

    @Test("a stream is a sequence for `for await`, and the other way round")
    func sequences() async throws {
        var values = Observable.of(1, 2, 3).values(buffering: .bounded(10, .dropOldest)).makeAsyncIterator()
        #expect(try await values.next() == 1)
        let bufferings: [ValueBuffering] = [.latest, .unbounded, .bounded(1, .dropNewest)]
        for buffering in bufferings {
            let buffered: BufferedValues<Int, any Error> = Observable.just(1).values(buffering: buffering)
            var iterator: BufferedValues<Int, any Error>.AsyncIterator = buffered.makeAsyncIterator()
            #expect(try await iterator.next(isolation: #isolation) == 1)
            #expect(buffered.droppedCount == 0)
        }
        let overflow: ValueBuffering.Overflow = .dropOldest
        guard case .dropOldest = overflow else { return }
        let numbers = AsyncStream { continuation in
            continuation.yield(1)
            continuation.finish()
        }
        #expect(try await numbers.asObservable().toArray().value == [1])
        var driven: [Int] = []
        for await number in Driver.of(1, 2).values { driven.append(number) }
        #expect(driven == [1, 2])
    }

    @Test("a sequence for views is shared on the main actor")
    @MainActor
    func sharing() {
        func share<Strategy: SharingStrategyProtocol>(_ strategy: Strategy.Type) -> Observable<Int> {
            _ = Strategy.scheduler
            return Strategy.share(Observable.just(1))
        }
        expect(share(DriverSharingStrategy.self), "1 |")
        expect(share(SignalSharingStrategy.self), "1 |")
        expect(DriverSharingStrategy.share(Observable.just(1)), "1 |")
        expect(SignalSharingStrategy.share(Observable.just(1)), "1 |")
        _ = (DriverSharingStrategy.scheduler, SignalSharingStrategy.scheduler, SharingScheduler.make())
        func onMain<Strategy: MainActorSharingStrategyProtocol>(_ strategy: Strategy.Type) -> Bool { true }
        #expect(onMain(DriverSharingStrategy.self))
        let driver: SharedSequence<DriverSharingStrategy, Int> = Driver.just(1).asSharedSequence()
        _ = (Signal.just(1).asSignal(), driver.debug("driver"))
        func bindable<Stream: BindableType>(_ stream: Stream) -> Bool { true }
        func cannotFail<Stream: InfallibleType>(_ stream: Stream) -> Stream { stream }
        #expect(bindable(Observable.just(1)) && bindable(cannotFail(numbers)))
        let lifetimes: [SubjectLifetimeScope] = [.whileConnected, .forever]
        expect(Observable.just(1).share(replay: 1, scope: lifetimes[1]), "1 |")
        expect(Observable.of(1, 2).take(while: { $0 < 2 }, behavior: TakeBehavior.exclusive), "1 |")
        expect(RxObservable<Int>.just(1), "1 |")
        func zero<Number: RxAbstractInteger>(_ type: Number.Type) -> Number { 0 }
        #expect(zero(Int.self) == 0)
    }

    @Test("a type of one's own has a namespace for its streams")
    func reactive() {
        struct Clock: ReactiveCompatible { var hour = 7 }
        #expect(Reactive(Clock()).base.hour == 7 && Clock().rx.base.hour == 7)
        func namespace<Value: ReactiveCompatible>(_ type: Value.Type) -> Any.Type { Value.ReactiveBase.self }
        _ = namespace(Clock.self)
    }
}

@Suite("Debugging", .serialized)
struct DebuggingTests {
    @Test("subscriptions that live are a graph")
    func liveSubscriptions() {
        let subscription = Observable<Int>.never().map { $0 }.subscribe()
        let nodes: [LiveSubscriptions.Node] = LiveSubscriptions.all
        #expect(!LiveSubscriptions.graph.isEmpty || nodes.isEmpty)
        for node in nodes { _ = (node.operators, node.pendingCount, node.place, node.sources) }
        subscription.dispose()
    }

    @Test("resources are counted in debug builds")
    func resources() {
        #expect(Resources.incrementTotal() > Resources.decrementTotal() || Resources.total >= 0)
    }

    @Test("an app handles the errors that nobody does")
    func hooks() {
        // Read only: they are of the whole process.
        let handler: Hooks.DefaultErrorHandler = Hooks.defaultErrorHandler
        let callStack: Hooks.CustomCaptureSubscriptionCallstack = Hooks.customCaptureSubscriptionCallstack
        let warning: Hooks.WarningHandler = Hooks.warningHandler
        _ = (handler, callStack, warning, Hooks.recordCallStackOnError)
    }
}
