import Foundation

/// The number of random histories: `TRAVEL_SEEDS`, and 20 by default.
enum Histories {
    static let seeds = UInt64(1)...UInt64(max(count ?? 20, 1))
    static let areManyWanted = count != nil

    private static let count = ProcessInfo.processInfo.environment["TRAVEL_SEEDS"].flatMap(Int.init)
}
