public import Streams

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A blocking interface to a stream: each method subscribes, blocks the thread until it has its result, and disposes
/// the subscription.
///
/// On the main thread, work of the main queue runs while a method waits.
///
/// ```swift
/// try Observable.of(1, 2, 3).toBlocking().toArray()    // [1, 2, 3]
/// ```
///
/// Use it to test streams that run in real time; use ``TestScheduler`` for all others.
public struct BlockingObservable<Element: Sendable>: Sendable {
    let timeout: TimeInterval?
    let source: Observable<Element>
}

extension ObservableConvertibleType {
    /// Returns a blocking interface to this stream.
    ///
    /// - Parameter timeout: The maximum waiting time in seconds, after which the methods throw `RxError.timeout`. If
    ///   `nil`, they wait without a limit.
    public func toBlocking(timeout: TimeInterval? = nil) -> BlockingObservable<Element> {
        BlockingObservable(timeout: timeout, source: asObservable())
    }
}

/// All events of a stream.
public enum MaterializedSequenceResult<T> {
    /// The elements, followed by completion.
    case completed(elements: [T])
    /// The elements, followed by an error.
    case failed(elements: [T], error: any Error)
}

extension MaterializedSequenceResult: Sendable where T: Sendable {}

extension BlockingObservable {
    /// Returns all elements. Throws the error with which the stream fails.
    public func toArray() throws -> [Element] {
        try elements()
    }

    /// Returns the first element, or `nil` if there is none. Throws the error with which the stream fails before it.
    public func first() throws -> Element? {
        try elements(atMost: 1).first
    }

    /// Returns the last element, or `nil` if there is none. Throws the error with which the stream fails.
    public func last() throws -> Element? {
        try elements().last
    }

    /// Returns the only element. Throws `RxError.noElements` or `RxError.moreThanOneElement` if there is not exactly
    /// one.
    public func single() throws -> Element {
        try single { _ in true }
    }

    /// Returns the only element for which `predicate` returns `true`. Throws `RxError.noElements` or
    /// `RxError.moreThanOneElement` if there is not exactly one.
    @preconcurrency
    public func single(_ predicate: @escaping @Sendable (Element) throws -> Bool) throws -> Element {
        let elements = try elements(atMost: 2, where: predicate)
        guard let first = elements.first else { throw RxError.noElements }
        if elements.count > 1 { throw RxError.moreThanOneElement }
        return first
    }

    /// Returns all events of the stream, including its error.
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
