/// An entry with a place on the map, as a numbered stop.
struct MapStop {
    /// The number of the entry in the timeline, 1-based: entries without a place are counted as well, so that an entry
    /// has one number everywhere.
    let number: Int
    let entry: TimelineEntry
    /// The position of its day among the days with places, 0-based, which determines the colour.
    let dayIndex: Int
}

/// The stops of a travel in order, and the days they are on.
struct MapStops {
    let days: [TravelDay]
    let stops: [MapStop]

    init(of travel: RecordedTravel) {
        days = travel.daysWithPlaces
        let days = days
        stops = travel.timeline.enumerated().compactMap { index, entry in
            guard entry.coordinate != nil, let day = days.firstIndex(where: { $0.number == entry.day }) else {
                return nil
            }
            return MapStop(number: index + 1, entry: entry, dayIndex: day)
        }
    }

    /// The coordinates of the stops.
    var coordinates: [Coordinate] { stops.compactMap(\.entry.coordinate) }

    /// The stops of the day at `index`.
    func stops(ofDayAt index: Int) -> [MapStop] { stops.filter { $0.dayIndex == index } }
}

/// Stops that are too close together for markers of their own.
struct MapMarker {
    let point: MapPoint
    private(set) var stops: [MapStop]

    /// How close two markers may be, in units of the drawing.
    static let distance = 24.0

    /// The markers of all stops; each is at the point of its first stop.
    static func markers(for stops: [MapStop], in projection: MapProjection) -> [MapMarker] {
        var markers: [MapMarker] = []
        for stop in stops {
            guard let point = stop.entry.coordinate.map(projection.point) else { continue }
            if let index = markers.firstIndex(where: { $0.point.distance(to: point) < distance }) {
                markers[index].stops.append(stop)
            } else {
                markers.append(MapMarker(point: point, stops: [stop]))
            }
        }
        return markers
    }

    /// The numbers of the stops: `4`, `1–3, 7`, or `1–3, 7 …` where there are more than fit.
    var label: String {
        let runs = stops.map(\.number).chunked { $0 + 1 == $1 }.map { run in
            run.count == 1 ? "\(run[0])" : "\(run[0])–\(run[run.count - 1])"
        }
        let shown = runs.prefix(3).joined(separator: ", ")
        return runs.count > 3 ? "\(shown) …" : shown
    }
}
