import Dispatch
public import Foundation
public import Streams
import Synchronization

/// A blocking interface to a stream: each method subscribes, blocks the thread until it has its result, and disposes
/// the subscription.
///
/// On the main thread, work of the main queue runs while a method waits. On Linux, Swift Testing runs main-actor tests
/// on another thread, where a method that waits blocks the main queue: wait for a stream that needs the main queue or
/// the main actor in a test that is not isolated to it.
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
    /// ```swift
    /// try Observable<Int>.never().toBlocking(timeout: 0.1).first()    // throws RxError.timeout
    /// ```
    ///
    /// - Parameter timeout: The maximum waiting time in seconds, after which the methods throw `RxError.timeout`. If
    ///   `nil`, they wait without a limit.
    public func toBlocking(timeout: TimeInterval? = nil) -> BlockingObservable<Element> {
        BlockingObservable(timeout: timeout, source: asObservable())
    }
}

/// All events of a stream.
///
/// ```swift
/// Observable.of(1, 2).toBlocking().materialize()    // completed(elements: [1, 2])
/// ```
public enum MaterializedSequenceResult<T> {
    case completed(elements: [T])
    case failed(elements: [T], error: any Error)
}

extension MaterializedSequenceResult: Sendable where T: Sendable {}

extension BlockingObservable {
    /// Returns all elements. Throws the error with which the stream fails.
    ///
    /// ```swift
    /// try Observable.of(1, 2).toBlocking().toArray()    // [1, 2]
    /// ```
    public func toArray() throws -> [Element] { try elements() }

    /// Returns the first element, or `nil` if there is none. Throws the error with which the stream fails before it.
    ///
    /// ```swift
    /// try Observable.of(1, 2).toBlocking().first()    // 1
    /// try Observable<Int>.empty().toBlocking().first()    // nil
    /// ```
    public func first() throws -> Element? { try elements(atMost: 1).first }

    /// Returns the last element, or `nil` if there is none. Throws the error with which the stream fails.
    ///
    /// ```swift
    /// try Observable.of(1, 2).toBlocking().last()    // 2
    /// ```
    public func last() throws -> Element? { try elements().last }

    /// Returns the only element. Throws `RxError.noElements` or `RxError.moreThanOneElement` if there is not exactly
    /// one.
    ///
    /// ```swift
    /// try Observable.just(1).toBlocking().single()      // 1
    /// try Observable.of(1, 2).toBlocking().single()    // throws RxError.moreThanOneElement
    /// ```
    public func single() throws -> Element { try single { _ in true } }

    /// Returns the only element for which `predicate` returns `true`. Throws `RxError.noElements` or
    /// `RxError.moreThanOneElement` if there is not exactly one.
    ///
    /// ```swift
    /// try Observable.of(1, 2, 3).toBlocking().single { $0 > 2 }    // 3
    /// ```
    @preconcurrency
    public func single(_ predicate: @escaping @Sendable (Element) throws -> Bool) throws -> Element {
        let elements = try elements(atMost: 2, where: predicate)
        guard let first = elements.first else { throw RxError.noElements }
        if elements.count > 1 { throw RxError.moreThanOneElement }
        return first
    }

    /// Returns all events of the stream, including its error.
    ///
    /// ```swift
    /// Observable.of(1, 2).concat(Observable.error(RxError.timeout)).toBlocking().materialize()
    /// // failed(elements: [1, 2], error: RxError.timeout)
    /// ```
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

extension BlockingObservable {
    /// Subscribes and waits for termination, or for `limit` elements for which `predicate` returns `true`.
    func wait(
        atMost limit: Int = .max, where predicate: @escaping @Sendable (Element) throws -> Bool = { _ in true }
    ) -> (elements: [Element], error: (any Error)?) {
        let result = BlockingResult<Element>()
        let subscription = SingleAssignmentDisposable()
        let observe: @Sendable (Event<Element>) -> Void = { event in
            switch event {
            case .next(let element):
                do {
                    guard try predicate(element), result.add(element) >= limit else { return }
                    result.finish(nil)
                } catch { result.finish(error) }
            case .error(let error): result.finish(error)
            case .completed: result.finish(nil)
            }
            subscription.dispose()
        }
        // Inside work of the current-thread scheduler, `subscribe` returns before a synchronous source starts, so that
        // an endless one can be disposed.
        _ = CurrentThreadScheduler.instance.schedule(source) { source in
            subscription.setDisposable(source.subscribe(observe))
            return subscription
        }
        result.wait(timeout)
        subscription.dispose()
        return result.value
    }
}

/// The events received so far, and a way to wait for the others.
private final class BlockingResult<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var error: (any Error)?
        var isFinished = false
    }

    private let state = Mutex(State())
    private let finished = DispatchSemaphore(value: 0)

    var value: (elements: [Element], error: (any Error)?) { state.withLock { ($0.elements, $0.error) } }

    /// - Returns: The number of elements, including this one.
    func add(_ element: Element) -> Int {
        state.withLock { state in
            if !state.isFinished { state.elements.append(element) }
            return state.elements.count
        }
    }

    func finish(_ error: (any Error)?) {
        let isFirst = state.withLock { state in
            defer { state.isFinished = true }
            if !state.isFinished { state.error = error }
            return !state.isFinished
        }
        guard isFirst else { return }
        finished.signal()
        DispatchQueue.main.async {}  // wakes a waiting main thread; `RunLoop.perform` alone does not
    }

    /// Waits for termination. If `timeout` seconds pass before, the error is `RxError.timeout`.
    func wait(_ timeout: TimeInterval?) {
        if Foundation.Thread.isMainThread {
            let end = timeout.map { Date(timeIntervalSinceNow: $0) } ?? .distantFuture
            while !state.withLock({ $0.isFinished }), Date() < end {
                _ = RunLoop.main.run(mode: .default, before: end)
            }
        } else if let timeout {
            _ = finished.wait(timeout: .now() + timeout)
        } else {
            finished.wait()
        }
        finish(RxError.timeout)
    }
}
