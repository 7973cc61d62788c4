import Streams
import StreamsTesting
import Testing

/// An operator applied to a source, so that it emits some of its elements.
struct Operator: Sendable, CustomTestStringConvertible {
    /// The declaration and, if there are several cases of it, a description of the case: `first(), of nothing`.
    let testDescription: String
    /// The expected events for the elements 1 at 210, 2 at 230 and 3 at 255 and completion at 290.
    let says: String
    let apply: @Sendable (Observable<Token>, any SchedulerType) -> Observable<String>

    init<Element: Sendable>(
        _ name: String, says: String = "1@210 2@230 3@255 |@290",
        _ apply: @escaping @Sendable (Observable<Token>, any SchedulerType) -> Observable<Element>
    ) {
        testDescription = name
        self.says = says
        self.apply = { source, scheduler in apply(source, scheduler).map { "\($0)" } }
    }

    /// The declaration without the description.
    var signature: String { String(testDescription.prefix { $0 != "," }) }

    /// The operators whose subscriptions are independent, and that forward errors of the source.
    static let independent =
        ofTransforming + ofFiltering + ofCombining + ofJoining + ofTiming + ofErrors + ofWatching
    /// The operators that forward errors.
    static let failing = independent + sharing
    static let all = failing + recovering
}

/// Formats events as `1@210 2@230 |@290`, with `!` and the error on failure.
func words<Element>(_ events: [Recorded<Event<Element>>]) -> String {
    events.map { event in
        switch event.value {
        case .next(let element): "\(element)@\(event.time)"
        case .error(let error): "!\(error)@\(event.time)"
        case .completed: "|@\(event.time)"
        }
    }.joined(separator: " ")
}
