import CompositionTesting
import Dispatch
import Foundation
import Testing
import TestReporting
import TestConcurrency

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
    "The dependencies trait", .limitedConcurrency,
    .dependencies {
        $0.uuid = .incrementing
        $0.server = "https://suite"
    })
struct DependenciesTraitTests {
    private let client = Client()

    @Test("overrides of a suite apply to its tests and its properties")
    func suite() {
        #expect(client.server == "https://suite")
        #expect(Client().server == "https://suite")
    }

    @Test("an override of a test takes precedence over that of its suite", .dependencies { $0.server = "https://test" })
    func test() {
        #expect(client.server == "https://test")
    }

    @Test("each case of a test has new values", arguments: 0..<4)
    func cases(_: Int) {
        #expect(client.uuid().uuidString.hasSuffix("-000000000000"))
        #expect(client.uuid().uuidString.hasSuffix("-000000000001"))
    }

    @Test("an incrementing identifier is written as a number")
    func identifiers() {
        for number in 0..<300 { #expect(client.uuid() == UUID(number)) }
        #expect(UUID(.max).uuidString == "00000000-0000-0000-7FFF-FFFFFFFFFFFF")
    }

    @Test("overrides of a suite apply on the main actor, in asynchronous tests and in their tasks")
    @MainActor
    func asynchronously() async {
        async let server = Client().server
        let unstructured = await Task { Client().server }.value
        #expect(await [server, unstructured] == ["https://suite", "https://suite"])
    }

    @Suite("A suite in a suite with the dependencies trait")
    struct Inner {
        @Test("overrides of a suite apply to its sub-suites")
        func inherited() {
            #expect(Client().server == "https://suite")
        }
    }

    @Test("a missing override fails the test, with the key and the remedy", .dependencies { _ in })
    func missing() {
        let findings = collectFindings { #expect(Client().calendar == .autoupdatingCurrent) }
        #expect(findings.count == 1)
        #expect(findings.first?.message.contains("`calendar` (CalendarKey)") == true)
        #expect(findings.first?.fileID == "CompositionTests/DependenciesTraitTests.swift")
        #expect(findings.first?.line == Client.lineOfCalendar)
    }

    @Test(
        "an update may set one member of a dependency without a test value", .dependencies { $0.api.load = { "mine" } })
    func member() {
        #expect(DependencyValues.current.api.load() == "mine")
        #expect(DependencyValues.current.api.save() == "placeholder")
    }

    @Test("a reporter that the test sets is kept", .dependencies { $0.missingOverrideReporter = .init { _ in } })
    func reporter() {
        #expect(collectFindings { _ = Client().calendar }.isEmpty)
    }

    /// The findings of a test that has only the trait, runs inside this test, and does not override `calendar`.
    private func findings(
        _ trait: DependenciesTrait = .dependencies { _ in }, _ body: @escaping @Sendable () async -> Void
    ) async throws -> [String] {
        let (test, testCase) = try (#require(Test.current), Test.Case.current)
        return try await collectFindings {
            try await trait.provideScope(for: test, testCase: testCase) { await body() }
        }.map(\.message)
    }

    @Test("a missing override that is read without a current test fails the right test when that test ends")
    func strayReads() async throws {
        let findings = try await findings {
            let client = Client()
            await onQueue { for _ in 0..<3 { _ = client.calendar } }
        }
        #expect(findings.count == 1)
        #expect(findings.first?.contains("`calendar` (CalendarKey)") == true)
    }

    @Test("a missing override in a detached task or on a queue names the tests that override it")
    func readsThatAnOverrideDoesNotReach() async throws {
        let findings = try await findings(.dependencies { $0.port = "mine" }) {
            #expect(Owner().port == "mine")
            await onQueue { _ = Owner().port }
            _ = await Task.detached { Owner().port }.value
        }
        // Only this test overrides the port, so it fails, once.
        #expect(findings.count == 1)
        let message = findings.first ?? ""
        #expect(message.contains("`port` (PortKey)"))
        #expect(message.contains("which the override does not reach"))
        #expect(
            message.contains("\"a missing override in a detached task or on a queue names the tests that override it\"")
        )
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

#if canImport(XCTest) && !canImport(Darwin)
import Composition
import CompositionTesting
import XCTest

/// Overrides in XCTest: once for all tests of a class.
final class XCTestTests: XCTestCase {
    private var failures: [String] = []

    override func invokeTest() {
        withDependencies {
            $0.greeting = "Hi"
        } operation: {
            super.invokeTest()
        }
    }

    func testOverridesHoldInEachTest() {
        XCTAssertEqual(Greeter().greeting, "Hi")
    }

    func testAMissingOverrideFailsTheTestWhichGoesOn() {
        XCTAssertEqual(Greeter().place, "World")
        XCTAssertEqual(failures.count, 1)
        XCTAssert(failures.first?.contains("withDependencies { $0.place = … }") ?? false)
    }

    func testAMissingOverrideOnAnotherThreadFailsTheTest() {
        let greeter = Greeter()
        let isRead = expectation(description: "read")
        DispatchQueue.global().async {
            _ = greeter.place
            isRead.fulfill()
        }
        wait(for: [isRead], timeout: 60)
        XCTAssertEqual(failures.count, 1)
    }

    /// Stores the failures that these tests expect.
    override func recordFailure(
        withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
    ) {
        if description.contains("without overriding it") {
            failures.append(description)
        } else {
            super.recordFailure(
                withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
        }
    }
}
#endif
