import Foundation
import TestConcurrency
import Testing
import TravelDomain

@testable import TravelDataFiles

@Suite("KML reader", .limitedConcurrency)
struct KMLReaderTests {
    private func track(_ content: String) throws -> Track {
        try KMLReader().track(
            in: Data("<kml xmlns='http://www.opengis.net/kml/2.2' xmlns:gx='urn:gx'>\(content)</kml>".utf8))
    }

    private func seconds(_ points: [TrackPoint]) -> [Double?] {
        points.map { $0.time.map { $0.timeIntervalSince1970 - 1_714_521_600 } }
    }

    @Test("a recorded track has its times and altitudes, and a MultiTrack a segment for each of its tracks")
    func tracks() throws {
        let track = try track(
            """
            <Document><name>Rides</name><Folder><Placemark><name>한강</name>
            <gx:MultiTrack><gx:interpolate>0</gx:interpolate>
            <gx:Track><altitudeMode>absolute</altitudeMode>
            <when>2024-05-01T00:00:00Z</when><when>2024-05-01T00:00:07.25Z</when><when></when><when>2024-05-01T00:01:00Z</when>
            <gx:coord>127.0 37.5 12.5</gx:coord><gx:coord>127.1 37.6 13</gx:coord><gx:coord>127.2 37.7 14</gx:coord><gx:coord/>
            <gx:angles>1 2 3</gx:angles><ExtendedData><SchemaData/></ExtendedData></gx:Track>
            <gx:Track><when>2024-05-01T01:00:00+01:00</when><gx:coord>1 2</gx:coord></gx:Track>
            </gx:MultiTrack></Placemark></Folder></Document>
            """)
        #expect(track.name == "한강" && track.waypoints.isEmpty && track.omittedPoints == 0)
        #expect(track.segments.map(seconds) == [[0, 7.25, nil], [0]])
        #expect(track.segments.map { $0.map(\.elevation) } == [[12.5, 13, 14], [nil]])
        #expect(track.segments[0].map(\.coordinate.longitude) == [127, 127.1, 127.2])
    }

    @Test("points become waypoints with their names, times and notes without markup")
    func points() throws {
        let track = try track(
            """
            <Folder><name>Places</name><Placemark><name>다리</name>
            <description><![CDATA[<b>바람</b>이&nbsp;분다.<br/>A &amp; B<p>1 &lt; 2</p>]]></description>
            <TimeStamp><when>2024-05-01T00:00:00Z</when></TimeStamp><Point><coordinates> 127.0,37.5,0 </coordinates></Point>
            </Placemark><Placemark><TimeStamp><when>2024</when></TimeStamp>
            <MultiGeometry><Point><coordinates>1,2,3</coordinates></Point><Polygon><outerBoundaryIs><LinearRing>
            <coordinates>1,2 2,3 4,5 1,2</coordinates></LinearRing></outerBoundaryIs></Polygon></MultiGeometry></Placemark></Folder>
            """)
        #expect(track.name == "Places" && track.segments.isEmpty)
        #expect(
            try track.waypoints == [
                Waypoint(
                    coordinate: Coordinate(latitude: 37.5, longitude: 127),
                    time: Date(timeIntervalSince1970: 1_714_521_600),
                    name: "다리", description: "바람이 분다.\nA & B\n1 < 2"),
                Waypoint(coordinate: Coordinate(latitude: 2, longitude: 1), elevation: 3),
            ])
    }

    @Test("a line has the times of its placemark at its ends, and its altitudes unless all are 0")
    func lines() throws {
        let track = try track(
            """
            <Placemark><TimeSpan><begin>2024-05-01T00:00:00Z</begin><end>2024-05-01T00:10:00Z</end></TimeSpan>
            <LineString><coordinates>127,37,0 127.1,37.1,0
             127.2 , 37.2 , 0</coordinates></LineString></Placemark>
            <Placemark><TimeStamp><when>2024-05-01T00:00:05Z</when></TimeStamp>
            <LineString><coordinates>1,2,0 1,3,8</coordinates></LineString></Placemark>
            """)
        #expect(track.segments.map(seconds) == [[0, nil, 600], [5, nil]])
        #expect(track.segments.map { $0.map(\.elevation) } == [[nil, nil, nil], [0, 8]])
    }

    @Test("a line has the times of a folder of points at the same positions, which are no waypoints")
    func timedPoints() throws {
        func point(_ latitude: Int, _ second: Int) -> String {
            "<Placemark><name>p-\(latitude)</name><TimeStamp><when>2024-05-01T00:00:0\(second)Z</when></TimeStamp>"
                + "<Point><coordinates>1,\(latitude)</coordinates></Point></Placemark>"
        }
        let points = point(2, 0) + point(3, 4) + point(3, 5) + point(4, 9)
        let line =
            "<Placemark><name>Path</name><LineString><coordinates>1,2 1,3 1,3 1,4</coordinates></LineString></Placemark>"
        let track = try track("<Folder><Folder>\(points)</Folder>\(line)</Folder><Folder>\(point(7, 7))</Folder>")
        #expect(track.segments.map(seconds) == [[0, 4, 5, 9]])
        #expect(track.waypoints.map(\.name) == ["p-7"])
        // Other positions are places of their own.
        #expect(try self.track("<Folder>\(points)\(point(5, 9))\(line)</Folder>").waypoints.count == 5)
    }

    @Test("a position that cannot be read is left out and counted, and a file of nothing else is refused")
    func unreadable() throws {
        let line =
            "<Placemark><LineString><coordinates>1,2 1,91 x,y 4 1,3 1,4 1,5,high</coordinates></LineString></Placemark>"
        let track = try track(line)
        #expect(track.segments.map { $0.map(\.coordinate.latitude) } == [[2, 3, 4, 5]] && track.omittedPoints == 3)
        let error = #expect(throws: TravelFileError.self) {
            try self.track("<Placemark><Point><coordinates>200,2</coordinates></Point></Placemark>")
        }
        #expect(
            error?.description
                == "Line 1: The position \"200,2\" is not a longitude and a latitude in degrees, such as 127.0,37.5. Correct it."
        )
    }

    @Test("a line of any length is read as a whole")
    func longLine() throws {
        let positions = (0..<100_000).map { "127.\(100_000 + $0),37.5" }.joined(separator: " ")
        let track = try track("<Placemark><LineString><coordinates>\(positions)</coordinates></LineString></Placemark>")
        #expect(track.segments.map(\.count) == [100_000] && track.omittedPoints == 0)
    }

    @Test(
        "another file is refused with its kind",
        arguments: [
            ("<gpx version='1.1'/>", "This is not a KML file but a GPX file. Export the track as KML or GPX."),
            ("<html/>", "This is not a KML file but a web page. Export the track as KML or GPX."),
            ("{}", "This is not a KML file but something other than XML. Export the track as KML or GPX."),
            ("", "The file is empty. Record or export it again."),
        ])
    func others(text: String, description: String) {
        let error = #expect(throws: TravelFileError.self) { try KMLReader().track(in: Data(text.utf8)) }
        #expect(error?.description == description)
    }
}

@Suite("TCX reader", .limitedConcurrency)
struct TCXReaderTests {
    private func track(_ content: String) throws -> Track {
        try TCXReader().track(
            in: Data("<TrainingCenterDatabase xmlns='urn:tcx'>\(content)</TrainingCenterDatabase>".utf8))
    }

    private func point(_ second: Int, _ latitude: String, _ more: String = "") -> String {
        let time =
            "<Time>2024-05-01T00:\(second / 60 < 10 ? "0" : "")\(second / 60):\(second % 60 < 10 ? "0" : "")\(second % 60)Z</Time>"
        return "<Trackpoint>\(time)<Position><LatitudeDegrees>\(latitude)</LatitudeDegrees>"
            + "<LongitudeDegrees>127</LongitudeDegrees></Position>\(more)</Trackpoint>"
    }

    private func lap(_ tracks: String...) -> String {
        "<Lap StartTime='2024-05-01T00:00:00Z'><DistanceMeters>9</DistanceMeters>"
            + tracks.map { "<Track>\($0)</Track>" }.joined() + "</Lap>"
    }

    private func seconds(_ track: Track) -> [[Double?]] {
        track.segments.map { $0.map { $0.time.map { $0.timeIntervalSince1970 - 1_714_521_600 } } }
    }

    @Test("laps continue each other, and a pause begins a segment")
    func laps() throws {
        let height = "<AltitudeMeters>12.5</AltitudeMeters><HeartRateBpm><Value>90</Value></HeartRateBpm>"
        let track = try track(
            "<Activities><Activity Sport='Biking'><Id>2024-05-01T00:00:00Z</Id>"
                + lap(point(0, "37.1", height) + point(1, "37.2")) + lap(point(2, "37.3"), point(300, "37.4"))
                + lap(point(600, "37.5")) + "<Training><Plan><Name>x</Name></Plan></Training></Activity>"
                + "<Activity>" + lap(point(601, "37.6")) + "</Activity></Activities>")
        #expect(seconds(track) == [[0, 1, 2], [300], [600], [601]])
        #expect(track.segments[0].map(\.elevation) == [12.5, nil, nil])
        #expect(track.name == nil && track.omittedPoints == 0)
    }

    @Test("a course has a name and its points")
    func course() throws {
        let track = try track(
            "<Folders/><Courses><Course><Name>산길</Name><Track>\(point(0, "1"))\(point(5, "2"))</Track><CoursePoint>"
                + "<Name>물</Name><Time>2024-05-01T00:00:05Z</Time><Position><LatitudeDegrees>2</LatitudeDegrees>"
                + "<LongitudeDegrees>127</LongitudeDegrees></Position><Notes>차다</Notes></CoursePoint></Course></Courses>"
        )
        #expect(track.name == "산길" && seconds(track) == [[0, 5]])
        #expect(track.waypoints.map(\.name) == ["물"] && track.waypoints.map(\.description) == ["차다"])
    }

    @Test("a point without a position is none, and one that cannot be read is left out and counted")
    func unreadable() throws {
        let points =
            point(0, "1") + "<Trackpoint><Time>2024-05-01T00:00:01Z</Time></Trackpoint>" + point(2, "91")
            + point(3, "3")
            + "<Trackpoint><Time>noon</Time><Position><LatitudeDegrees>2</LatitudeDegrees>"
            + "<LongitudeDegrees>1</LongitudeDegrees></Position></Trackpoint>" + point(5, "5")
            + point(6, "6", "<AltitudeMeters>-9999</AltitudeMeters>")
        let track = try track("<Activities><Activity>\(lap(points))</Activity></Activities>")
        #expect(seconds(track) == [[0, 3, 5, 6]] && track.omittedPoints == 2)
        #expect(track.segments[0][3].elevation == nil)
        let error = #expect(throws: TravelFileError.self) {
            try self.track("<Activities><Activity>\(lap(point(0, "north")))</Activity></Activities>")
        }
        #expect(
            error?.description
                == "Line 1: The latitude \"north\" is not a number of degrees from -90 to 90. Correct it.")
    }

    @Test("another file is refused with its kind")
    func others() {
        let error = #expect(throws: TravelFileError.self) { try TCXReader().track(in: Data("<kml/>".utf8)) }
        #expect(error?.description == "This is not a TCX file but a KML file. Export the track as TCX or GPX.")
    }
}
