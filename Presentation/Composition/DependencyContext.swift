import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The context in which code runs, which selects the default value of a key without an override.
///
/// The process determines its context once: it recognises a test runner by its name and by a linked test kit, and a
/// preview by its environment. Set ``DependencyValues/context`` to choose another context for some code.
///
/// ```swift
/// withDependencies { $0.context = .preview } operation: { TripScreen() }    // uses preview values
/// ```
public enum DependencyContext: Sendable {
    case live
    case preview
    case test
}

extension DependencyContext {
    static let ofProcess = DependencyContext(
        program: CommandLine.arguments.first ?? "", environment: ProcessInfo.processInfo.environment,
        hasTestKit: TestKit.installed != nil)

    /// The context of a process with that program and environment.
    init(program: String, environment: [String: String], hasTestKit: Bool) {
        // The runners of SwiftPM and of Xcode; the environment identifies the host application of a test bundle.
        let isRunner = [".xctest", "/xctest", "testing-helper"].contains(where: program.hasSuffix)
        let isHost = ["XCTestBundlePath", "XCTestConfigurationFilePath", "XCTestSessionIdentifier"]
            .contains { environment[$0] != nil }
        if environment["XCODE_RUNNING_FOR_PREVIEWS"] == "1" {
            self = .preview
        } else {
            self = hasTestKit || isRunner || isHost ? .test : .live
        }
    }
}

/// The services of a test kit for this module, which must not link a testing framework.
///
/// `CompositionTesting` installs itself when its image is loaded, before any code of the process runs: linking it is
/// sufficient.
package struct TestKit: Sendable {
    /// Receives the missing overrides of tests.
    package let reporter: MissingOverrideReporter
    /// The default values of the running test; `nil` if the test is unknown.
    package let testValues: @Sendable () -> TestValues?

    package init(reporter: MissingOverrideReporter, testValues: @escaping @Sendable () -> TestValues?) {
        self.reporter = reporter
        self.testValues = testValues
    }

    private final class Installed: Sendable {
        let kit: TestKit

        init(_ kit: TestKit) {
            self.kit = kit
        }
    }

    private static let reference = AtomicLazyReference<Installed>()

    static var installed: TestKit? { reference.load()?.kit }

    /// Installs this kit for the process, unless one is installed.
    package func install() {
        _ = Self.reference.storeIfNil(Installed(self))
    }
}

/// The default values that one test has read, and the missing overrides that were reported for it.
package final class TestValues: Sendable {
    private struct State {
        var values: [ObjectIdentifier: Entry] = [:]
        var reported: Set<Report> = []
    }

    private struct Entry: Sendable {
        let value: any Sendable
        let isMissing: Bool
    }

    private struct Report: Hashable {
        let key: ObjectIdentifier
        let position: SourcePosition?
    }

    private let state = Mutex(State())

    package init() {}

    func value<Key: DependencyKey>(of key: Key.Type) -> (value: Key.Value, isMissing: Bool)? {
        let entry = state.withLock { $0.values[ObjectIdentifier(key)] }
        guard let entry, let value = entry.value as? Key.Value else { return nil }
        return (value, entry.isMissing)
    }

    /// Stores the value, unless another was stored meanwhile.
    ///
    /// - Returns: The stored value.
    func keep<Key: DependencyKey>(_ value: Key.Value, of key: Key.Type, isMissing: Bool) -> Key.Value {
        let entry = Entry(value: value, isMissing: isMissing)
        let kept = state.withLock { state in
            if let kept = state.values[ObjectIdentifier(key)] { return kept }
            state.values[ObjectIdentifier(key)] = entry
            return entry
        }
        return kept.value as? Key.Value ?? value
    }

    /// Records a missing override; returns whether it is the first for its key and declaration.
    func recordIfNew(_ missing: MissingOverride) -> Bool {
        state.withLock { $0.reported.insert(Report(key: missing.keyType, position: missing.position)).inserted }
    }
}

/// A default value of a test while it is being created.
final class TestValueCreation: Sendable {
    let key: ObjectIdentifier
    /// Whether the test fails if there is no value.
    let isReported: Bool
    let store: TestValues?
    private let missing = Atomic(false)

    init(of key: ObjectIdentifier, isReported: Bool, in store: TestValues?) {
        self.key = key
        self.isReported = isReported
        self.store = store
    }

    var isMissing: Bool { missing.load(ordering: .relaxed) }

    func noteMissing() { missing.store(true, ordering: .relaxed) }
}
