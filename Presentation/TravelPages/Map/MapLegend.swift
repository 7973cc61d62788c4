/// The list of days and stops below a map.
struct MapLegend {
    private enum Row {
        case day(TripDay, index: Int)
        case stop(MapStop)
    }

    private let columns: [[Row]]
    private let columnWidth: Double
    private let language: Language

    private static let rowHeight = 24.0

    init(_ stops: MapStops, in language: Language) {
        self.language = language
        var rows: [Row] = []
        for (index, day) in stops.days.enumerated() {
            rows.append(.day(day, index: index))
            rows += stops.stops(ofDayAt: index).map(Row.stop)
        }
        // Up to six rows form one column; more are divided into two, unless a title is longer than half the width.
        let fits = stops.stops.allSatisfy { MapText.width(of: $0.entry.title.text, size: 14) <= 320 }
        let half = rows.count <= 6 || !fits ? rows.count : (rows.count + 1) / 2
        columnWidth = half < rows.count ? 384 : 768
        columns = [Array(rows.prefix(half)), Array(rows.dropFirst(half))]
    }

    /// The height of the list, including its margins.
    var height: Double { Double(columns[0].count) * Self.rowHeight + 32 }

    @HTML.Builder
    func html(below top: Double) -> HTML {
        for (column, rows) in columns.enumerated() {
            for (index, row) in rows.enumerated() {
                HTML.line
                line(row, x: 20 + Double(column) * columnWidth, y: top + 30 + Double(index) * Self.rowHeight)
            }
        }
    }

    private func line(_ row: Row, x: Double, y: Double) -> HTML {
        func text(_ name: String?, _ offset: Double, anchor: String? = nil, _ text: String) -> HTML {
            HTML(
                "text",
                ["class": name, "x": SVGNumber.text(x + offset), "y": SVGNumber.text(y), "text-anchor": anchor]
            ) { text }
        }
        switch row {
        case .day(let day, let index):
            return HTML("g", ["class": MapStyle.dayClass(index)]) {
                HTML("path", ["class": "line", "d": "M\(SVGNumber.text(x)) \(SVGNumber.text(y - 5)) h28"])
                text("head", 40, "\(language[.day(day.number)]) · \(language[.date(day.date)])")
            }
        case .stop(let stop):
            return HTML("g", ["class": MapStyle.dayClass(stop.dayIndex)]) {
                text("key", 28, anchor: "end", "\(stop.number)")
                text(nil, 40, MapText.shortened(stop.entry.title.text, to: columnWidth - 56, size: 14))
            }
        }
    }
}

/// An entry with a place on the map, as a numbered stop.
struct MapStop {
    /// The number of the entry in the timeline, 1-based: entries without a place are counted as well, so that an entry
    /// has one number everywhere.
    let number: Int
    let entry: TimelineEntry
    /// The position of its day among the days with places, 0-based, which determines the colour.
    let dayIndex: Int
}

/// The stops of a trip in order, and the days they are on.
struct MapStops {
    let days: [TripDay]
    let stops: [MapStop]

    init(of trip: RecordedTrip) {
        days = trip.daysWithPlaces
        let days = days
        stops = trip.timeline.enumerated().compactMap { index, entry in
            guard entry.coordinate != nil, let day = days.firstIndex(where: { $0.number == entry.day }) else {
                return nil
            }
            return MapStop(number: index + 1, entry: entry, dayIndex: day)
        }
    }

    var coordinates: [Coordinate] { stops.compactMap(\.entry.coordinate) }

    func stops(ofDayAt index: Int) -> [MapStop] { stops.filter { $0.dayIndex == index } }
}
