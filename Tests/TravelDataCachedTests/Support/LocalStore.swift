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

    /// Each check with the store in memory, and every eighth with the other one; all if `TRAVEL_SEEDS` is set.
    static func each<Check>(_ checks: [Check]) -> [(LocalStore, Check)] {
        pairs(checks, memory: 1, sqlite: 8)
    }

    /// Every fourth check with the store in memory, and every sixteenth with the other one; all if `TRAVEL_SEEDS` is
    /// set. These checks are many, and about searches, which the local store answers by itself.
    static func some<Check>(_ checks: [Check]) -> [(LocalStore, Check)] {
        pairs(checks, memory: 4, sqlite: 16)
    }

    private static func pairs<Check>(_ checks: [Check], memory: Int, sqlite: Int) -> [(LocalStore, Check)] {
        func every(_ step: Int) -> [Check] {
            Histories.areManyWanted
                ? checks : checks.enumerated().filter { $0.offset % step == step / 2 }.map(\.element)
        }
        return every(memory).map { (.memory, $0) } + every(sqlite).map { (.sqlite, $0) }
    }
}
