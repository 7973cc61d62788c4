internal import CSQLite
internal import DatabaseAccess

/// The regions that a transaction has changed so far, separately for each open savepoint.
final class ChangeLog {
    private var levels: [Region] = [Region()]
    /// Incremented whenever recorded regions may have been discarded. The changes of a statement are recorded once in
    /// each epoch.
    private(set) var epoch: UInt64 = 1

    func record(_ region: Region) {
        levels[levels.count - 1].formUnion(region)
    }

    func beginLevel() {
        levels.append(Region())
        epoch += 1
    }

    func endLevel(keepsChanges: Bool) {
        let level = levels.removeLast()
        if keepsChanges { record(level) }
        epoch += 1
    }

    /// The union of the regions of all levels.
    var region: Region { levels.reduce(into: Region()) { $0.formUnion($1) } }

    /// Returns the recorded region and clears the log.
    func take() -> Region {
        let region = levels[0]
        levels = [Region()]
        epoch += 1
        return region
    }
}

extension Connection {
    /// Records the write set of `statement`, if its run changed a row or the schema.
    func recordChanges(of statement: Statement) {
        if statement.recordedEpoch == changes.epoch { return }
        let readWriteSet = statement.readWriteSet
        guard readWriteSet.writes.isEverything || sqlite3_total_changes64(handle) != statement.changesBefore else {
            return
        }
        changes.record(readWriteSet.writes)
        statement.recordedEpoch = changes.epoch
    }

    /// Adds the accesses of statements that SQLite compiled while `statement` ran: the statement itself after a schema
    /// change, such as a new trigger, or inner statements of a virtual table.
    func recordInnerReadWriteSet(of statement: Statement) {
        let inner = recorder.take()
        statement.readWriteSet.formUnion(inner)
        statement.recordedEpoch = 0
        if isRecordingReads { readRegion.formUnion(inner.reads) }
    }

    /// Records accesses that belong to no cached statement.
    func recordReadWriteSet(_ readWriteSet: ReadWriteSet) {
        guard !readWriteSet.isEmpty else { return }
        changes.record(readWriteSet.writes)
        if isRecordingReads { readRegion.formUnion(readWriteSet.reads) }
    }

    /// Runs `body`, and returns its result with the region that it read.
    func recordingReads<Value>(_ body: () throws -> Value) rethrows -> Fetched<Value> {
        _ = recorder.take()
        readRegion = Region()
        isRecordingReads = true
        defer { isRecordingReads = false }
        return Fetched(value: try body(), region: readRegion)
    }
}
