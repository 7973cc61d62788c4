#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

import TravelDomain

extension SampleTrips {
    /// The first line of a trip.
    struct Header {
        let number: Int
        let content: TravelContent
        let author: User
        let createdAt: Date
        let likedBy: [User.ID]

        init(_ line: TextLine, region: Region) throws(MalformedLine) {
            let fields = try line.fields(11)
            guard fields[0].hasPrefix("#"), let number = Int(fields[0].dropFirst().filter { $0 != " " }) else {
                throw line.error("expected # and a number; found '\(fields[0])'")
            }
            self.number = number
            self.content = TravelContent(
                title: try line.parse("title") { () throws(TravelError) in try Title(fields[1]) },
                region: region,
                days: try line.parse("days") { () throws(TravelError) in try Self.days(fields[2]) },
                themes: try Self.all(of: fields[3], in: line, Theme.init(rawValue:)),
                companions: try Self.all(of: fields[4], in: line, Companion.init(rawValue:)),
                headcount: try Self.all(of: fields[5], in: line) { Int($0).flatMap(Headcount.init(rawValue:)) }.first,
                budget: try Self.all(of: fields[6], in: line, Budget.init(rawValue:)).first,
                transportation: try Self.all(of: fields[7], in: line, Transportation.init(rawValue:)).first)
            guard let author = Self.travelers(fields[8]).first else {
                throw line.error("unknown author '\(fields[8])'")
            }
            self.author = author
            self.createdAt = try line.parse("moment") { () throws(TravelError) in try Self.moment(fields[9]) }
            self.likedBy = Self.travelers(fields[10]).map(\.id).sorted()
            guard fields[10] == "-" || likedBy.count == fields[10].count else {
                throw line.error("unknown traveller in '\(fields[10])'")
            }
        }

        /// Parses the space-separated values in `text`.
        private static func all<Value: Hashable>(
            of text: String, in line: TextLine, _ value: (String) -> Value?
        ) throws(MalformedLine) -> Set<Value> {
            var values: Set<Value> = []
            for name in text.split(separator: " ") where name != "-" {
                guard let value = value(String(name)) else { throw line.error("unknown value '\(name)'") }
                values.insert(value)
            }
            return values
        }

        /// Parses days in the format `2024-05-01 ~ 2024-05-03`, or `2024-05-01` for a single day.
        private static func days(_ text: String) throws(TravelError) -> DayRange {
            let days = text.split(separator: " ")
            return try DayRange(CalendarDay(days.first ?? ""), through: CalendarDay(days.last ?? ""))
        }

        /// Parses a time in the format `2024-05-04 21:30`, in Korea Standard Time.
        private static func moment(_ text: String) throws(TravelError) -> Date {
            let parts = text.split(separator: " ")
            let day = try CalendarDay(parts.first ?? "")
            let minutes = try TimeOfDay(parts.last ?? "").minutes - 9 * 60
            return Date(timeIntervalSince1970: Double(day.daysSince1970) * 86_400 + Double(minutes) * 60)
        }

        private static func travelers(_ letters: String) -> [User] {
            letters.compactMap(traveler)
        }
    }
}
