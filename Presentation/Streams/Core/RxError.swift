/// What operators themselves may fail with.
public enum RxError: Error {
    /// Something that should not happen did.
    case unknown
    /// It was used after it was disposed.
    case disposed(object: any AnyObject & Sendable)
    /// A counter overflowed.
    case overflow
    /// An element was asked for that does not exist.
    case argumentOutOfRange
    /// A stream that was to have elements has none.
    case noElements
    /// A stream that was to have one element has more.
    case moreThanOneElement
    /// No element came in time.
    case timeout
}

extension RxError: CustomDebugStringConvertible {
    /// The error in words.
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
