#if PostgreSQL
    import TravelDataSQL
    import TravelDomain

    /// The cells of travels: numbers of the combinations of the filters of which a travel has at most one value.
    ///
    /// Travels that meet several filters are in a few of the cells, which an index finds. The numbers are part of the
    /// stored form; changing them requires a migration.
    enum TraitCell {
        /// A filter of which a travel has at most one value, as bits of `TraitLayout`.
        private struct Dimension {
            let first: Int
            let count: Int
            /// Whether a travel may have no value.
            var isOptional = false

            /// The number of numbers.
            var radix: Int32 { Int32(isOptional ? count + 1 : count) }

            /// The number of the value among `traits`. No value is the number 0 of an optional filter.
            func position(in traits: Int64) -> Int {
                let bits = bits(of: traits)
                let position = bits == 0 ? -1 : bits.trailingZeroBitCount
                return isOptional ? position + 1 : max(position, 0)
            }

            /// The numbers of the values that meet a filter with these bits; without any, of all values.
            func positions(meeting filter: Int64) -> [Int] {
                let bits = bits(of: filter)
                let offset = isOptional ? 1 : 0
                guard bits != 0 else { return Array(0..<count + offset) }
                return (0..<count).filter { bits & 1 << Int64($0) != 0 }.map { $0 + offset }
            }

            private func bits(of traits: Int64) -> Int64 {
                traits >> Int64(first) & (1 << Int64(count) - 1)
            }
        }

        private static let dimensions: [Dimension] = {
            typealias Layout = TraitLayout
            return [
                Dimension(first: Layout.firstRegion, count: Layout.regions.count),
                Dimension(first: Layout.firstSeason, count: Layout.seasons.count),
                Dimension(first: Layout.firstPeriod, count: Layout.periods.count),
                Dimension(first: Layout.firstHeadcount, count: Layout.headcounts.count, isOptional: true),
                Dimension(first: Layout.firstBudget, count: Layout.budgets.count, isOptional: true),
                Dimension(first: Layout.firstTransportation, count: Layout.transportations.count, isOptional: true),
            ]
        }()

        /// The cell of a travel with these traits.
        static func number(of traits: Int64) -> Int32 {
            dimensions.reduce(0) { $0 * $1.radix + Int32($1.position(in: traits)) }
        }

        /// The number of cells.
        static let count = dimensions.reduce(1) { $0 * Int($1.radix) }

        /// The cells of the travels that can meet a filter, as ascending ranges; nil if these are more than `limit`.
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
