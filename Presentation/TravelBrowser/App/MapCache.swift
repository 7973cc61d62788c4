import Synchronization
internal import TravelPages

/// The maps that the pages of an app have drawn last: drawing one takes longer than all else on a page, and most patches
/// change nothing on it.
///
/// It returns what drawing anew would return, so that the view of a page stays a function of its state. A map is found by all
/// that it shows: of a trip that two people see in different ways, each gets their own.
final class MapCache: Equatable, Sendable {
    /// What a map shows.
    enum Subject: Hashable, Sendable {
        /// A trip, or one of its days, 1-based.
        case trip(RecordedTrip, day: Int? = nil)
        case trips(TravelSummary)
    }

    private struct Drawn: Sendable {
        let subject: Subject
        let language: Language
        let map: HTML?
    }

    private let capacity: Int
    private let draw: @Sendable (Subject, Language) -> HTML?
    /// The maps, the one that was used last at the end.
    private let drawn = Mutex<[Drawn]>([])

    /// - Parameters:
    ///   - capacity: The most maps that are kept, each with the trip that it shows: by default, that of a trip and of all
    ///     trips, which are enough for one tab.
    ///   - draw: Draws a map; `nil` for one of no place.
    init(capacity: Int = 2, draw: @escaping @Sendable (Subject, Language) -> HTML? = { $0.drawn(in: $1) }) {
        (self.capacity, self.draw) = (capacity, draw)
    }

    static func == (left: MapCache, right: MapCache) -> Bool { left === right }

    func map(of subject: Subject, in language: Language) -> HTML? {
        let found = drawn.withLock { drawn -> Drawn? in
            guard let index = drawn.firstIndex(where: { $0.language == language && $0.subject == subject }) else {
                return nil
            }
            let found = drawn.remove(at: index)
            drawn.append(found)
            return found
        }
        if let found { return found.map }
        let map = draw(subject, language)
        let removed = drawn.withLock { drawn in
            drawn.append(Drawn(subject: subject, language: language, map: map))
            return drawn.count > capacity ? drawn.removeFirst() : nil
        }
        // Released here, outside of the lock.
        _ = removed
        return map
    }
}

extension MapCache.Subject {
    fileprivate func drawn(in language: Language) -> HTML? {
        switch self {
        case .trip(let trip, let day):
            return MapWriter(language: language).html(for: trip, on: day, isZoomable: true)
        case .trips(let summary):
            let items = summary.trips.compactMap { trip in
                trip.destination.map {
                    TripsMap.Item(
                        title: trip.title.text, address: ScreenAddress(.trip(trip.id)).text, route: trip.route,
                        destination: $0)
                }
            }
            return TripsMap(items, list: ScreenAddress(.myTrips).text, in: language, isZoomable: true).html
        }
    }
}

extension Controls {
    /// The map of a trip; nothing for one of no place.
    ///
    /// - Parameters:
    ///   - day: The day, 1-based, that the map shows; `nil` for the whole trip.
    ///   - style: The class of the map.
    ///   - caption: What stands below the map.
    @HTML.Builder
    func map(
        of state: TimelineFlow.State, on day: Int? = nil, style: String? = nil, caption: HTML = HTML()
    ) -> HTML {
        // The parts are those of one stored trip, which is valid.
        if let card = state.header,
            let trip = try? TripDetails(trip: card.trip, timeline: state.timeline, track: state.track).recorded
        {
            map(of: .trip(trip, day: day), style: style, caption: caption)
        }
    }

    @HTML.Builder
    func map(of subject: MapCache.Subject, style: String? = nil, caption: HTML = HTML()) -> HTML {
        if let map = context.maps.map(of: subject, in: context.language) {
            HTML("section", ["id": "map", "class": style, "aria-label": context[.map]]) {
                HTML("div", ["class": "frame", "data-wheel": context[.wheelHint], "data-touch": context[.touchHint]]) {
                    map
                    // What only the script understands is hidden without it.
                    HTML("div", ["class": "zoom", "role": "group", "aria-label": context[.zoom]]) {
                        zoomButton("in", .zoomIn, symbol: "+", key: "+")
                        zoomButton("out", .zoomOut, symbol: "−", key: "-")
                        zoomButton("reset", .wholeMap, symbol: "⤢", key: "0")
                    }
                    HTML("p", ["class": "hint", "aria-hidden": "true"])
                    if let tiles = context.tiles {
                        HTML("p", ["class": "credit", "hidden": "hidden", "dir": "auto"]) { tiles.credit }
                    }
                }
                if let tiles = context.tiles { control(of: tiles) }
                caption
                HTML("p", ["id": "map-keys", "hidden": "hidden"]) { context[.mapKeys] }
            }
        }
    }

    /// What shows the streets, and says to whom that discloses the place.
    private func control(of tiles: TileServer) -> HTML {
        HTML("p", ["class": "tiles"]) {
            HTML(
                "button",
                [
                    "type": "button", "class": "plain", "aria-pressed": "false", "data-tiles": tiles.address,
                    "aria-describedby": "tiles-note",
                ]
            ) { context[.streets] }
            HTML("span", ["id": "tiles-note", "class": "note"]) { context.language[.disclosure(to: tiles.host)] }
        }
    }

    private func zoomButton(_ goal: String, _ name: Text, symbol: String, key: String) -> HTML {
        HTML("button", ["type": "button", "data-zoom-to": goal, "data-key": key, "aria-label": context[name]]) {
            HTML("span", ["aria-hidden": "true"]) { symbol }
        }
    }
}

extension Text {
    fileprivate static let streets = Text("Streets", "도로 지도")
    fileprivate static func disclosure(to host: String) -> Text {
        Text(
            "Loaded from \(host), which then learns which place you look at",
            "\(host)에서 불러오며, 그 서버가 어느 곳을 보는지 알게 됩니다")
    }
    fileprivate static let zoom = Text("Zoom", "확대와 축소")
    fileprivate static let zoomIn = Text("Zoom in", "확대")
    fileprivate static let zoomOut = Text("Zoom out", "축소")
    fileprivate static let wholeMap = Text("Show the whole map", "지도 전체 보기")
    fileprivate static let wheelHint = Text("Hold Ctrl or ⌘ to zoom with the wheel", "Ctrl이나 ⌘를 누른 채 휠을 굴리면 확대됩니다")
    fileprivate static let touchHint = Text("Use two fingers to move the map", "지도를 움직이려면 두 손가락을 쓰세요")
    fileprivate static let mapKeys = Text(
        "Plus and minus zoom, the arrow keys move the enlarged map, and 0 shows all of it.",
        "더하기와 빼기 키로 확대·축소하고, 확대한 지도는 화살표 키로 움직이며, 0 키로 전체를 봅니다.")
}
