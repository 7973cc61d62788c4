public import TravelDomain

/// Storage that outlives the stores which are opened on it: a file, a folder, or a database on a server.
///
/// ```swift
/// let path = folder + "/travels.db"
/// ReopenableStore { try await TravelDatabase.open(path: path) } close: { await $0.close() } store: { $0.travels }
/// ```
///
/// ``ReopeningContract`` opens it several times, one store after another.
public struct ReopenableStore: Sendable {
    private let openNext: @Sendable () async throws -> OpenStore

    /// A store with the function that closes it.
    struct OpenStore: Sendable {
        let store: any TravelStore
        let close: @Sendable () async throws -> Void
    }

    /// Creates storage from the functions that open and close it.
    ///
    /// - Parameters:
    ///   - open: Opens the storage, which is empty the first time, and later has what earlier ones have stored.
    ///   - close: Closes what `open` returned, before the storage is opened again.
    ///   - store: The store of what `open` returned.
    public init<Opened: Sendable>(
        open: @escaping @Sendable () async throws -> Opened,
        close: @escaping @Sendable (Opened) async throws -> Void,
        store: @escaping @Sendable (Opened) -> any TravelStore
    ) {
        openNext = {
            let opened = try await open()
            return OpenStore(store: store(opened)) { try await close(opened) }
        }
    }

    /// Calls `body` with a store that is opened before and closed afterwards, whether or not it throws.
    func withStore<Value>(_ body: (any TravelStore) async throws -> Value) async throws -> Value {
        let opened = try await openNext()
        do {
            let value = try await body(opened.store)
            try await opened.close()
            return value
        } catch {
            try await opened.close()
            throw error
        }
    }
}
