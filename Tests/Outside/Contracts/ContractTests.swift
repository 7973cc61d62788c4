import ContractTesting
import Foundation
import Synchronization
import TestReporting
import Testing

/// A port, and the promises that every store behind it keeps.
nonisolated protocol KeyValueStore: Sendable {
    func read(_ key: String) async throws -> String
    func write(_ value: String, for key: String) async throws
    func values() -> AsyncThrowingStream<String, any Error>
}

nonisolated enum StoreError: Error, Equatable { case notFound, full }

nonisolated enum KeyValueContract {
    static let checks: [ContractCheck<any KeyValueStore>] = [
        ContractCheck("reading", "reading returns the last written value") { store in
            try await store.write("a", for: "key")
            try await store.write("b", for: "key")
            try expect(await store.read("key"), equals: "b", "the value")
            let found = try await outcome(throwing: StoreError.self) { try await store.read("key") }
            try expect(found == .success("b"), "the outcome is the value")
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
        ContractCheck(
            "starting", "each store starts empty",
            repeating: { make in
                for _ in 1...2 {
                    let store = try await make()
                    guard let value = try? await store.read("key") else { continue }
                    throw UnmetExpectation("the new store contains \(value)")
                }
            }),
    ]
}

nonisolated final class MemoryStore: KeyValueStore {
    private let contents = Mutex<[String: String]>([:])
    private let isForgetful: Bool
    private let watched = AsyncThrowingStream<String, any Error>.makeStream()

    init(isForgetful: Bool = false) {
        self.isForgetful = isForgetful
    }

    func read(_ key: String) async throws -> String {
        guard let value = contents.withLock({ $0[key] }) else { throw StoreError.notFound }
        return value
    }

    func write(_ value: String, for key: String) async throws {
        try Task.checkCancellation()
        if !isForgetful { contents.withLock { $0[key] = value } }
        watched.continuation.yield(value)
    }

    func values() -> AsyncThrowingStream<String, any Error> { watched.stream }
}

nonisolated struct Stores: Sendable {
    let values: any KeyValueStore
}

@Suite("A contract and its implementations")
struct ContractTests {
    @Test("a store keeps each promise", arguments: KeyValueContract.checks)
    func keepsItsPromises(check: ContractCheck<any KeyValueStore>) async throws {
        #expect(check.id == "\(check.area): \(check.promise)")
        try await check.run { MemoryStore() }
        // The same promise, of a part of something larger.
        try await check.on { (stores: Stores) in stores.values }.run { Stores(values: MemoryStore()) }
    }

    @Test("a store that breaks a promise is found")
    func findsFlaws() async throws {
        let violations = try await KeyValueContract.checks.violations { MemoryStore(isForgetful: true) }
        #expect(violations.map(\.check) == ["reading: reading returns the last written value"])
        #expect(violations.first?.message.isEmpty == false)
        #expect(ContractViolation(check: "a: b", message: "c") != violations.first)
    }

    @Test("a report has a finding for each broken promise")
    func reports() async throws {
        let findings = try await collectFindings {
            try await KeyValueContract.checks.report { MemoryStore(isForgetful: true) }
        }
        #expect(findings.count == 1 && findings[0].message.contains("the last written value"))
    }

    @Test("an expectation that is not met has a message")
    func unmetExpectations() {
        #expect(UnmetExpectation("the store is full").message == "the store is full")
        // `ObservedValues` is what the closure of `watch` receives.
        let next: (ObservedValues<String>) -> () async throws -> String = { values in { try await values.next() } }
        _ = next
    }
}

@Suite("Values as source code")
struct SourceTextTests {
    nonisolated struct Day: SourceTextConvertible {
        var number: Int
        var sourceText: String { "Day(\"\(number)\")" }
    }

    @Test("a value is written as the expression that makes it")
    func sourceTexts() {
        #expect(sourceText("a\nb") == #""a\nb""#)
        #expect(sourceText([Day(number: 1)]) == #"[Day("1")]"#)
    }

    @Test("a difference names the parts that differ")
    func differences() {
        #expect(valueDifference(of: [1, 2, 3], from: [1, 5, 3], limit: 5) == ["[1]: expected 5, got 2"])
    }
}
