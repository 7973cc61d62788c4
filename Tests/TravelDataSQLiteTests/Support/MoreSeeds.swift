import Foundation

/// The seeds of generated checks that are run besides those that the contracts have: up to `TRAVEL_SEEDS`, and none in an
/// ordinary run.
enum MoreSeeds {
    static let range = UInt64(6)..<UInt64(max(6, last + 1))
    static let areWanted = !range.isEmpty

    private static let last = ProcessInfo.processInfo.environment["TRAVEL_SEEDS"].flatMap(Int.init) ?? 0
}
