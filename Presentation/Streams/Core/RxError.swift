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
