import Composition
import Synchronization

/// What was reported.
final class ReportLog: Sendable {
    private let reports = Mutex<[MissingOverride]>([])

    var all: [MissingOverride] { reports.withLock { $0 } }

    func add(_ report: MissingOverride) {
        reports.withLock { $0.append(report) }
    }
}
