/// The stops of a day on a map of dots, with their names below.
struct MapPicture {
    private let stops: [MapStop]

    private let track: TrackGeometry?

    /// Shows the stops, and the recorded track near them.
    init(_ stops: [MapStop], along track: TrackGeometry?) {
        (self.stops, self.track) = (stops, track)
    }

    /// Draws the map, and below it the names of as many stops as fit, the selected one among them.
    func render(into grid: inout Grid, in rect: Rect, selected: Int?) {
        var area = rect
        let names = min(stops.count, max(1, rect.rows / 3))
        let list = area.takeBottom(names)
        let places = stops.map { ($0.coordinate.latitude, $0.coordinate.longitude) }
        let map = RouteMap(
            places, numbers: stops.map(\.number), along: track, isWhole: false, columns: area.columns,
            rows: area.rows)
        map.render(into: &grid, in: area, selected: selected)
        let index = stops.firstIndex { $0.number == selected } ?? 0
        let top = max(0, min(index + 1 - names, stops.count - names))
        for (row, stop) in stops[top..<top + names].enumerated() {
            let isSelected = stop.number == selected
            let text = "\(stop.number) \(stop.place.name.onOneLine)".truncated(toWidth: max(0, list.columns))
            grid.draw(text, in: list.line(row), isSelected ? Styles.accent : Styles.dim)
        }
    }
}
