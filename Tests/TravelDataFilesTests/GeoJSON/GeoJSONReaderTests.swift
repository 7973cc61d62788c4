import Foundation
import TestTurns
import Testing
import TravelDataFiles
import TravelDomain

@Suite("GeoJSON reader", .takesTurns)
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

    @Test("damaged GeoJSON is read or throws, but never crashes", arguments: 0..<12 as Range<UInt64>)
    func damage(seed: UInt64) throws {
        var generated = GeneratedTravels(seed: seed)
        let file = try GeoJSONWriter().data(for: generated.exported().travel)
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
