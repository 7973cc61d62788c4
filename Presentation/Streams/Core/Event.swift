/// What a stream says: any number of elements, then at most one end.
///
/// The grammar of every stream is `next* (error | completed)?`.
public enum Event<Element> {
    /// The next element.
    case next(Element)
    /// The stream ended with an error.
    case error(any Error)
    /// The stream ended as it should.
    case completed
}

extension Event: Sendable where Element: Sendable {}

extension Event: CustomDebugStringConvertible {
    /// `next(1)`, `error(…)` or `completed`.
    public var debugDescription: String {
        switch self {
        case .next(let element): "next(\(element))"
        case .error(let error): "error(\(error))"
        case .completed: "completed"
        }
    }
}

extension Event {
    /// Whether the stream is over.
    public var isStopEvent: Bool {
        if case .next = self { false } else { true }
    }

    /// The element, if this is one.
    public var element: Element? {
        if case .next(let element) = self { element } else { nil }
    }

    /// The error, if this is one.
    public var error: (any Error)? {
        if case .error(let error) = self { error } else { nil }
    }

    /// Whether this is completion.
    public var isCompleted: Bool {
        if case .completed = self { true } else { false }
    }

    /// The event with its element transformed; an error if `transform` throws.
    public func map<Result>(_ transform: (Element) throws -> Result) -> Event<Result> {
        switch self {
        case .next(let element):
            do { return .next(try transform(element)) } catch { return .error(error) }
        case .error(let error): return .error(error)
        case .completed: return .completed
        }
    }
}

/// Something that can be read as an event.
public protocol EventConvertible<Element> {
    /// The type of the elements.
    associatedtype Element
    /// It, as an event.
    var event: Event<Element> { get }
}

extension Event: EventConvertible {
    /// The event itself.
    public var event: Event<Element> { self }
}
