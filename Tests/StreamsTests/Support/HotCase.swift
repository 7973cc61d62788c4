import Streams
import StreamsTesting
import Testing

/// The errors of tests.
enum Failure: Error {
    case expected, other
}

/// Parses events as ``words(_:)`` formats them: `1@210 2@230 |@250`, with the case of a ``Failure`` after `!`.
func events<Element: LosslessStringConvertible>(_ text: String) -> [Recorded<Event<Element>>] {
    text.split(separator: " ").map { word in
        let parts = word.split(separator: "@").map(String.init)
        guard parts.count == 2, let time = Int(parts[1]) else { preconditionFailure("not an event: \(word)") }
        switch parts[0] {
        case "|": return .completed(time)
        case "!expected": return .error(time, Failure.expected)
        case "!other": return .error(time, Failure.other)
        default:
            guard let element = Element(parts[0]) else { preconditionFailure("not an element: \(word)") }
            return .next(time, element)
        }
    }
}

/// The expected events of an operator for a hot source, subscribed at 200 and disposed at 1000.
struct HotCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let source: String
    let expected: String
    let subscription: Subscription?
    let disposed: Int

    /// - Parameter end: The tick at which the operator disposes the source; `nil` is that of the terminal event.
    init(
        _ description: String, _ source: String, _ expected: String, until end: Int? = nil, isSubscribed: Bool = true,
        disposed: Int = 1000
    ) {
        testDescription = description
        self.source = source
        self.expected = expected
        self.disposed = disposed
        let last = expected.split(separator: " ").last ?? ""
        let terminal = last.hasPrefix("|") || last.hasPrefix("!") ? Int(last.split(separator: "@")[1]) : nil
        subscription = isSubscribed ? Subscription(200, end ?? terminal ?? disposed) : nil
    }

    func check<Source: LosslessStringConvertible & Sendable, Element: Sendable>(
        of type: Source.Type, sourceLocation: SourceLocation = #_sourceLocation,
        _ operation: @escaping (Observable<Source>, TestScheduler) -> Observable<Element>
    ) {
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable(events(source) as [Recorded<Event<Source>>])
        let result = scheduler.start(disposed: disposed) { operation(hot.asObservable(), scheduler) }
        #expect(words(result.events) == expected, sourceLocation: sourceLocation)
        #expect(hot.subscriptions == (subscription.map { [$0] } ?? []), sourceLocation: sourceLocation)
    }

    func check<Element: Sendable>(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ operation: @escaping (Observable<Int>, TestScheduler) -> Observable<Element>
    ) { check(of: Int.self, sourceLocation: sourceLocation, operation) }

    func check<Element: Sendable>(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ operation: @escaping (Observable<Int>) -> Observable<Element>
    ) { check(of: Int.self, sourceLocation: sourceLocation) { source, _ in operation(source) } }
}

/// The expected events of an operator for two hot sources, subscribed at 200 and disposed at 1000.
struct HotPair: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let first: String
    let second: String
    let expected: String
    /// The ticks at which each source is subscribed and disposed; `nil` if it is not subscribed.
    let subscribed: (first: ClosedRange<Int>?, second: ClosedRange<Int>?)

    /// - Parameter until: The tick at which the operator disposes each source, after subscribing to both at 200.
    init(_ description: String, _ first: String, _ second: String, _ expected: String, until ends: (Int, Int)) {
        self.init(description, first, second, expected, subscribed: (200...ends.0, 200...ends.1))
    }

    init(
        _ description: String, _ first: String, _ second: String, _ expected: String,
        subscribed: (ClosedRange<Int>?, ClosedRange<Int>?)
    ) {
        testDescription = description
        self.first = first
        self.second = second
        self.expected = expected
        self.subscribed = subscribed
    }

    /// - Parameter other: The events to expect in place of those of the case.
    func check<Element: Sendable>(
        expecting other: String? = nil, sourceLocation: SourceLocation = #_sourceLocation,
        _ operation: @escaping (Observable<Int>, Observable<Int>, TestScheduler) -> Observable<Element>
    ) {
        let scheduler = TestScheduler(initialClock: 0)
        let first = scheduler.createHotObservable(events(first) as [Recorded<Event<Int>>])
        let second = scheduler.createHotObservable(events(second) as [Recorded<Event<Int>>])
        let result = scheduler.start { operation(first.asObservable(), second.asObservable(), scheduler) }
        #expect(words(result.events) == other ?? expected, sourceLocation: sourceLocation)
        for (source, range) in [(first, subscribed.first), (second, subscribed.second)] {
            let expected = range.map { [Subscription($0.lowerBound, $0.upperBound)] } ?? []
            #expect(source.subscriptions == expected, sourceLocation: sourceLocation)
        }
    }

    func check<Element: Sendable>(
        expecting other: String? = nil, sourceLocation: SourceLocation = #_sourceLocation,
        _ operation: @escaping (Observable<Int>, Observable<Int>) -> Observable<Element>
    ) { check(expecting: other, sourceLocation: sourceLocation) { first, second, _ in operation(first, second) } }
}
