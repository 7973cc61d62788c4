#if PostgreSQL
internal import PostgreSQLStore
import TravelDataShared
import TravelDomain

/// The filters of a search, as conditions on the column `traits`.
struct TraitFilter {
    /// The bits that must all be set: filters with one value.
    private(set) var all: Int64 = 0
    /// The masks of which at least one bit must be set: filters with several values.
    private(set) var any: [Int64] = []

    init(_ criteria: TripCriteria) {
        for bits in TraitLayout.filters(criteria) {
            if bits.nonzeroBitCount == 1 { all |= bits } else { any.append(bits) }
        }
    }

    var isEmpty: Bool { all == 0 && any.isEmpty }

    /// The condition that a row with the column `traits` matches.
    var condition: SQL {
        any.reduce("traits & \(all) = \(all)") { "\($0) AND traits & \($1) <> 0" }
    }
}

/// The cells of trips: numbers of the combinations of the filters of which a trip has at most one value.
///
/// Trips that meet several filters are in a few of the cells, which an index finds. The numbers are part of the
/// stored form; changing them requires a migration.
enum TraitCell {
    /// A filter of which a trip has at most one value, as bits of `TraitLayout`.
    private struct Dimension {
        let bits: [Int64]
        var isOptional = false

        /// The number of numbers.
        var radix: Int32 { Int32(isOptional ? bits.count + 1 : bits.count) }

        /// The number of the value among `traits`. No value is the number 0 of an optional filter.
        func position(in traits: Int64) -> Int {
            let position = bits.firstIndex { traits & $0 != 0 } ?? -1
            return isOptional ? position + 1 : max(position, 0)
        }

        /// The numbers of the values that meet a filter with these bits; without any, of all values.
        func positions(meeting filter: Int64) -> [Int] {
            let offset = isOptional ? 1 : 0
            let chosen = bits.indices.filter { filter & bits[$0] != 0 }.map { $0 + offset }
            return chosen.isEmpty ? Array(0..<bits.count + offset) : chosen
        }
    }

    /// The first one may get further values without changing the numbers of the others.
    private static let dimensions: [Dimension] = {
        typealias Layout = TraitLayout
        func bits(_ first: Int, _ count: Int) -> [Int64] { (0..<count).map { 1 << Int64(first + $0) } }
        return [
            Dimension(bits: Layout.regionBits),
            Dimension(bits: bits(Layout.firstSeason, Layout.seasons.count)),
            Dimension(bits: bits(Layout.firstPeriod, Layout.periods.count)),
            Dimension(bits: bits(Layout.firstHeadcount, Layout.headcounts.count), isOptional: true),
            Dimension(bits: bits(Layout.firstBudget, Layout.budgets.count), isOptional: true),
            Dimension(bits: bits(Layout.firstTransportation, Layout.transportations.count), isOptional: true),
        ]
    }()

    static func number(of traits: Int64) -> Int32 {
        dimensions.reduce(0) { $0 * $1.radix + Int32($1.position(in: traits)) }
    }

    static let count = dimensions.reduce(1) { $0 * Int($1.radix) }

    /// The cells of the trips that can meet a filter, as ascending ranges; nil if these are more than `limit`.
    static func ranges(meeting filter: TraitFilter, atMost limit: Int) -> [ClosedRange<Int32>]? {
        let bits = filter.any.reduce(filter.all, |)
        var ranges: [ClosedRange<Int32>] = [0...0]
        for dimension in dimensions {
            let (positions, radix) = (dimension.positions(meeting: bits), dimension.radix)
            if positions.count == radix {
                ranges = ranges.map { $0.lowerBound * radix...$0.upperBound * radix + radix - 1 }
                continue
            }
            guard ranges.reduce(0, { $0 + $1.count }) * positions.count <= limit else { return nil }
            ranges = ranges.joined().flatMap { number in
                positions.map { number * radix + Int32($0)...number * radix + Int32($0) }
            }
        }
        return ranges
    }
}
#endif
