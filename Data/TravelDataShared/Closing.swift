/// Runs `work`, and then closes what it uses, whether it throws or not.
package func closing<Value>(_ close: () async -> Void, _ work: () async throws -> Value) async throws -> Value {
    do {
        let value = try await work()
        await close()
        return value
    } catch {
        await close()
        throw error
    }
}
