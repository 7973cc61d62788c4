import Synchronization
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Stores that forward calls")
struct ForwardingStoreTests {
    private final class Calls: Sendable {
        let count = Atomic(0)
    }

    /// Written as in any module, whatever its language features.
    private struct CountingStore: ForwardingStore {
        let base: any TravelStore
        let calls = Calls()

        func store(for call: InterceptedStore.Call) async throws -> any TravelStore { base }

        func forward<Value>(
            _ call: InterceptedStore.Call, _ body: (any TravelStore) async throws -> Value
        ) async throws -> Value {
            calls.count.add(1, ordering: .relaxed)
            return try await body(base)
        }
    }

    private struct PlainStore: ForwardingStore {
        let base: any TravelStore

        func store(for call: InterceptedStore.Call) async throws -> any TravelStore { base }
    }

    @Test("each call passes through the type's own forward, and its errors do")
    func ownForward() async throws {
        let memory = InMemoryTripRepository()
        let user = try User(seed: 1)
        let store = CountingStore(base: PlainStore(base: memory))
        try await store.add(user)
        #expect(try await store.user(user.id).id == user.id)
        await #expect(throws: TravelError.self) { try await store.add(user) }
        #expect(store.calls.count.load(ordering: .relaxed) == 3)
        #expect(try await memory.user(user.id).id == user.id)
    }
}
