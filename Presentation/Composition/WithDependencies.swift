/// Runs `operation` with some dependencies overridden, on top of those in the current scope.
///
/// ```swift
/// withDependencies { $0.greeting = "Hi" } operation: {
///     Greeter().greet("Mina")    // Hi, Mina
/// }
/// ```
///
/// - Parameters:
///   - update: Sets the overrides. It may read the values that it overrides, to set one member: `$0.client.load = { …
///     }`.
///   - operation: Runs with the overrides, and so do the tasks that it starts. Owners that it creates keep them.
/// - Returns: The result of the operation, in the caller's isolation.
/// - Throws: The errors of `update` and of `operation`.
@discardableResult
public func withDependencies<Result>(
    _ update: (inout DependencyValues) throws -> Void, operation: () throws -> Result
) rethrows -> Result {
    let values = try DependencyValues.current.updated(by: update)
    return try withDependencies(from: values, operation: operation)
}

/// Runs `operation` with some dependencies overridden, on top of those in the current scope.
///
/// Like the synchronous form. The operation runs in the caller's isolation, without a hop.
///
/// ```swift
/// await withDependencies { $0.greeting = "Hi" } operation: {
///     await Greeter().greetLater("Mina")    // Hi, Mina
/// }
/// ```
///
/// - Throws: The errors of `update` and of `operation`.
@discardableResult
public nonisolated(nonsending) func withDependencies<Result>(
    _ update: (inout DependencyValues) throws -> Void, operation: nonisolated(nonsending) () async throws -> Result
) async rethrows -> Result {
    let values = try DependencyValues.current.updated(by: update)
    return try await withDependencies(from: values, operation: operation)
}

/// Runs `operation` with the dependencies of another scope: the one in which `values` was read.
///
/// For objects that are created later than their parent, and need the parent's dependencies:
///
/// ```swift
/// final class List {
///     @Dependency(\.self) private var dependencies
///
///     func open(_ item: Item) -> Details {
///         withDependencies(from: dependencies) { Details(item) }
///     }
/// }
/// ```
///
/// To override some of them as well, nest another `withDependencies`.
///
/// - Throws: The errors of `operation`.
@discardableResult
public func withDependencies<Result>(
    from values: DependencyValues, operation: () throws -> Result
) rethrows -> Result {
    try DependencyValues.$inScope.withValue(values, operation: operation)
}

/// Runs `operation` with the dependencies of another scope: the one in which `values` was read.
///
/// Like the synchronous form. The operation runs in the caller's isolation, without a hop.
///
/// - Throws: The errors of `operation`.
@discardableResult
public nonisolated(nonsending) func withDependencies<Result>(
    from values: DependencyValues, operation: nonisolated(nonsending) () async throws -> Result
) async rethrows -> Result {
    try await DependencyValues.$inScope.withValue(values, operation: operation)
}
