import SQLiteStore
import SQLiteStoreTesting
import TestConcurrency
import Testing
import TravelDataShared
import TravelDomain
import TravelDomainTesting

@testable import TravelDataSQLite

@Suite("Traits of trips", .limitedConcurrency)
struct TraitLayoutTests {
    typealias Layout = TraitLayout

    @Test("every value of every filter has its own position")
    func everyValueHasAPosition() {
        #expect(Set(Layout.regions) == Set(Region.allCases))
        #expect(Set(Layout.seasons) == Set(Season.allCases))
        #expect(Set(Layout.periods) == Set(Period.allCases))
        #expect(Set(Layout.headcounts) == Set(Headcount.allCases))
        #expect(Set(Layout.budgets) == Set(Budget.allCases))
        #expect(Set(Layout.transportations) == Set(Transportation.allCases))
        #expect(Set(Layout.themes) == Set(Theme.allCases))
        #expect(Set(Layout.companions) == Set(Companion.allCases))
    }

    @Test("the bits of the filters follow one another without a gap, and that of abroad comes last")
    func bitsFollowOneAnother() {
        let ranges = [
            (0, Layout.regions.count - 1), (Layout.firstSeason, Layout.seasons.count),
            (Layout.firstPeriod, Layout.periods.count), (Layout.firstHeadcount, Layout.headcounts.count),
            (Layout.firstBudget, Layout.budgets.count), (Layout.firstTransportation, Layout.transportations.count),
            (Layout.firstTheme, Layout.themes.count), (Layout.firstCompanion, Layout.companions.count),
        ]
        for (range, next) in zip(ranges, ranges.dropFirst()) { #expect(range.0 + range.1 == next.0) }
        let abroad = Layout.firstCompanion + Layout.companions.count
        #expect(Layout.regionBits == (Array(0..<17) + [abroad]).map { 1 << $0 })
    }

    @Test("a filter admits the traits that the file computes exactly where the criteria match")
    func filtersAgreeWithTheDomain() async throws {
        var samples = TripGenerator(seed: 11)
        let trips = try samples.trips(300, by: [samples.user()])
        let criteria = (0..<200).map { _ in samples.criteria() }
        try await withTemporaryDatabase(migrations: TravelSchema.migrations) { database in
            let traits = try await database.write { db in
                var (images, files) = (try NewImages([]), ImageWrite())
                try TripRecord.add(trips, &images, &files, db)
                return try db.fetchAll(Int64.self, "SELECT traits FROM trip ORDER BY key")
            }
            for var criteria in criteria {
                criteria.keyword = nil
                let groups = TripSets.filters(criteria)
                let found = traits.map { traits in
                    groups.allSatisfy { $0.contains { traits & 1 << $0 != 0 } }
                }
                #expect(found == trips.map { criteria.matches($0.content) })
            }
        }
    }
}
