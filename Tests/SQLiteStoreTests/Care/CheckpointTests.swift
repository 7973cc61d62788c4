import Foundation
import SQLiteStoreTesting
import Synchronization
import TestConcurrency
import Testing

@testable import SQLiteStore

@Suite("When the log is moved into the file")
struct CheckpointPlanTests {
    @Test("a log that begins anew after each checkpoint has one at each threshold")
    func restarted() {
        var plan = CheckpointPlan(threshold: 1000, limit: 10_000)
        for _ in 0..<3 {
            let due = (1...1000).map { plan.committed($0) }
            #expect(due.dropLast().allSatisfy { $0 == nil })
            #expect(due.last == .passive)
        }
    }

    @Test("beside a read that keeps the log, attempts are rare, and the log is truncated at each doubling")
    func kept() {
        var plan = CheckpointPlan(threshold: 1000, limit: 10_000)
        var due: [Int32: CheckpointPlan.Checkpoint] = [:]
        for pages: Int32 in 1...85_000 { due[pages] = plan.committed(pages) }
        #expect(due.count == 85)
        #expect(due.filter { $0.value == .truncating }.keys.sorted() == [10_000, 20_000, 40_000, 80_000])
        // Once it begins anew, everything does.
        #expect(plan.committed(1) == nil)
        #expect(plan.committed(1000) == .passive)
        #expect(plan.committed(12_000) == .truncating)
    }

    @Test("without a limit no checkpoint waits, and a limit below the threshold is the threshold")
    func limits() {
        var unlimited = CheckpointPlan(threshold: 1000)
        #expect(!(1...100_000).contains { unlimited.committed($0) == .truncating })
        var small = CheckpointPlan(threshold: 1000, limit: 10)
        #expect((1...1000).compactMap { small.committed($0) } == [.truncating])
        var off = CheckpointPlan()
        #expect((1...1000).compactMap { off.committed($0) } == [])
    }
}

@Suite("The size of the log", .limitedConcurrency)
struct LogSizeTests {
    private final class Reads: Sendable {
        let areDone = Atomic(false)
        let count = Atomic(0)
    }

    @Test(
        "reads that overlap without a gap do not let the log grow without bound",
        arguments: [Database.Execution.adaptive, .dedicatedThreads])
    func overlappingReads(execution: Database.Execution) async throws {
        try await withTemporaryFolder { (folder) async throws in
            let (limit, path) = (100, folder + "/db")
            let configuration = Database.Configuration().with {
                $0.execution = execution
                $0.synchronous = .normal
                $0.logPageLimit = limit
                $0.attached = ["other": folder + "/other"]
                $0.prepare = { db in try db.execute("PRAGMA wal_autocheckpoint = 30") }
            }
            let database = try await Database.open(
                .file(path), configuration: configuration,
                migrations: [Migration("t", script: "CREATE TABLE t (x); CREATE TABLE other.u (x)")])
            let reads = Reads()
            // Sizes in pages, with their headers.
            func logSize(_ path: String) -> Int {
                let size = try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
                return (size ?? 0) / (4096 + 24)
            }
            var largest = 0
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        while !reads.areDone.load(ordering: .relaxed) {
                            try await database.read { db in
                                _ = try db.fetchOne(Int.self, "SELECT (SELECT COUNT(*) FROM t) + COUNT(*) FROM u")
                                // A read that takes a while.
                                Thread.sleep(forTimeInterval: 0.004)
                            }
                            reads.count.add(1, ordering: .relaxed)
                        }
                    }
                }
                for number in 0..<(20 * limit) {
                    try await database.write { db in
                        try db.execute("INSERT INTO t VALUES (\(number))")
                        if number.isMultiple(of: 3) { try db.execute("INSERT INTO u VALUES (\(number))") }
                    }
                    largest = max(largest, logSize(path), logSize(folder + "/other"))
                }
                reads.areDone.store(true, ordering: .relaxed)
                try await group.waitForAll()
            }
            // Most attempts succeed; on a busy machine some do not.
            #expect(largest < 8 * limit, "the log had \(largest) pages")
            #expect(reads.count.load(ordering: .relaxed) > 10)
            #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") } == 20 * limit)
            #expect(try await database.integrityCheck().isEmpty)
            await database.close()
        }
    }

    @Test("a read that outlasts the wait delays neither writes nor other reads for long")
    func longRead() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let configuration = Database.Configuration().with {
                $0.synchronous = .normal
                $0.logPageLimit = 50
                $0.readerCount = 2
                $0.prepare = { db in try db.execute("PRAGMA wal_autocheckpoint = 20") }
            }
            let database = try await Database.open(
                .file(folder + "/db"), configuration: configuration,
                migrations: [Migration("t", script: "CREATE TABLE t (x)")])
            let (isReading, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let long = Task.detached {
                try await database.read { db in
                    let count = try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t")
                    isReading.signal()
                    mayEnd.wait()
                    #expect(try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") == count)
                }
            }
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    isReading.wait()
                    continuation.resume()
                }
            }
            // Crosses the limit several times while the read goes on.
            for number in 0..<1000 {
                try await database.write { db in _ = try db.execute("INSERT INTO t VALUES (\(number))") }
                #expect(
                    try await database.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") } == number + 1)
            }
            mayEnd.signal()
            try await long.value
            // The log begins anew, although the limit has passed.
            try await database.checkpoint(.restart)
            try await database.write { db in _ = try db.execute("INSERT INTO t VALUES (0)") }
            #expect(try await database.checkpoint().logged < 50)
            await database.close()
        }
    }

    @Test("a checkpoint that is due when a suspension begins is left to the next connection")
    func suspended() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let database = try await Database.open(
                .file(folder + "/db"), migrations: [Migration("t", script: "CREATE TABLE t (x)")])
            let logSize: @Sendable () throws -> Int? = {
                try FileManager.default.attributesOfItem(atPath: folder + "/db-wal")[.size] as? Int
            }
            let isWriting = SharedCount()
            let write = Task {
                try await database.writeWithoutTransaction { db in
                    try db.execute("INSERT INTO t VALUES (1)")
                    let size = try logSize()
                    isWriting.increment()
                    while !db.interruption.isFlagged { sched_yield() }
                    db.run(.truncating)
                    return try (size, logSize())
                }
            }
            try await waitUntil { isWriting.value == 1 }
            await database.suspend()
            let sizes = try await write.value
            #expect(sizes.0 == sizes.1 && sizes.0 != 0)
            database.resume()
            #expect(try await database.read { db in try db.fetchAll(Int.self, "SELECT x FROM t") } == [1])
            await database.close()
        }
    }
}
