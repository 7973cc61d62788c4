import Foundation
import Testing
import TestConcurrency
import TravelDataFiles
import TravelDomain
import TravelDomainTesting
import TravelFileSamples

@Suite("GeoJSON reader", .limitedConcurrency)
struct GeoJSONReaderTests {
    private func track(_ text: String) throws -> Track {
        guard case .track(let track) = try GeoJSONReader().contents(of: Data(text.utf8)) else {
            throw CancellationError()
        }
        return track
    }

    @Test("points become waypoints, and lines with times become segments")
    func collection() throws {
        let track = try track(
            """
            {"type": "FeatureCollection", "name": "한강", "features": [
              {"type": "Feature", "properties": {"title": "다리", "desc": "바람", "time": "2024-05-01T09:30:00Z"},
               "geometry": {"type": "Point", "coordinates": [127.0, 37.5, 12.5]}},
              {"type": "Feature", "properties": {"name": "길", "coordTimes": ["2024-05-01T00:00:00Z", null]},
               "geometry": {"type": "LineString", "coordinates": [[127.0, 37.5], [127.1, 37.6]]}},
              {"type": "Feature", "properties": null, "geometry": null},
              {"type": "Feature", "properties": {"name": 7}, "geometry": {"type": "Polygon", "coordinates": []}}
            ]}
            """)
        #expect(track.name == "한강")
        #expect(
            try track.waypoints == [
                Waypoint(
                    coordinate: Coordinate(latitude: 37.5, longitude: 127),
                    time: Date.ISO8601FormatStyle().parse("2024-05-01T09:30:00Z"), elevation: 12.5, name: "다리",
                    description: "바람")
            ])
        #expect(track.segments.map { $0.map(\.coordinate.latitude) } == [[37.5, 37.6]])
        #expect(track.segments[0].map { $0.time != nil } == [true, false])
    }

    @Test("times may be seconds or milliseconds since 1970, as numbers or texts, beside those of ISO 8601")
    func numericTimes() throws {
        let track = try track(
            """
            {"type": "FeatureCollection", "features": [
              {"type": "Feature", "properties": {"timestamp": 1714521600}, "geometry": {"type": "Point", "coordinates": [1, 2]}},
              {"type": "Feature", "properties": {"time": "1714521600000", "timestamp": 3},
               "geometry": {"type": "Point", "coordinates": [1, 2]}},
              {"type": "Feature", "properties": {"time": "soon", "timestamp": 1714521600.5},
               "geometry": {"type": "Point", "coordinates": [1, 2]}},
              {"type": "Feature", "properties": {"time": true}, "geometry": {"type": "Point", "coordinates": [1, 2]}},
              {"type": "Feature", "properties": {"coordTimes": [1714521600000, "2024-05-01T00:00:00Z", null]},
               "geometry": {"type": "LineString", "coordinates": [[1, 2], [1, 3], [1, 4]]}}
            ]}
            """)
        let seconds = track.waypoints.map { $0.time?.timeIntervalSince1970 }
        #expect(seconds == [1_714_521_600, 1_714_521_600, 1_714_521_600.5, nil])
        #expect(track.segments[0].map { $0.time?.timeIntervalSince1970 } == [1_714_521_600, 1_714_521_600, nil])
    }

    @Test("an elevation by which a recorder says that it has none counts as missing")
    func missingElevations() throws {
        let track = try track(
            """
            {"type": "LineString", "coordinates": [[1, 2, -9999], [1, 2, -32768], [1, 2, -430], [1, 2, 8848], [1, 2, 32767]]}
            """)
        #expect(track.segments[0].map(\.elevation) == [nil, nil, -430, 8_848, nil])
    }

    @Test(
        "the root may be a single feature or geometry",
        arguments: [
            (#"{"type":"Point","coordinates":[1,2]}"#, 1, 0),
            (#"{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}"#, 2, 0),
            (#"{"type":"MultiLineString","coordinates":[[[1,2],[3,4]],[]]}"#, 0, 1),
            (#"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{}}"#, 1, 0),
            (
                #"{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]},"#
                    + #"{"type":"LineString","coordinates":[[1,2],[3,4]]}]}"#, 1, 1
            ),
            (#"{"type":"FeatureCollection","features":[]}"#, 0, 0),
        ])
    func roots(text: String, waypoints: Int, segments: Int) throws {
        let track = try track(text)
        #expect(track.waypoints.count == waypoints)
        #expect(track.segments.count == segments)
    }

    @Test("a track has the name of its line, and times of coordinateProperties")
    func lineName() throws {
        let track = try track(
            #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]},"properties":{"name":"길","#
                + #""coordinateProperties":{"times":["2024-05-01T00:00:00Z","2024-05-01T00:01:00Z"]}}}"#)
        #expect(track.name == "길")
        #expect(track.segments[0].allSatisfy { $0.time != nil })
    }

    @Test(
        "an invalid part makes the reader throw with its path",
        arguments: [
            (#"{"type":"Topology"}"#, "This JSON file is not GeoJSON. Choose another file."),
            (#"[1]"#, "This JSON file is not GeoJSON. Choose another file."),
            (
                #"{"type":"FeatureCollection"}"#, "The value \"features\" is missing. Add it or export the file again."
            ),
            (
                #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[1]}}]}"#,
                "features[0].geometry.coordinates[1]: "
            ),
            (
                #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"LineString","#
                    + #""coordinates":[[1,2],[127,1000]]}}]}"#,
                "features[0].geometry.coordinates[1]: The coordinate is out of range: "
            ),
            (
                #"{"type":"FeatureCollection","features":[{"type":"Tree"}]}"#,
                "features[0].type: The value is not \"Feature\". Correct it."
            ),
            (
                #"{"type":"Feature","geometry":{"type":"Circle","coordinates":[1,2]}}"#,
                "geometry.type: The value is not one of Point, "
            ),
        ])
    func refused(text: String, beginning: String) {
        let error = #expect(throws: TravelFileError.self) { try GeoJSONReader().contents(of: Data(text.utf8)) }
        #expect(error?.description.hasPrefix(beginning) == true, "\(error?.description ?? "no error")")
    }

    @Test("a position that cannot be read is left out with its time, and counted")
    func unreadablePositions() throws {
        let track = try track(
            """
            {"type": "FeatureCollection", "features": [
              {"type": "Feature", "properties": {"coordTimes": [1, 2, 3, 4, 5]}, "geometry": {"type": "LineString",
               "coordinates": [[1, 2], [1, 91], [1, null], [1, 4], [1, 5, "high"]]}},
              {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": ["east", 2]}},
              {"type": "Feature", "properties": {}, "geometry": {"type": "MultiPoint", "coordinates": [[1, 6], [1, 7], [1, 8]]}}
            ]}
            """)
        #expect(track.segments.map { $0.map { $0.time?.timeIntervalSince1970 } } == [[1, 4]])
        #expect(track.waypoints.map(\.coordinate.latitude) == [6, 7, 8])
        #expect(track.omittedPoints == 4)
    }

    @Test("damaged GeoJSON is read or throws, but never crashes", arguments: 0..<12 as Range<UInt64>)
    func damage(seed: UInt64) throws {
        var generated = GeneratedTrips(seed: seed)
        let file = try GeoJSONWriter().data(for: generated.exported().trip)
        // Without its header it is read as a track.
        let foreign = Data(String(decoding: file, as: UTF8.self).replacingOccurrences(of: "traveline", with: "x").utf8)
        for index in 0..<25 {
            let damaged = generated.damaged(index.isMultiple(of: 2) ? file : foreign)
            do {
                _ = try GeoJSONReader().contents(of: damaged)
            } catch {
                #expect(error.description.allSatisfy { !$0.isNewline })
            }
        }
    }

    @Test("geometries that are nested too deeply throw")
    func depth() {
        let text =
            String(repeating: #"{"type":"GeometryCollection","geometries":["#, count: 20)
            + String(repeating: "]}", count: 20)
        let error = #expect(throws: TravelFileError.self) { try GeoJSONReader().contents(of: Data(text.utf8)) }
        #expect(error?.problem == .tooDeep(maximumDepth: 32))
    }
}

@Suite("GeoJSON trips", .limitedConcurrency)
struct GeoJSONTripTests {
    @Test("a trip without images is equal after writing and reading GeoJSON", arguments: 0..<40 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var generated = GeneratedTrips(seed: seed)
        let trip = try generated.exported().trip.showing([])
        let file = try GeoJSONWriter().data(for: trip)
        #expect(try GeoJSONReader().contents(of: file) == .trip(trip))
    }

    @Test(
        "GeoJSON has a point for each place, no geometry without one, and a line for each day with several places"
    )
    func features() throws {
        let sea = try Place(name: "바다", address: "부산", coordinate: Coordinate(latitude: 35.1, longitude: 129.2))
        let hill = try Place(name: "산", coordinate: Coordinate(latitude: 35.2, longitude: 129.1))
        let trip = try trip([(1, sea), (1, nil), (1, hill), (2, sea)])
        let file = try GeoJSONWriter().data(for: trip)
        let root = try #require(try JSONSerialization.jsonObject(with: file) as? [String: Any])
        #expect(root["type"] as? String == "FeatureCollection")
        let features = try #require(root["features"] as? [[String: Any]])
        #expect(features.allSatisfy { $0["type"] as? String == "Feature" && $0.keys.contains("geometry") })
        let types = features.map { ($0["geometry"] as? [String: Any])?["type"] as? String }
        #expect(types == ["Point", nil, "Point", "Point", "LineString"])
        let point = (features[0]["geometry"] as? [String: Any])?["coordinates"] as? [Double]
        #expect(point == [129.2, 35.1])
        let line = (features[4]["geometry"] as? [String: Any])?["coordinates"] as? [[Double]]
        #expect(line == [[129.2, 35.1], [129.1, 35.2]])
        let properties = try #require(features[0]["properties"] as? [String: Any])
        #expect(properties["name"] as? String == "Stop 1")
        #expect(properties["date"] as? String == "2024-05-01")
        #expect(properties["clock"] as? String == "09:01")
        #expect(properties["place"] as? String == "바다")
        #expect(properties["address"] as? String == "부산")
    }

    @Test("the line of a day is cut at the 180th meridian")
    func antimeridian() throws {
        let places = try [(-17.0, 179.0), (-18.0, -179.0), (-19.0, 179.0)].map { latitude, longitude in
            try Place(name: "섬", coordinate: Coordinate(latitude: latitude, longitude: longitude))
        }
        let file = try GeoJSONWriter().data(for: trip(places.map { (1, $0) }))
        let root = try #require(try JSONSerialization.jsonObject(with: file) as? [String: Any])
        let geometry = (root["features"] as? [[String: Any]])?.last?["geometry"] as? [String: Any]
        #expect(geometry?["type"] as? String == "MultiLineString")
        let expected: [[[Double]]] = [
            [[179, -17], [180, -17.5]], [[-180, -17.5], [-179, -18], [-180, -18.5]], [[180, -18.5], [179, -19]],
        ]
        #expect(geometry?["coordinates"] as? [[[Double]]] == expected)
    }

    @Test(
        "an edit of a GeoJSON file is read, or throws with the path of the invalid value",
        arguments: [
            ("129.2", "129.9", nil), ("\"kind\" : \"entry\"", "\"kind\" : \"tree\"", "features[0].properties.kind"),
            ("\"Point\"", "\"Dot\"", "features[0].geometry.type"),
            ("35.1", "135.1", "features[0].geometry.coordinates"),
            ("\"clock\" : \"09:01\"", "\"clock\" : \"25:00\"", "features[0].properties.clock"),
            ("\"version\" : 1", "\"version\" : 9", "traveline.version"),
            ("\"title\"", "\"titel\"", "traveline.trip"),
        ])
    func edited(text: String, replacement: String, path: String?) throws {
        let sea = try Place(name: "바다", coordinate: Coordinate(latitude: 35.1, longitude: 129.2))
        let file = String(decoding: try GeoJSONWriter().data(for: trip([(1, sea)])), as: UTF8.self)
        let changed = Data(file.replacingOccurrences(of: text, with: replacement).utf8)
        if let path {
            let error = #expect(throws: TravelFileError.self) { try GeoJSONReader().contents(of: changed) }
            #expect(error?.place == .path(path))
        } else {
            let moved = try Place(name: "바다", coordinate: Coordinate(latitude: 35.1, longitude: 129.9))
            #expect(try GeoJSONReader().contents(of: changed) == .trip(trip([(1, moved)])))
        }
    }

    @Test("a recorded track is a feature of lines, and is read exactly")
    func track() throws {
        let path = try [(37.566_535, 126.977_969), (37.6, 127.1), (-90, 180)].map {
            try Coordinate(latitude: $0, longitude: $1)
        }
        let climb = path.enumerated().map { TrackPoint(coordinate: $1, elevation: Double($0) * 10.1) }
        let trip = try TripBuilder(seed: 1).with {
            $0.track = try TrackGeometry(points: [climb, path.reversed().map { TrackPoint(coordinate: $0) }])
        }.build()
        let file = try GeoJSONWriter().data(for: trip)
        #expect(String(decoding: file, as: UTF8.self).contains("MultiLineString"))
        #expect(String(decoding: file, as: UTF8.self).contains("20.2"))
        #expect(try GeoJSONReader().contents(of: file) == .trip(trip))
    }

    private func trip(_ stops: [(day: Int, place: Place?)]) throws -> RecordedTrip {
        try TripBuilder(seed: 1).with { builder in
            builder.numberOfDays = 2
            builder.timeline = try stops.enumerated().map { index, stop in
                try TimelineEntry(
                    id: TimelineEntry.ID(seed: UInt64(index)), day: stop.day,
                    time: TimeOfDay(hour: 9, minute: index + 1), title: Title("Stop \(index + 1)"),
                    text: EntryText("text"), place: stop.place)
            }
        }.build()
    }
}
