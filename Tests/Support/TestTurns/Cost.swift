import Foundation
import Testing

/// A moment, and the processor time that this process and its finished children have used until then.
struct Cost {
    /// Whether `TEST_COSTS` is set.
    static let isReported = ProcessInfo.processInfo.environment["TEST_COSTS"] != nil

    private let moment: ContinuousClock.Instant
    private let processor: Double

    static var now: Cost { Cost(moment: .now, processor: processorTime()) }

    /// Prints the cost since this moment: processor seconds, seconds, and the test.
    func report(of test: Test) {
        let now = Cost.now
        let seconds = moment.duration(to: now.moment) / .seconds(1)
        let numbers = String(format: "cost %8.3f %8.3f ", now.processor - processor, seconds)
        FileHandle.standardError.write(Data("\(numbers)\(test.id)\n".utf8))
    }

    #if canImport(Darwin)
    private static let whole = [RUSAGE_SELF, RUSAGE_CHILDREN]
    #else
    private static let whole = [RUSAGE_SELF, RUSAGE_CHILDREN].map { Int32($0.rawValue) }
    #endif

    private static func processorTime() -> Double {
        whole.reduce(0) { sum, part in
            var usage = rusage()
            getrusage(part, &usage)
            return [usage.ru_utime, usage.ru_stime].reduce(sum) {
                $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1_000_000
            }
        }
    }
}
