/// An event of a stream: an element, an error or completion.
///
/// Every stream follows the grammar `next* (error | completed)?`.
///
/// ```swift
/// Observable.of(1, 2).subscribe { print($0) }    // prints next(1) next(2) completed
/// ```
public enum Event<Element> {
    case next(Element)
    case error(any Error)
    case completed
}

extension Event: Sendable where Element: Sendable {}

extension Event: CustomDebugStringConvertible {
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

    public var element: Element? {
        if case .next(let element) = self { element } else { nil }
    }

    public var error: (any Error)? {
        if case .error(let error) = self { error } else { nil }
    }

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
    associatedtype Element
    /// This value as an event.
    var event: Event<Element> { get }
}

extension Event: EventConvertible {
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
    case disposed(object: any AnyObject & Sendable)
    /// A counter exceeded the range of its type. No operator fails with it; it is for code that comes from RxSwift.
    case overflow
    /// The requested element does not exist: the stream is shorter.
    case argumentOutOfRange
    case noElements
    case moreThanOneElement
    case timeout
}

extension RxError: CustomDebugStringConvertible {
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
