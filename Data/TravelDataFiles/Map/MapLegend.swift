/// The list of days and stops below a map.
struct MapLegend {
    private enum Row {
        case day(TripDay, index: Int)
        case stop(MapStop)
    }

    private let columns: [[Row]]
    private let columnWidth: Double
    private let language: PageLanguage

    private static let rowHeight = 24.0

    init(_ stops: MapStops, in language: PageLanguage) {
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

    func write(to xml: inout XMLWriter, below top: Double) {
        for (column, rows) in columns.enumerated() {
            for (index, row) in rows.enumerated() {
                xml.line()
                write(
                    row, x: 20 + Double(column) * columnWidth, y: top + 30 + Double(index) * Self.rowHeight, &xml)
            }
        }
    }

    private func write(_ row: Row, x: Double, y: Double, _ xml: inout XMLWriter) {
        let (text, index) =
            switch row {
            case .day(let day, let index): ("\(language.day(day.number)) · \(language.date(day.date))", index)
            case .stop(let stop):
                (MapText.shortened(stop.entry.title.text, to: columnWidth - 56, size: 14), stop.dayIndex)
            }
        xml.element("g", ["class": MapStyle.dayClass(index)]) { xml in
            switch row {
            case .day:
                xml.empty(
                    "path",
                    ["class": "line", "d": "M\(SVGNumber.text(x)) \(SVGNumber.text(y - 5)) h28"])
                xml.element(
                    "text", ["class": "head", "x": SVGNumber.text(x + 40), "y": SVGNumber.text(y)], text: text)
            case .stop(let stop):
                xml.element(
                    "text",
                    ["class": "key", "x": SVGNumber.text(x + 28), "y": SVGNumber.text(y), "text-anchor": "end"],
                    text: "\(stop.number)")
                xml.element("text", ["x": SVGNumber.text(x + 40), "y": SVGNumber.text(y)], text: text)
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
