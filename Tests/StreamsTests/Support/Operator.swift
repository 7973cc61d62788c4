import Streams
import StreamsTesting
import Testing

/// An operator with a source, in a form in which it passes some of its elements on.
struct Operator: Sendable, CustomTestStringConvertible {
    /// How it is declared and, if there are several of them, which one it is: `first(), of nothing`.
    let testDescription: String
    /// What it makes of the elements 1 at 210, 2 at 230 and 3 at 255 and completion at 290.
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

    /// The declaration alone.
    var signature: String { String(testDescription.prefix { $0 != "," }) }

    /// Those of which each subscription has a life of its own, and an error of the source is the end.
    static let independent =
        ofTransforming + ofFiltering + ofCombining + ofJoining + ofTiming + ofErrors + ofWatching
    /// Those that pass errors on.
    static let failing = independent + sharing
    static let all = failing + recovering
}

/// Events as `1@210 2@230 |@290`, with `!` and the error for a failure.
func words<Element>(_ events: [Recorded<Event<Element>>]) -> String {
    events.map { event in
        switch event.value {
        case .next(let element): "\(element)@\(event.time)"
        case .error(let error): "!\(error)@\(event.time)"
        case .completed: "|@\(event.time)"
        }
    }.joined(separator: " ")
}
