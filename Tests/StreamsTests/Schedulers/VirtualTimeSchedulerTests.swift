import Dispatch
import Foundation
import Streams
import Synchronization
import TestTurns
import Testing

@Suite("VirtualTimeScheduler", .takesTurns)
struct VirtualTimeSchedulerTests {
    @Test("A historical scheduler runs work in the order of its dates, each at its date")
    func historical() {
        let start = Date(timeIntervalSince1970: 1_000)
        let scheduler = HistoricalScheduler(initialClock: start)
        let log = Mutex<[(name: String, clock: Date)]>([])
        for (name, delay) in [("b", 20.0), ("a", 10.0), ("c", 20.0)] {
            _ = scheduler.scheduleAbsoluteVirtual(name, time: start + delay) { name in
                log.withLock { $0.append((name, scheduler.clock)) }
                return Disposables.create()
            }
        }
        scheduler.start()
        #expect(log.withLock { $0.map(\.name) } == ["a", "b", "c"])
        #expect(log.withLock { $0.map(\.clock) } == [start + 10, start + 20, start + 20])
    }
}
