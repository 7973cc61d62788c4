import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Receives the missing overrides of tests.
///
/// The test kit `CompositionTesting`, once it is linked, reports each as a failure of the running test. For another
/// testing framework, or to inspect missing overrides, set a reporter for some code:
///
/// ```swift
/// withDependencies {
///     $0.missingOverrideReporter = MissingOverrideReporter { print($0.message) }
/// } operation: {
///     Greeter().greet("Mina")    // prints the missing overrides of Greeter, and continues
/// }
/// ```
///
/// A reporter never stops the test: the read returns the preview value.
public struct MissingOverrideReporter: Sendable {
    private let receive: @Sendable (MissingOverride) -> Void

    /// Creates a reporter that calls `receive` once per test for each declaration and key, on the reading thread.
    public init(_ receive: @escaping @Sendable (MissingOverride) -> Void) {
        self.receive = receive
    }

    /// Passes a missing override to the reporter.
    public func report(_ missing: MissingOverride) { receive(missing) }

    /// Writes each message to the standard error once per process: for a test process without a kit, which cannot make
    /// a test fail.
    public static let standardError = MissingOverrideReporter { missing in
        let message = missing.message
        guard written.withLock({ $0.insert(message).inserted }) else { return }
        let remedy = "This process has no test kit, so the test continues; link CompositionTesting to make it fail."
        let line = "\(message) \(remedy)\n"
        _ = Array(line.utf8).withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    }

    private static let written = Mutex<Set<String>>([])
}
