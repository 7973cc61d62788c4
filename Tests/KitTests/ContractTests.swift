import ContractTesting
import Synchronization
import TestReporting
import TestConcurrency
import Testing

/// A contract suite as users write it.
private enum KeyValueContract {
    static let checks: [ContractCheck<any KeyValueStore>] = [
        ContractCheck("reading", "reading returns the last written value") { store in
            try await store.write("a", for: "key")
            try await store.write("b", for: "key")
            try expect(await store.read("key"), equals: "b", "the value")
        },
        ContractCheck("reading", "reading a key that was never written throws") { store in
            try await expect(StoreError.notFound, from: "reading") { try await store.read("key") }
        },
        ContractCheck("watching", "an observer receives each written value") { store in
            try await watch(store.values()) { values in
                try await store.write("a", for: "key")
                try expect(await values.next(), equals: "a", "the next value")
            }
        },
        ContractCheck("cancelling", "a cancelled task does not write") { store in
            try await expectCancellation(of: "writing") { try await store.write("a", for: "key") }
        },
    ]
}

private protocol KeyValueStore: Sendable {
    func read(_ key: String) async throws -> String
    func write(_ value: String, for key: String) async throws
    func values() -> AsyncThrowingStream<String, any Error>
}

private enum StoreError: Error, Equatable { case notFound, full }

private final class MemoryStore: KeyValueStore {
    /// The promise that the store breaks.
    enum Flaw: CaseIterable { case keepsTheFirst, throwsAnotherError, throwsAForeignError, isSilent, goesOn }

    private struct Foreign: Error {}

    private let flaw: Flaw?
    private let contents = Mutex<[String: String]>([:])
    private let watched = AsyncThrowingStream<String, any Error>.makeStream()

    init(_ flaw: Flaw? = nil) {
        self.flaw = flaw
    }

    func read(_ key: String) throws -> String {
        guard let value = contents.withLock({ $0[key] }) else {
            if flaw == .throwsAForeignError { throw Foreign() }
            throw flaw == .throwsAnotherError ? StoreError.full : .notFound
        }
        return value
    }

    func write(_ value: String, for key: String) async throws {
        if flaw != .goesOn { try Task.checkCancellation() }
        contents.withLock { values in
            if flaw != .keepsTheFirst || values[key] == nil { values[key] = value }
        }
        if flaw == .isSilent { watched.continuation.finish() } else { watched.continuation.yield(value) }
    }

    func values() -> AsyncThrowingStream<String, any Error> { watched.stream }
}

@Suite("Contract suites", .limitedConcurrency)
struct ContractTests {
    @Test("a contract suite passes for a correct implementation", arguments: KeyValueContract.checks.indices)
    func sound(index: Int) async throws {
        try await KeyValueContract.checks[index].run { MemoryStore() }
    }

    @Test(
        "a contract suite reports the promise that an implementation breaks, with the actual result",
        arguments: [
            (0, ["reading: reading returns the last written value: the value: expected \"b\", got \"a\""]),
            (
                1,
                [
                    "reading: reading a key that was never written throws: "
                        + "the error of reading: expected .notFound, got .full"
                ]
            ),
            (2, ["reading: reading a key that was never written throws: threw Foreign: Foreign()"]),
            (3, ["watching: an observer receives each written value: the sequence ended before it was cancelled"]),
            (4, ["cancelling: a cancelled task does not write: writing did not stop in a cancelled task"]),
        ])
    func flawed(flaw: Int, expected: [String]) async throws {
        let flaw = MemoryStore.Flaw.allCases[flaw]
        let violations = try await KeyValueContract.checks.violations { MemoryStore(flaw) }
        #expect(violations.map(\.description) == expected)
    }

    @Test("a check of a part tests the part of a larger implementation, under the same name")
    func parts() async throws {
        let checks = KeyValueContract.checks.map {
            $0.on { (whole: (name: String, store: MemoryStore)) in whole.store }
        }
        #expect(checks.map(\.id) == KeyValueContract.checks.map(\.id))
        #expect(try await checks.violations { ("whole", MemoryStore()) } == [])
        #expect(
            try await checks.violations { ("whole", MemoryStore(.keepsTheFirst)) }
                == KeyValueContract.checks.violations { MemoryStore(.keepsTheFirst) })
    }

    @Test("reports each broken promise as a finding of its own, where the test is")
    func findings() async throws {
        let line = #line + 2
        let findings = try await collectFindings {
            try await KeyValueContract.checks.report { MemoryStore(.keepsTheFirst) }
        }
        #expect(
            findings.map(\.message) == [
                "reading: reading returns the last written value: the value: expected \"b\", got \"a\""
            ])
        #expect(findings.map(\.line) == [line])
    }

    @Test("an outcome is the result of a function, or its error of the expected type")
    func outcomes() async throws {
        let value: Result<Int, StoreError> = try await outcome(throwing: StoreError.self) { 1 }
        #expect(value == .success(1))
        let error: Result<Int, StoreError> = try await outcome(throwing: StoreError.self) { throw StoreError.full }
        #expect(error == .failure(.full))
        await #expect(throws: CancellationError.self) {
            let _: Result<Int, StoreError> = try await outcome(throwing: StoreError.self) { throw CancellationError() }
        }
    }
}
