import Foundation
import Streams
import Testing

@Suite("Subjects, relays and controls", .timeLimit(.minutes(5)))
struct SubjectTests {
    /// Sends one element and the completion to a subject of any kind, and returns what an observer received.
    nonisolated private func events<Subject: SubjectType & ObserverType>(
        of subject: Subject
    ) -> String where Subject.Element == Int, Subject.Observer == Subject {
        let record = Record()
        let subscription = subject.subscribe(record.observer)
        let observer: Subject.Observer = subject.asObserver()
        observer.onNext(1)
        observer.on(.next(2))
        observer.onCompleted()
        subscription.dispose()
        return record.text
    }

    @Test("a publish subject broadcasts, a behavior subject begins with its value, and a replay subject repeats")
    func subjects() throws {
        let (publish, behavior) = (PublishSubject<Int>(), BehaviorSubject(value: 0))
        let (replay, async) = (ReplaySubject<Int>.create(bufferSize: 1), AsyncSubject<Int>())
        #expect(try behavior.value() == 0)
        replay.onNext(5)
        #expect(events(of: publish.asObserver()) == "1 2 |" && events(of: behavior.asObserver()) == "0 1 2 |")
        #expect(events(of: replay.asObserver()) == "5 1 2 |" && events(of: async.asObserver()) == "2 |")
        for subject: any SubjectType in [publish, behavior, replay, async] { _ = subject }
        let types: [Any.Type] = [
            PublishSubject<Int>.SubjectObserverType.self, BehaviorSubject<Int>.SubjectObserverType.self,
            ReplaySubject<Int>.SubjectObserverType.self, AsyncSubject<Int>.SubjectObserverType.self,
        ]
        #expect(types.count == 4)
    }

    @Test("a subject tells whether it has observers, and refuses them once it is disposed")
    func disposing() {
        let (publish, behavior) = (PublishSubject<Int>(), BehaviorSubject(value: 0))
        let (replay, async) = (ReplaySubject<Int>.createUnbounded(), AsyncSubject<Int>())
        publish.on(.next(1))
        behavior.on(.next(1))
        replay.on(.next(1))
        async.on(.next(1))
        #expect(!publish.hasObservers && !behavior.hasObservers && !replay.hasObservers && !async.hasObservers)
        publish.dispose()
        behavior.dispose()
        replay.dispose()
        async.dispose()
        #expect(publish.isDisposed && behavior.isDisposed && replay.isDisposed && async.isDisposed)
    }

    @Test("a relay neither fails nor ends")
    func relays() {
        let (publish, behavior, replay) = (
            PublishRelay<Int>(), BehaviorRelay(value: 0), ReplayRelay<Int>.create(bufferSize: 1)
        )
        let record = Record()
        let subscriptions = [
            publish.subscribe(record.observer), behavior.subscribe(record.observer), replay.subscribe(record.observer),
            ReplayRelay<Int>.createUnbound().asObservable().subscribe(record.observer),
        ]
        func accept<Relay: RelayType>(_ relay: Relay) where Relay.Element == Int { relay.accept(1) }
        accept(publish)
        accept(behavior)
        accept(replay)
        replay.accept(2)
        #expect(record.text == "0 1 1 1 2" && publish.hasObservers && behavior.hasObservers && replay.hasObservers)
        for subscription in subscriptions { subscription.dispose() }
        expect(behavior.asObservable().take(1), "1 |")
        expect(publish.asObservable().take(0), "|")
        _ = (publish.asSignal(), behavior.asDriver(), behavior.asInfallible())
    }

    @Test("a control property is a value that a view shows and changes; a control event happens")
    func controls() async throws {
        /// The first element, which arrives on the main thread.
        func first<Stream: ObservableConvertibleType>(of stream: Stream) async throws -> Stream.Element? {
            try await stream.asObservable().first().value
        }
        let text = BehaviorSubject(value: "a")
        let property = ControlProperty(values: text, valueSink: text)
        property.on(.next("b"))
        #expect(try await first(of: property.asObservable()) == "b")
        #expect(try await first(of: property.asInfallible()) == "b")
        let event = ControlEvent(events: Observable.just(1))
        #expect(try await first(of: event.asObservable()) == 1)
        #expect(try await first(of: event.asInfallible()) == 1)
        func control<Event: ControlEventType>(_ event: Event) -> ControlEvent<Event.Element> { event.asControlEvent() }
        func control<Property: ControlPropertyType>(_ property: Property) -> ControlProperty<Property.Element> {
            property.asControlProperty()
        }
        #expect(try await first(of: control(event)) == 1)
        #expect(try await first(of: event.asControlEvent()) == 1)
        #expect(try await first(of: control(property)) == "b")
        #expect(try await first(of: property.asControlProperty()) == "b")
        let record = Record()
        let subscriptions = [
            property.subscribe(AnyObserver { event in if let text = event.element { record.add(text) } }),
            event.subscribe(record.observer),
        ]
        while !Set(record.words).isSuperset(of: ["b", "1", "|"]) { await Task.yield() }
        for subscription in subscriptions { subscription.dispose() }
        let types: [Any.Type] = [
            ControlEvent<Int>.Element.self, ControlProperty<Int>.Element.self, Binder<Int>.Element.self,
        ]
        #expect(types.count == 3)
    }

    @Test("an observer is a function, a binder, or a part of another one")
    func observers() {
        let record = Record()
        let handler: AnyObserver<Int>.EventHandler = { event in if let element = event.element { record.note(element) }
        }
        let observer = AnyObserver(eventHandler: handler)
        func send<Observer: ObserverType>(to observer: Observer) where Observer.Element == Int {
            observer.asObserver().onNext(1)
        }
        send(to: observer)
        let binder = Binder(record, scheduler: CurrentThreadScheduler.instance) { record, number in record.note(number)
        }
        binder.on(.next(2))
        binder.asObserver().onNext(3)
        #expect(record.text == "1 2 3")
    }
}

extension Record {
    /// An observer that notes numbers, and the completion as `|`.
    nonisolated var observer: AnyObserver<Int> {
        AnyObserver { event in self.add(event.element.map { "\($0)" } ?? "|") }
    }
}
