import Composition
import Synchronization

/// The reported missing overrides.
final class ReportLog: Sendable {
    private let reports = Mutex<[MissingOverride]>([])

    var all: [MissingOverride] { reports.withLock { $0 } }

    func add(_ report: MissingOverride) {
        reports.withLock { $0.append(report) }
    }
}
