/// The list of days and stops below a map.
struct MapLegend {
    private enum Row {
        case day(TripDay)
        case stop(MapStop)
    }

    private let stops: MapStops
    private let columns: [[Row]]
    private let columnWidth: Double
    private let language: Language

    private static let rowHeight = 24.0

    init(_ stops: MapStops, in language: Language) {
        (self.stops, self.language) = (stops, language)
        var rows: [Row] = []
        for day in stops.days {
            rows.append(.day(day))
            rows += stops.stops(of: day).map(Row.stop)
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

    /// The numbers of stops with their days, as a list for a page.
    @HTML.Builder
    var list: HTML {
        if !stops.days.isEmpty {
            HTML.line
            HTML("dl", ["class": "legend"]) {
                for day in stops.days {
                    HTML("div", ["class": MapStyle.dayClass(day.number)]) {
                        HTML("dt", ["class": "stops"]) { numbers(of: day) }
                        HTML("dd") { name(of: day) }
                    }
                }
            }
        }
    }

    /// `4`, or `4–7`.
    private func numbers(of day: TripDay) -> String {
        let numbers = stops.stops(of: day).map(\.number)
        guard let first = numbers.first, let last = numbers.last else { return "" }
        return first == last ? "\(first)" : "\(first)–\(last)"
    }

    private func name(of day: TripDay) -> String { "\(language[.day(day.number)]) · \(language[.date(day.date)])" }

    private func line(_ row: Row, x: Double, y: Double) -> HTML {
        func text(_ name: String?, _ offset: Double, anchor: String? = nil, _ text: String) -> HTML {
            HTML(
                "text",
                ["class": name, "x": SVGNumber.text(x + offset), "y": SVGNumber.text(y), "text-anchor": anchor]
            ) { text }
        }
        switch row {
        case .day(let day):
            return HTML("g", ["class": MapStyle.dayClass(day.number)]) {
                HTML("path", ["class": "line", "d": "M\(SVGNumber.text(x)) \(SVGNumber.text(y - 5)) h28"])
                text("head", 40, name(of: day))
            }
        case .stop(let stop):
            return HTML("g", ["class": MapStyle.dayClass(stop.day)]) {
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

    var day: Int { entry.day }
}

/// The stops of a trip in order, and the days they are on.
struct MapStops {
    let days: [TripDay]
    let stops: [MapStop]

    /// - Parameter day: The day, 1-based, whose stops are wanted; `nil` for all.
    init(of trip: RecordedTrip, on day: Int? = nil) {
        days = trip.daysWithPlaces.filter { day == nil || $0.number == day }
        stops = trip.timeline.enumerated().compactMap { index, entry in
            guard day == nil || entry.day == day else { return nil }
            return entry.coordinate.map { _ in MapStop(number: index + 1, entry: entry) }
        }
    }

    var coordinates: [Coordinate] { stops.compactMap(\.entry.coordinate) }

    func stops(of day: TripDay) -> [MapStop] { stops.filter { $0.day == day.number } }
}
