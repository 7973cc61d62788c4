public import Streams

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A stream that is waited for: each method subscribes, blocks the thread until it has its answer, and disposes.
///
/// On the main thread, work for the main queue is done while it waits.
///
/// ```swift
/// try Observable.of(1, 2, 3).toBlocking().toArray()    // [1, 2, 3]
/// ```
///
/// For tests of streams that run in real time; see ``TestScheduler`` for those that need not.
public struct BlockingObservable<Element: Sendable>: Sendable {
    let timeout: TimeInterval?
    let source: Observable<Element>
}

extension ObservableConvertibleType {
    /// This stream, to be waited for.
    ///
    /// - Parameter timeout: For how many seconds at most; then what waits throws `RxError.timeout`. Without it, for as
    ///   long as the stream takes.
    public func toBlocking(timeout: TimeInterval? = nil) -> BlockingObservable<Element> {
        BlockingObservable(timeout: timeout, source: asObservable())
    }
}

/// All that a stream said.
public enum MaterializedSequenceResult<T> {
    /// These elements, then completion.
    case completed(elements: [T])
    /// These elements, then an error.
    case failed(elements: [T], error: any Error)
}

extension MaterializedSequenceResult: Sendable where T: Sendable {}

extension BlockingObservable {
    /// All elements; throws the error that the stream ends with.
    public func toArray() throws -> [Element] {
        try elements()
    }

    /// The first element, `nil` if there is none; throws the error that the stream ends with before.
    public func first() throws -> Element? {
        try elements(atMost: 1).first
    }

    /// The last element, `nil` if there is none; throws the error that the stream ends with.
    public func last() throws -> Element? {
        try elements().last
    }

    /// The only element; throws `RxError.noElements` or `RxError.moreThanOneElement` if there is not just one.
    public func single() throws -> Element {
        try single { _ in true }
    }

    /// The only element for which `predicate` holds; throws `RxError.noElements` or `RxError.moreThanOneElement` if
    /// there is not just one.
    @preconcurrency
    public func single(_ predicate: @escaping @Sendable (Element) throws -> Bool) throws -> Element {
        let elements = try elements(atMost: 2, where: predicate)
        guard let first = elements.first else { throw RxError.noElements }
        if elements.count > 1 { throw RxError.moreThanOneElement }
        return first
    }

    /// All that the stream said, its error included.
    public func materialize() -> MaterializedSequenceResult<Element> {
        let (elements, error) = wait()
        if let error { return .failed(elements: elements, error: error) }
        return .completed(elements: elements)
    }

    private func elements(
        atMost limit: Int = .max, where predicate: @escaping @Sendable (Element) throws -> Bool = { _ in true }
    ) throws -> [Element] {
        let (elements, error) = wait(atMost: limit, where: predicate)
        if let error { throw error }
        return elements
    }
}
