import Foundation
import TestConcurrency
import Testing
import TravelDataCached
import TravelDataInMemory
import TravelDomainTesting

@Suite("A cached repository fulfils the contracts of a store", .limitedConcurrency)
struct ContractTests {
    /// Runs a check on a cached repository that sends and asks in the background. Its remote store is in memory.
    @Test(arguments: LocalStore.each(TravelStoreContract.checks))
    func fulfilsTravelStoreContract(local: LocalStore, check: ContractCheck<any TravelStore>) async throws {
        let (stores, opened) = AsyncStream<CachedTripRepository>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await withTaskGroup { group in
                    for await store in stores { group.addTask { await store.run() } }
                }
            }
            try await check.run {
                let store = try await CachedTripRepository.open(
                    local: local.make(), remote: InMemoryTripRepository(), outbox: InMemoryOutbox(), now: { Date() })
                opened.yield(store)
                return store
            }
            group.cancelAll()
        }
    }
}
