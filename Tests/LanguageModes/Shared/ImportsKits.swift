import CompositionTesting
import ContractTesting
import SQLiteStoreTesting
import StreamsTesting
import TestReporting
import Testing

enum NumberKey: DependencyKey {
    static let liveValue = 1
}

enum NumberContract {
    static let checks: [ContractCheck<Int>] = [
        ContractCheck("number", "is positive") { number in try expect(number > 0, "it is \(number)") }
    ]
}

@Suite("Each kit is imported alone", .timeLimit(.minutes(5)))
struct ImportsKits {
    @Test("CompositionTesting", .dependencies { $0[NumberKey.self] = 7 })
    func composition() {
        @Dependency(NumberKey.self) var number
        #expect(number == 7)
    }

    @Test("StreamsTesting")
    func streams() {
        let scheduler = TestScheduler()
        let result = scheduler.start { Observable.of(1, 2).map { $0 * 2 } }
        #expect(result.events == [.next(200, 2), .next(200, 4), .completed(200)])
    }

    @Test("SQLiteStoreTesting")
    func sqlite() async throws {
        let migrations = [Migration("t", script: "CREATE TABLE t (n INTEGER)")]
        let count = try await withTemporaryDatabase(migrations: migrations) { database in
            try await database.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") }
        }
        #expect(count == 0)
    }

    @Test("ContractTesting and TestReporting")
    func contracts() async throws {
        let findings = try await collectFindings { try await NumberContract.checks.report { -1 } }
        #expect(findings.map(\.message) == ["number: is positive: it is -1"])
    }
}
