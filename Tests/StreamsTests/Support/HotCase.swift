import Streams
import StreamsTesting
import Testing

/// The expected events of an operator for a hot source, subscribed at 200 and disposed at 1000.
struct HotCase<Source: Sendable, Element: Equatable & Sendable>: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let source: [Recorded<Event<Source>>]
    let expected: [Recorded<Event<Element>>]
    /// The tick at which the operator disposes the source; `nil` if it never subscribes to it.
    let end: Int?
    let disposed: Int

    init(
        _ description: String, _ source: [Recorded<Event<Source>>], _ expected: [Recorded<Event<Element>>],
        until end: Int?, disposed: Int = 1000
    ) {
        testDescription = description
        self.source = source
        self.expected = expected
        self.end = end
        self.disposed = disposed
    }

    func check(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ operation: @escaping (Observable<Source>, TestScheduler) -> Observable<Element>
    ) {
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable(source)
        let result = scheduler.start(disposed: disposed) { operation(hot.asObservable(), scheduler) }
        #expect(result.events == expected, sourceLocation: sourceLocation)
        #expect(hot.subscriptions == (end.map { [Subscription(200, $0)] } ?? []), sourceLocation: sourceLocation)
    }

    func check(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ operation: @escaping (Observable<Source>) -> Observable<Element>
    ) { check(sourceLocation: sourceLocation) { source, _ in operation(source) } }
}

/// The errors of tests.
enum Failure: Error {
    case expected, other
}

/// The expected events of an operator for two hot sources, subscribed at 200 and disposed at 1000.
struct HotPair<Element: Equatable & Sendable>: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let first: [Recorded<Event<Int>>]
    let second: [Recorded<Event<Int>>]
    let expected: [Recorded<Event<Element>>]
    /// The ticks at which each source is subscribed and disposed; `nil` if it is not subscribed.
    let subscriptions: (first: Subscription?, second: Subscription?)

    /// - Parameter until: The tick at which the operator disposes each source, after subscribing to both at 200.
    init(
        _ description: String, _ first: [Recorded<Event<Int>>], _ second: [Recorded<Event<Int>>],
        _ expected: [Recorded<Event<Element>>], until ends: (Int, Int)
    ) {
        self.init(
            description, first, second, expected,
            subscriptions: (Subscription(200, ends.0), Subscription(200, ends.1)))
    }

    init(
        _ description: String, _ first: [Recorded<Event<Int>>], _ second: [Recorded<Event<Int>>],
        _ expected: [Recorded<Event<Element>>], subscriptions: (Subscription?, Subscription?)
    ) {
        testDescription = description
        self.first = first
        self.second = second
        self.expected = expected
        self.subscriptions = subscriptions
    }

    func check(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ operation: @escaping (Observable<Int>, Observable<Int>) -> Observable<Element>
    ) {
        let scheduler = TestScheduler(initialClock: 0)
        let first = scheduler.createHotObservable(first)
        let second = scheduler.createHotObservable(second)
        let result = scheduler.start { operation(first.asObservable(), second.asObservable()) }
        #expect(result.events == expected, sourceLocation: sourceLocation)
        #expect(first.subscriptions == (subscriptions.first.map { [$0] } ?? []), sourceLocation: sourceLocation)
        #expect(second.subscriptions == (subscriptions.second.map { [$0] } ?? []), sourceLocation: sourceLocation)
    }
}
