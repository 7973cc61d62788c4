public import Streams

/// A virtual-time scheduler for tests, whose clock counts ticks.
///
/// ```swift
/// let scheduler = TestScheduler(initialClock: 0)
/// let letters = scheduler.createHotObservable([.next(210, "a"), .next(220, "b"), .completed(230)])
/// let result = scheduler.start { letters.map { $0.uppercased() } }
///
/// #expect(result.events == [.next(210, "A"), .next(220, "B"), .completed(230)])
/// #expect(letters.subscriptions == [Subscription(200, 230)])
/// ```
///
/// Drive it, and call what it is given, from one thread or one actor at a time. Any number of schedulers may run in
/// parallel: they share nothing.
public final class TestScheduler: VirtualTimeScheduler<TestSchedulerVirtualTimeConverter>, @unchecked Sendable {
    // `@unchecked Sendable`: the class it inherits from is; what it adds is immutable.

    /// The ticks that ``start(_:)`` uses.
    public struct Defaults {
        /// When the stream is created.
        public static let created = 100
        /// When it is subscribed to.
        public static let subscribed = 200
        /// When the subscription is disposed.
        public static let disposed = 1000
    }

    private let simulateProcessingDelay: Bool

    /// A scheduler at rest.
    ///
    /// - Parameters:
    ///   - initialClock: The tick at which it begins.
    ///   - resolution: The length of a tick in seconds, for timers that are given a time.
    ///   - simulateProcessingDelay: Whether work that is to run at once runs a tick later, as work takes time.
    public init(initialClock: TestTime, resolution: Double = 1.0, simulateProcessingDelay: Bool = true) {
        self.simulateProcessingDelay = simulateProcessingDelay
        super.init(
            initialClock: initialClock, converter: TestSchedulerVirtualTimeConverter(resolution: resolution))
    }

    /// Not before now; not before the next tick if it simulates processing delay.
    public override func adjustScheduledTime(_ time: TestTime) -> TestTime {
        max(time, simulateProcessingDelay ? clock + 1 : clock)
    }

    // MARK: Streams and observers

    /// A stream that says these things at these ticks, to whoever listens then.
    public func createHotObservable<Element: Sendable>(
        _ events: [Recorded<Event<Element>>]
    ) -> TestableObservable<Element> {
        TestableObservable(hot: events, on: self)
    }

    /// A stream that says these things to each subscriber, that many ticks after its subscription.
    public func createColdObservable<Element: Sendable>(
        _ events: [Recorded<Event<Element>>]
    ) -> TestableObservable<Element> {
        TestableObservable(cold: events, on: self)
    }

    /// An observer that records what it hears, and when.
    public func createObserver<E: Sendable>(_ type: E.Type) -> TestableObserver<E> {
        TestableObserver(scheduler: self)
    }

    // MARK: Running

    /// Runs `action` at `time`.
    public func scheduleAt(_ time: TestTime, action: @escaping () -> Void) {
        let action = Confined(action)
        _ = scheduleAbsoluteVirtual((), time: time) {
            action.value()
            return Disposables.create()
        }
    }

    /// Runs everything, and records what the stream made by `create` says.
    ///
    /// - Parameters:
    ///   - created: When `create` is called.
    ///   - subscribed: When the stream is subscribed to.
    ///   - disposed: When the subscription is disposed.
    ///   - create: Makes the stream.
    /// - Returns: What the stream said.
    public func start<Element: Sendable, OutputSequence: ObservableConvertibleType>(
        created: TestTime, subscribed: TestTime, disposed: TestTime, create: @escaping () -> OutputSequence
    ) -> TestableObserver<Element> where OutputSequence.Element == Element {
        let observer = createObserver(Element.self)
        let subscription = SingleAssignmentDisposable()
        var source: Observable<Element>?
        scheduleAt(created) { source = create().asObservable() }
        scheduleAt(subscribed) {
            if let stream = source.take() { subscription.setDisposable(stream.subscribe(observer)) }
        }
        scheduleAt(disposed) { subscription.dispose() }
        start()
        return observer
    }

    /// As ``start(created:subscribed:disposed:create:)``, created at 100 and subscribed to at 200.
    public func start<Element: Sendable, OutputSequence: ObservableConvertibleType>(
        disposed: TestTime, create: @escaping () -> OutputSequence
    ) -> TestableObserver<Element> where OutputSequence.Element == Element {
        start(created: Defaults.created, subscribed: Defaults.subscribed, disposed: disposed, create: create)
    }

    /// As ``start(created:subscribed:disposed:create:)``, created at 100, subscribed to at 200 and disposed at 1000.
    public func start<Element: Sendable, OutputSequence: ObservableConvertibleType>(
        _ create: @escaping () -> OutputSequence
    ) -> TestableObserver<Element> where OutputSequence.Element == Element {
        start(
            created: Defaults.created, subscribed: Defaults.subscribed, disposed: Defaults.disposed, create: create)
    }
}

/// What a test hands to its scheduler and gets back on the thread that drives it.
///
/// `@unchecked Sendable`: a test hands work to a scheduler and drives it from one thread or actor at a time, which
/// ``TestScheduler`` asks for; so that the work may use what the test itself uses, it is not `@Sendable`.
private struct Confined<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
