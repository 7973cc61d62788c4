import CompositionTesting
import Dispatch
import Foundation
import TestReporting
import TestTurns
import Testing

private enum ServerKey: DependencyKey {
    static let liveValue = "https://live"
}

extension DependencyValues {
    fileprivate var server: String {
        get { self[ServerKey.self] }
        set { self[ServerKey.self] = newValue }
    }
}

private struct Client: Sendable {
    @Dependency(\.server) var server
    @Dependency(\.uuid) var uuid
    @Dependency(\.calendar) var calendar
    static let lineOfCalendar = #line - 1
}

@Suite(
    "The dependencies trait", .takesTurns,
    .dependencies {
        $0.uuid = .incrementing
        $0.server = "https://suite"
    })
struct DependenciesTraitTests {
    private let client = Client()

    @Test("of a suite holds in its tests and in its properties")
    func suite() {
        #expect(client.server == "https://suite")
        #expect(Client().server == "https://suite")
    }

    @Test("of a test goes before that of its suite", .dependencies { $0.server = "https://test" })
    func test() {
        #expect(client.server == "https://test")
    }

    @Test("makes new values for each case", arguments: 0..<4)
    func cases(_: Int) {
        #expect(client.uuid().uuidString.hasSuffix("-000000000000"))
        #expect(client.uuid().uuidString.hasSuffix("-000000000001"))
    }

    @Test("holds on the main actor, in asynchronous tests and in what they start")
    @MainActor
    func asynchronously() async {
        async let server = Client().server
        let unstructured = await Task { Client().server }.value
        #expect(await [server, unstructured] == ["https://suite", "https://suite"])
    }

    @Suite("on a suite in a suite")
    struct Inner {
        @Test("is inherited")
        func inherited() {
            #expect(Client().server == "https://suite")
        }
    }

    @Test("fails the test by a dependency that it does not override, with key and remedy", .dependencies { _ in })
    func missing() {
        let findings = collectFindings { #expect(Client().calendar == .autoupdatingCurrent) }
        #expect(findings.count == 1)
        #expect(findings.first?.message.contains("`calendar` (CalendarKey)") == true)
        #expect(findings.first?.fileID == "CompositionTestingTests/DependenciesTraitTests.swift")
        #expect(findings.first?.line == Client.lineOfCalendar)
    }

    @Test("sets one member of a dependency that has no test value", .dependencies { $0.api.load = { "mine" } })
    func member() {
        #expect(DependencyValues.current.api.load() == "mine")
        #expect(DependencyValues.current.api.save() == "placeholder")
    }

    @Test("leaves the reporter that the test sets", .dependencies { $0.missingOverrideReporter = .init { _ in } })
    func reporter() {
        #expect(collectFindings { _ = Client().calendar }.isEmpty)
    }

    /// What a test finds that has only the trait, runs in this test, and does not override `calendar`.
    private func findings(
        _ trait: DependenciesTrait = .dependencies { _ in }, _ body: @escaping @Sendable () async -> Void
    ) async throws -> [String] {
        let (test, testCase) = try (#require(Test.current), Test.Case.current)
        return try await collectFindings {
            try await trait.provideScope(for: test, testCase: testCase) { await body() }
        }.map(\.message)
    }

    @Test("fails the right test by a read that does not know which test it belongs to, when the test ends")
    func strayReads() async throws {
        let findings = try await findings {
            let client = Client()
            await onQueue { for _ in 0..<3 { _ = client.calendar } }
        }
        #expect(findings.count == 1)
        #expect(findings.first?.contains("`calendar` (CalendarKey)") == true)
    }

    @Test("names the tests that override what a detached task or a queue reads without")
    func readsThatAnOverrideDoesNotReach() async throws {
        let findings = try await findings(.dependencies { $0.port = "mine" }) {
            #expect(Owner().port == "mine")
            await onQueue { _ = Owner().port }
            _ = await Task.detached { Owner().port }.value
        }
        // This test alone overrides the port, so it is the one that fails, once.
        #expect(findings.count == 1)
        let message = findings.first ?? ""
        #expect(message.contains("`port` (PortKey)"))
        #expect(message.contains("which the override does not reach"))
        #expect(message.contains("\"names the tests that override what a detached task or a queue reads without\""))
        #expect(message.contains("let dependencies = DependencyValues.current"))
    }
}

private func onQueue(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
            body()
            continuation.resume()
        }
    }
}

private struct Owner {
    @Dependency(\.port) var port
}

private enum PortKey: DependencyKey {
    static let liveValue = "live"
}

private struct API: Sendable {
    var load = { @Sendable in "placeholder" }
    var save = { @Sendable in "placeholder" }
}

private enum APIKey: DependencyKey {
    static var liveValue: API { fromCompositionRoot(placeholder: API()) }
}

extension DependencyValues {
    fileprivate var port: String {
        get { self[PortKey.self] }
        set { self[PortKey.self] = newValue }
    }

    fileprivate var api: API {
        get { self[APIKey.self] }
        set { self[APIKey.self] = newValue }
    }
}
