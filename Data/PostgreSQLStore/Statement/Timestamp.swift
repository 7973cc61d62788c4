#if PostgreSQL
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    /// Times in the binary form of the server: microseconds since 2000-01-01 00:00 UTC.
    enum Timestamp {
        /// The seconds from 2000-01-01 to 2001-01-01, the reference date of `Date`.
        private static let referenceOffset: Int64 = 31_622_400
        /// The range of the server: from 4714-11-24 BC to the end of 294276.
        private static let range: Range<Int64> = -211_813_488_000_000_000..<9_223_371_331_200_000_000

        /// Returns the time to the nearest microsecond, or nil outside the range of the server.
        static func microseconds(of date: Date) -> Int64? {
            let interval = date.timeIntervalSinceReferenceDate
            guard abs(interval) < 1e13 else { return nil }
            let whole = interval.rounded(.down)
            let fraction = Int64(((interval - whole) * 1e6).rounded())
            let time = (Int64(whole) + referenceOffset) * 1_000_000 + fraction
            return range.contains(time) ? time : nil
        }

        /// Returns the date; nil for the infinite times.
        static func date(microseconds: Int64) -> Date? {
            guard range.contains(microseconds) else { return nil }
            let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
            return Date(timeIntervalSinceReferenceDate: Double(seconds - referenceOffset) + Double(rest) / 1e6)
        }
    }
#endif
