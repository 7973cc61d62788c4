/// Runs `operation` with some dependencies overridden, on top of those that hold here.
///
/// ```swift
/// withDependencies { $0.greeting = "Hi" } operation: {
///     Greeter().greet("Mina")    // Hi, Mina
/// }
/// ```
///
/// - Parameters:
///   - update: Sets what is different. It may read what it overrides, to set one member of it:
///     `$0.client.load = { … }`.
///   - operation: Sees it, and so do the tasks it starts and the owners it makes, for as long as they live.
/// - Returns: What the operation returns, in the caller's isolation.
@discardableResult
public func withDependencies<Result>(
    _ update: (inout DependencyValues) throws -> Void, operation: () throws -> Result
) rethrows -> Result {
    let values = try DependencyValues.current.updated(by: update)
    return try withDependencies(from: values, operation: operation)
}

/// Runs `operation` with some dependencies overridden, on top of those that hold here.
///
/// As the synchronous form. The operation runs where the caller does: on its actor, without a hop.
@discardableResult
public nonisolated(nonsending) func withDependencies<Result>(
    _ update: (inout DependencyValues) throws -> Void, operation: nonisolated(nonsending) () async throws -> Result
) async rethrows -> Result {
    let values = try DependencyValues.current.updated(by: update)
    return try await withDependencies(from: values, operation: operation)
}

/// Runs `operation` with the dependencies that held somewhere else: where `values` were taken.
///
/// For what is made later than its parent, and must be given what the parent was given:
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
/// To change some of them besides, nest `withDependencies` in it.
@discardableResult
public func withDependencies<Result>(
    from values: DependencyValues, operation: () throws -> Result
) rethrows -> Result {
    try DependencyValues.$inScope.withValue(values, operation: operation)
}

/// Runs `operation` with the dependencies that held somewhere else: where `values` were taken.
///
/// As the synchronous form. The operation runs where the caller does: on its actor, without a hop.
@discardableResult
public nonisolated(nonsending) func withDependencies<Result>(
    from values: DependencyValues, operation: nonisolated(nonsending) () async throws -> Result
) async rethrows -> Result {
    try await DependencyValues.$inScope.withValue(values, operation: operation)
}
