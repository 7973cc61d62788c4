import Foundation
import TravelDataCached
import TravelDataInMemory
import TravelDataSQLite

/// The stores that can stand before a remote one.
enum LocalStore: String, CaseIterable, Sendable, CustomStringConvertible {
    case memory, sqlite

    var description: String { rawValue }

    func make() async throws -> any TravelStore & TravelCache {
        switch self {
        case .memory: InMemoryTravelRepository()
        case .sqlite: try await TravelDatabase.temporary().travels
        }
    }

    /// Each check with the store in memory; and with the other one each check if `TRAVEL_SEEDS` is set, and otherwise every
    /// eighth: these checks are many, and about searches, which the local store answers by itself.
    static func some<Check>(_ checks: [Check]) -> [(LocalStore, Check)] {
        checks.map { (.memory, $0) }
            + checks.enumerated().filter { Histories.areManyWanted || $0.offset.isMultiple(of: 8) }
            .map { (.sqlite, $1) }
    }
}
