import Dispatch
import Foundation
import Streams
import Synchronization

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
