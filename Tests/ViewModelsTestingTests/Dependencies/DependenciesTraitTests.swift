import Composition
import Dispatch
import Foundation
import Testing
import ViewModelsTesting

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
    "The dependencies trait", .timeLimit(.minutes(5)),
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
        withKnownIssue {
            #expect(Client().calendar == .autoupdatingCurrent)
        } matching: { issue in
            issue.comments.map(\.rawValue).joined().contains("`calendar` (CalendarKey)")
                && issue.sourceLocation?.fileID == "ViewModelsTestingTests/DependenciesTraitTests.swift"
                && issue.sourceLocation?.line == Client.lineOfCalendar
        }
    }

    @Test("fails the right test by a read that does not know which test it belongs to, when the test ends")
    func strayReads() async throws {
        let trait = DependenciesTrait.dependencies { _ in }
        let (test, testCase) = try (#require(Test.current), Test.Case.current)
        try await withKnownIssue {
            try await trait.provideScope(for: test, testCase: testCase) {
                let client = Client()
                await withCheckedContinuation { continuation in
                    DispatchQueue.global().async {
                        _ = client.calendar
                        continuation.resume()
                    }
                }
            }
        } matching: { issue in
            issue.comments.map(\.rawValue).joined().contains("`calendar` (CalendarKey)")
        }
    }
}
