/// The part of a timeline on one day.
package struct TripDay: Sendable {
    /// The day of the trip, 1-based.
    package let number: Int
    package let date: CalendarDay
    /// The entries in order; at least one.
    package let entries: [TimelineEntry]
}

extension RecordedTrip {
    /// The days that have entries, in order.
    package var daysWithEntries: [TripDay] { Self.days(timeline, from: content.days.first) }

    /// The days that have entries with a place on the map, in order, with these entries only.
    package var daysWithPlaces: [TripDay] {
        Self.days(timeline.filter { $0.coordinate != nil }, from: content.days.first)
    }

    private static func days(_ entries: [TimelineEntry], from first: CalendarDay) -> [TripDay] {
        entries.chunked { $0.day == $1.day }.map {
            TripDay(number: $0[0].day, date: first.adding(days: $0[0].day - 1), entries: $0)
        }
    }
}

extension Array {
    /// Divides the array into the longest runs in which `belong` holds for all neighbours.
    package func chunked(_ belong: (Element, Element) -> Bool) -> [[Element]] {
        var chunks: [[Element]] = []
        for element in self {
            if let last = chunks.last?.last, belong(last, element) {
                chunks[chunks.count - 1].append(element)
            } else {
                chunks.append([element])
            }
        }
        return chunks
    }
}
