internal import CSQLite

/// What a transaction has changed so far, with what each open savepoint would undo.
final class ChangeLog {
    private var levels: [Region] = [Region()]
    /// Changes whenever a region may have been forgotten: a statement's changes are noted once in each epoch.
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

    /// All that was noted so far, in whatever level.
    var region: Region { levels.reduce(into: Region()) { $0.formUnion($1) } }

    /// All that was noted, and a fresh start.
    func take() -> Region {
        let region = levels[0]
        levels = [Region()]
        epoch += 1
        return region
    }
}

extension Connection {
    /// Notes what a run of `statement` changed, if it changed a row or the schema.
    func recordChanges(of statement: Statement) {
        if statement.recordedEpoch == changes.epoch { return }
        let readWriteSet = statement.readWriteSet
        guard readWriteSet.writes.isEverything || sqlite3_total_changes64(handle) != statement.changesBefore else {
            return
        }
        changes.record(readWriteSet.writes)
        statement.recordedEpoch = changes.epoch
    }

    /// Adds what SQLite compiled while `statement` ran: the statement itself again, after a change of the schema such as
    /// a new trigger, or the inner statements of a virtual table.
    func recordInnerReadWriteSet(of statement: Statement) {
        let inner = recorder.take()
        statement.readWriteSet.formUnion(inner)
        statement.recordedEpoch = 0
        if isRecordingReads { readRegion.formUnion(inner.reads) }
    }

    /// Notes a footprint that belongs to no statement of ours.
    func recordReadWriteSet(_ readWriteSet: ReadWriteSet) {
        guard !readWriteSet.isEmpty else { return }
        changes.record(readWriteSet.writes)
        if isRecordingReads { readRegion.formUnion(readWriteSet.reads) }
    }

    /// Runs `body` and returns its result with the region it read.
    func recordingReads<Value>(_ body: () throws -> Value) rethrows -> (value: Value, region: Region) {
        _ = recorder.take()
        readRegion = Region()
        isRecordingReads = true
        defer { isRecordingReads = false }
        return (try body(), readRegion)
    }
}
