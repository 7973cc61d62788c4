public import Foundation
internal import TravelJSON

/// Writes a trip as GPX 1.1, the GPS Exchange Format (topografix.com/gpx.asp), which apps and receivers read.
///
/// ```swift
/// let file = GPXWriter().data(for: trip)
/// try GPXReader().track(in: file).waypoints.map(\.name)    // the titles of the entries that have a place on the map
/// ```
///
/// - **Waypoints** are the entries with a place on the map, in order: coordinate, time, title (`name`), place and address (`cmt`),
///   and text (`desc`). An element `place` in their extensions has the name and the address of the place apart from each
///   other, so that an import of the file has the same places.
/// - **Tracks**: the recorded track of the trip, with elevations and times, if it was imported from one;
///   otherwise one for each day with at least two places, from place to place.
/// - **Times** are in UTC. GPX has no local time: like `ImportTrack`, the writer assumes UTC+9 around South Korea, and
///   elsewhere the zone that its directory names for the coordinate, or else the nautical one of the longitude.
///
/// GPX cannot represent entries without a coordinate, the traits of a trip, and images: ``TravelJSONWriter`` keeps them.
public struct GPXWriter: Sendable {
    /// The program that writes the files.
    static let creator = "traveline"
    /// The namespace of what no element of GPX holds.
    static let space = "https://traveline.invalid/gpx/1"

    private let clock: LocalClock

    /// Creates a writer, which writes any number of files; `zones` are those of places abroad.
    public init(zones: any TimeZoneDirectory = NoTimeZones()) {
        clock = LocalClock(zones)
    }

    /// Returns a file with `trip`, in UTF-8: the same trip always has the same bytes.
    public func data(for trip: RecordedTrip) -> Data {
        var xml = XMLWriter()
        xml.markup("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        let attributes: XMLWriter.Attributes = [
            "version": "1.1", "creator": Self.creator, "xmlns": "http://www.topografix.com/GPX/1/1",
        ]
        xml.element("gpx", attributes) { xml in
            Self.metadata(of: trip, &xml)
            let days = trip.daysWithPlaces
            for day in days {
                for entry in day.entries { waypoint(entry, on: day, &xml) }
            }
            if let track = trip.track {
                Self.write(track, of: trip, &xml)
            } else {
                for day in days where day.entries.count > 1 { track(day, &xml) }
            }
            xml.line()
        }
        xml.line()
        return Data(xml.output.utf8)
    }

    private static func metadata(of trip: RecordedTrip, _ xml: inout XMLWriter) {
        xml.line()
        xml.element("metadata") { xml in
            xml.element("name", text: trip.content.title.text)
            xml.element("author") { $0.element("name", text: trip.author.nickname.text) }
            if let time = time(trip.createdAt) { xml.element("time", text: time) }
        }
    }

    private func waypoint(_ entry: TimelineEntry, on day: TripDay, _ xml: inout XMLWriter) {
        guard let coordinate = entry.coordinate else { return }
        xml.line()
        xml.element("wpt", Self.attributes(of: coordinate)) { xml in
            // The schema prescribes this order.
            if let time = time(of: entry, on: day, at: coordinate) { xml.element("time", text: time) }
            xml.element("name", text: entry.title.text)
            if let place = entry.place {
                xml.element("cmt", text: place.address.isEmpty ? place.name : "\(place.name), \(place.address)")
            }
            xml.element("desc", text: entry.text.text)
            guard let place = entry.place else { return }
            let attributes: XMLWriter.Attributes = [
                "xmlns": Self.space, "name": place.name, "address": place.address.isEmpty ? nil : place.address,
            ]
            xml.element("extensions") { $0.empty("place", attributes) }
        }
    }

    private static func write(_ track: TrackGeometry, of trip: RecordedTrip, _ xml: inout XMLWriter) {
        xml.line()
        xml.element("trk") { xml in
            xml.element("name", text: trip.content.title.text)
            for segment in track.points {
                xml.line()
                xml.element("trkseg") { xml in
                    for point in segment {
                        xml.line()
                        let attributes = attributes(of: point.coordinate)
                        if point.elevation == nil, point.time == nil {
                            xml.empty("trkpt", attributes)
                            continue
                        }
                        xml.element("trkpt", attributes) { xml in
                            if let elevation = point.elevation { xml.element("ele", text: "\(elevation)") }
                            if let time = point.time { xml.element("time", text: ExactTime.text(for: time)) }
                        }
                    }
                }
            }
        }
    }

    private func track(_ day: TripDay, _ xml: inout XMLWriter) {
        xml.line()
        xml.element("trk") { xml in
            xml.element("name", text: "\(day.number): \(day.date)")
            xml.element("number", text: "\(day.number)")
            xml.element("trkseg") { xml in
                for entry in day.entries {
                    guard let coordinate = entry.coordinate else { continue }
                    xml.line()
                    xml.element("trkpt", Self.attributes(of: coordinate)) { xml in
                        if let time = time(of: entry, on: day, at: coordinate) { xml.element("time", text: time) }
                    }
                }
            }
        }
    }

    private static func attributes(of coordinate: Coordinate) -> XMLWriter.Attributes {
        ["lat": decimal(coordinate.latitude), "lon": decimal(coordinate.longitude)]
    }

    /// The degrees as `xsd:decimal`, which has no exponent: a ten-thousandth of a degree and more in the shortest form,
    /// less than that (11 metres) with twelve decimals, which is exact to a millionth of a metre.
    private static func decimal(_ degrees: Double) -> String {
        let shortest = "\(degrees)"
        if !shortest.contains("e") { return shortest }
        let digits = "\(Int((abs(degrees) * 1e12).rounded()))"
        return (degrees < 0 ? "-0." : "0.") + String(repeating: "0", count: 12 - digits.count) + digits
    }

    private func time(of entry: TimelineEntry, on day: TripDay, at coordinate: Coordinate) -> String? {
        let seconds = clock.instant(day.date, Double(entry.time.minutes) * 60, at: coordinate)
        return Self.time(Date(timeIntervalSince1970: seconds))
    }

    /// The time in whole seconds; `nil` outside of the years 1 to 9999.
    private static func time(_ date: Date) -> String? {
        let seconds = date.timeIntervalSinceReferenceDate.rounded(.down)
        let text = ExactTime.text(for: Date(timeIntervalSinceReferenceDate: seconds))
        return text.hasPrefix("@") ? nil : text
    }
}

extension String {
    /// The text without the white space of XML (space, tab, line breaks) at its ends.
    var trimmed: String {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
        guard let first = utf8.firstIndex(where: { !isSpace($0) }), let last = utf8.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(Substring(utf8[first...last]))
    }
}
