#if Server
import Foundation
import Synchronization

/// A time that goes on when the clock of the system is set back, for periods such as those of limits: none of them gets
/// longer.
final class SteadyTime: Sendable {
    private let clock: @Sendable () -> Date
    private let state: Mutex<(last: Date, setBack: TimeInterval)>

    init(_ clock: @escaping @Sendable () -> Date) {
        self.clock = clock
        state = Mutex((clock(), 0))
    }

    var now: Date {
        let time = clock()
        return state.withLock { state in
            let steady = time.addingTimeInterval(state.setBack)
            // Another thread may have read the clock later, and come here first.
            if steady.timeIntervalSince(state.last) < -1 {
                state.setBack = state.last.timeIntervalSince(time)
            } else {
                state.last = max(state.last, steady)
            }
            return state.last
        }
    }
}
#endif
