/// The list of days and stops below a map.
struct MapLegend {
    private enum Row {
        case day(TravelDay, index: Int)
        case stop(MapStop)
    }

    private let columns: [[Row]]
    private let language: PageLanguage

    private static let rowHeight = 24.0
    private static let columnWidth = 384.0

    init(_ stops: MapStops, in language: PageLanguage) {
        self.language = language
        var rows: [Row] = []
        for (index, day) in stops.days.enumerated() {
            rows.append(.day(day, index: index))
            rows += stops.stops(ofDayAt: index).map(Row.stop)
        }
        // Up to six rows form one column; more are divided into two.
        let half = rows.count <= 6 ? rows.count : (rows.count + 1) / 2
        columns = [Array(rows.prefix(half)), Array(rows.dropFirst(half))]
    }

    /// The height of the list, including its margins.
    var height: Double { Double(columns[0].count) * Self.rowHeight + 32 }

    func write(to xml: inout XMLWriter, below top: Double) {
        for (column, rows) in columns.enumerated() {
            for (index, row) in rows.enumerated() {
                xml.line()
                write(
                    row, x: 20 + Double(column) * Self.columnWidth, y: top + 30 + Double(index) * Self.rowHeight, &xml)
            }
        }
    }

    private func write(_ row: Row, x: Double, y: Double, _ xml: inout XMLWriter) {
        let (text, index) =
            switch row {
            case .day(let day, let index): ("\(language.day(day.number)) · \(language.date(day.date))", index)
            case .stop(let stop): (stop.entry.title.text, stop.dayIndex)
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
