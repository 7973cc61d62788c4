import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A read in a test of a dependency that has neither an override nor a test value.
///
/// ```swift
/// let reporter = MissingOverrideReporter { print($0.message) }
/// reporter.report(MissingOverride(of: GreetingKey.self, property: "greeting"))
/// // prints: This test uses the dependency `greeting` (GreetingKey) without overriding it. …
/// ```
public struct MissingOverride: Sendable {
    /// The key's type, by name.
    public let key: String
    /// The property of ``DependencyValues`` by which it was read; `nil` if it was read by its key.
    public let property: String?
    /// The declaration of the ``Dependency`` that was read, if any.
    public let position: SourcePosition?
    package let keyType: ObjectIdentifier

    /// Creates a missing override of `key`, to test a reporter.
    public init<Key: DependencyKey>(of key: Key.Type, property: String? = nil, position: SourcePosition? = nil) {
        self.key = String(describing: key)
        self.property = property
        self.position = position
        keyType = ObjectIdentifier(key)
    }

    init<Key: DependencyKey>(_ key: Key.Type, _ access: DependencyAccess) {
        // A read by key, or by a function of the user, has no property name.
        let name = access.property.description
        let isNameless = name.isEmpty || name.contains { "(:.".contains($0) }
        self.init(of: key, property: isNameless ? nil : name, position: access.position)
    }

    /// The dependency, its declaration, and the remedy.
    public var message: String {
        let position = self.position.map { ", declared at \($0.fileID):\($0.line)," } ?? ""
        let name = property.map { "`\($0)` (\(key))" } ?? key
        return """
            This test uses the dependency \(name)\(position) without overriding it. \
            Override it for the test or its suite: @Test(.dependencies { \(assignment) }), with CompositionTesting; \
            or around some code: withDependencies { \(assignment) } operation: { … }; \
            or give \(key) a `testValue`.
            """
    }

    private var assignment: String { property.map { "$0.\($0) = …" } ?? "$0[\(key).self] = …" }
}

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

/// A position in the source code, such as the declaration of a ``Dependency``.
public struct SourcePosition: Sendable {
    public let fileID: StaticString
    public let filePath: StaticString
    /// The line, from 1.
    public let line: UInt
    /// The column, from 1.
    public let column: UInt

    public init(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
        self.column = column
    }
}

extension SourcePosition: Hashable {
    /// Whether both have the same line, column and file path.
    public static func == (left: SourcePosition, right: SourcePosition) -> Bool {
        left.line == right.line && left.column == right.column && "\(left.filePath)" == "\(right.filePath)"
    }

    /// Hashes the line and the column; positions in different files may have the same hash.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(line)
        hasher.combine(column)
    }
}
