import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Receives what tests read and do not override.
///
/// The test kit `CompositionTesting`, once it is linked, makes each a failure of the test that runs. For another testing
/// framework, or to look at what is missing, set one around some code:
///
/// ```swift
/// withDependencies {
///     $0.missingOverrideReporter = MissingOverrideReporter { print($0.message) }
/// } operation: {
///     Greeter().greet("Mina")    // prints what Greeter reads, and goes on
/// }
/// ```
///
/// A reporter never stops the test: whoever reads is given the preview's value.
public struct MissingOverrideReporter: Sendable {
    private let receive: @Sendable (MissingOverride) -> Void

    /// A reporter that calls `receive` once a test for each declaration and key, on the thread that reads.
    public init(_ receive: @escaping @Sendable (MissingOverride) -> Void) {
        self.receive = receive
    }

    /// Hands over what is missing.
    public func report(_ missing: MissingOverride) { receive(missing) }

    /// Writes each message to the standard error once a process: for a test process without a kit, which has no means
    /// to make a test fail.
    public static let standardError = MissingOverrideReporter { missing in
        let message = missing.message
        guard written.withLock({ $0.insert(message).inserted }) else { return }
        let remedy = "This process has no test kit, so the test goes on; link CompositionTesting to see it fail."
        let line = "\(message) \(remedy)\n"
        _ = Array(line.utf8).withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    }

    private static let written = Mutex<Set<String>>([])
}
