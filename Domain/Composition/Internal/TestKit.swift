import Synchronization

/// What a test kit does for this module, which must not link a testing framework.
///
/// `CompositionTesting` installs itself when its image is loaded, before any code of the process runs: linking it is
/// enough.
package struct TestKit: Sendable {
    /// Receives what tests do not override.
    package let reporter: MissingOverrideReporter
    /// The default values of the test that runs here and now; `nil` where it is not known which does.
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

    /// The kit of this process, if there is one.
    static var installed: TestKit? { reference.load()?.kit }

    /// Makes this the kit of the process, unless it has one.
    package func install() {
        _ = Self.reference.storeIfNil(Installed(self))
    }
}
