/// The dependencies of the running task: those overridden by ``withDependencies(_:operation:)`` around it, and the
/// default values of all others.
///
/// Overrides reach what the operation calls and the child tasks it starts, and nothing else, so tests that
/// override the same dependency can run in parallel.
public struct DependencyValues: Sendable {
    /// Hears that a test used a dependency that it did not override. By default it stops the process.
    @TaskLocal public static var missingOverrides = MissingOverrideReporter { fatalError($0) }
    @TaskLocal static var current = DependencyValues()

    /// Which default values count. By default found out once: a test runner is recognised by its name.
    public var context: DependencyContext
    private var overrides: [ObjectIdentifier: any Sendable] = [:]

    init(context: DependencyContext = Self.contextOfProcess) {
        self.context = context
    }

    /// The value of the dependency that `key` names.
    public subscript<Key: DependencyKey>(key: Key.Type) -> Key.Value {
        get {
            if let value = overrides[ObjectIdentifier(key)] as? Key.Value { return value }
            switch context {
            case .live: return Key.liveValue
            case .preview: return Key.previewValue
            case .test:
                if let value = Key.testValue { return value }
                Self.missingOverrides.report(
                    "The dependency \(Key.self) has no test value and is not overridden. Override it around the test: "
                        + "withDependencies { $0[\(Key.self).self] = … } operation: { … }")
                return Key.previewValue
            }
        }
        set { overrides[ObjectIdentifier(key)] = newValue }
    }

    private static let contextOfProcess: DependencyContext = {
        let program = CommandLine.arguments.first ?? ""
        let isTest = program.hasSuffix(".xctest") || program.hasSuffix("/xctest") || program.contains("testing-helper")
        return isTest ? .test : .live
    }()
}

/// Hears that a test used a dependency that it did not override.
///
/// NB: a struct around the function, because a task-local value that is itself a function crashes in optimised builds
/// (Swift 6.3).
public struct MissingOverrideReporter: Sendable {
    /// Hears the message, which names the dependency and the fix.
    public let report: @Sendable (_ message: String) -> Void

    /// Calls `report` with each message.
    public init(_ report: @escaping @Sendable (_ message: String) -> Void) {
        self.report = report
    }
}

/// Runs `operation` with some dependencies overridden.
///
/// ```swift
/// withDependencies { $0.greeting = "Hi" } operation: {
///     Greeter().greet()    // "Hi"
/// }
/// ```
public func withDependencies<Result>(
    _ update: (inout DependencyValues) throws -> Void, operation: () throws -> Result
) rethrows -> Result {
    var values = DependencyValues.current
    try update(&values)
    return try DependencyValues.$current.withValue(values, operation: operation)
}

/// Runs `operation` with some dependencies overridden, for it and the child tasks it starts.
public func withDependencies<Result>(
    _ update: (inout DependencyValues) throws -> Void, operation: () async throws -> Result
) async rethrows -> Result {
    var values = DependencyValues.current
    try update(&values)
    return try await DependencyValues.$current.withValue(values, operation: operation)
}
