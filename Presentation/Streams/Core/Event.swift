/// An event of a stream: an element, an error or completion.
///
/// Every stream follows the grammar `next* (error | completed)?`.
///
/// ```swift
/// Observable.of(1, 2).subscribe { print($0) }    // prints next(1) next(2) completed
/// ```
public enum Event<Element> {
    /// The next element; other events may follow it.
    case next(Element)
    /// The stream terminated with an error; no event follows.
    case error(any Error)
    /// The stream completed; no event follows.
    case completed
}

extension Event: Sendable where Element: Sendable {}

extension Event: CustomDebugStringConvertible {
    /// A description such as `next(1)`, `error(…)` or `completed`.
    public var debugDescription: String {
        switch self {
        case .next(let element): "next(\(element))"
        case .error(let error): "error(\(error))"
        case .completed: "completed"
        }
    }
}

extension Event {
    /// Whether this is a terminal event: an error or completion.
    public var isStopEvent: Bool {
        if case .next = self { false } else { true }
    }

    /// The element of a `next` event; otherwise `nil`.
    public var element: Element? {
        if case .next(let element) = self { element } else { nil }
    }

    /// The error of an `error` event; otherwise `nil`.
    public var error: (any Error)? {
        if case .error(let error) = self { error } else { nil }
    }

    /// Whether this is the `completed` event.
    public var isCompleted: Bool {
        if case .completed = self { true } else { false }
    }

    /// Returns the event with its element transformed, or an error event if `transform` throws.
    ///
    /// ```swift
    /// print(Event.next(1).map { $0 * 2 })    // prints next(2)
    /// ```
    public func map<Result>(_ transform: (Element) throws -> Result) -> Event<Result> {
        switch self {
        case .next(let element):
            do { return .next(try transform(element)) } catch { return .error(error) }
        case .error(let error): return .error(error)
        case .completed: return .completed
        }
    }
}

/// A type that can be converted to an ``Event``.
///
/// ```swift
/// Observable<InfallibleEvent<Int>>.of(.next(1), .completed).dematerialize()    // 1 |
/// ```
public protocol EventConvertible<Element> {
    /// The type of the elements.
    associatedtype Element
    /// This value as an event.
    var event: Event<Element> { get }
}

extension Event: EventConvertible {
    /// This event.
    public var event: Event<Element> { self }
}

/// The errors with which operators of this module fail, named as in RxSwift. Functions that you pass to operators can
/// throw any error.
///
/// ```swift
/// // answer:  1 at 5 s
/// answer.timeout(.seconds(2), scheduler: scheduler).catch { error in
///     if case RxError.timeout = error { return .just(0) }
///     throw error
/// }    // 0 at 2 s, | at 2 s
/// ```
public enum RxError: Error {
    /// An error without a known reason. No operator fails with it; it is for code that comes from RxSwift.
    case unknown
    /// The object was used after its disposal.
    case disposed(object: any AnyObject & Sendable)
    /// A counter exceeded the range of its type. No operator fails with it; it is for code that comes from RxSwift.
    case overflow
    /// The requested element does not exist: the stream is shorter.
    case argumentOutOfRange
    /// The stream has no elements, although at least one is required.
    case noElements
    /// The stream has more than one element, although one is required.
    case moreThanOneElement
    /// No element arrived within the given time.
    case timeout
}

extension RxError: CustomDebugStringConvertible {
    /// A description of the error.
    public var debugDescription: String {
        switch self {
        case .unknown: "Unknown error occurred."
        case .disposed(let object): "Object `\(object)` was already disposed."
        case .overflow: "Arithmetic overflow occurred."
        case .argumentOutOfRange: "Argument out of range."
        case .noElements: "Sequence doesn't contain any elements."
        case .moreThanOneElement: "Sequence contains more than one element."
        case .timeout: "Sequence timeout."
        }
    }
}
