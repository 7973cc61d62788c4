import Synchronization

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

    /// The kit of this process, if one is installed.
    static var installed: TestKit? { reference.load()?.kit }

    /// Installs this kit for the process, unless one is installed.
    package func install() {
        _ = Self.reference.storeIfNil(Installed(self))
    }
}
