import Dispatch
import Foundation

/// Runs `body` on that many threads at once, and waits for all of them.
func onThreads(_ count: Int, _ body: @escaping @Sendable (_ thread: Int) -> Void) {
    let (ready, start, ended) = (DispatchGroup(), DispatchSemaphore(value: 0), DispatchGroup())
    for number in 0..<count {
        ready.enter()
        ended.enter()
        Thread {
            ready.leave()
            start.wait()
            body(number)
            ended.leave()
        }.start()
    }
    ready.wait()
    for _ in 0..<count { start.signal() }
    ended.wait()
}
