import Testing
import TravelDomain

@testable import TravelTerminal

@Suite("Maps")
struct RouteMapTests {
    @Test("dots are the bits of braille characters")
    func braille() {
        var canvas = BrailleCanvas(columns: 2, rows: 1)
        canvas.set(0, 0)
        canvas.set(1, 3)
        canvas.set(9, 9)
        canvas.set(-1, 0)
        #expect(canvas.character(column: 0, row: 0) == "\u{2881}")
        #expect(canvas.character(column: 1, row: 0) == " ")
        canvas.line(from: (0, 0), to: (3, 0))
        #expect(canvas.character(column: 1, row: 0) == "\u{2809}")
    }

    @Test("north is up, east is right, and the stops are numbered in order")
    func directions() {
        let map = RouteMap([(35.0, 128.0), (36.0, 129.0)], columns: 20, rows: 6)
        #expect(map.stops.map(\.number) == [1, 2])
        #expect(map.stops[0].column < map.stops[1].column)
        #expect(map.stops[0].row > map.stops[1].row)
    }

    @Test("places have the numbers that are given for them")
    func numbers() {
        let map = RouteMap([(35.0, 128.0), (.nan, 0), (36.0, 129.0)], numbers: [2, 3, 7], columns: 20, rows: 6)
        #expect(map.stops.map(\.number) == [2, 7])
        #expect(map.lines.joined().filter(\.isNumber) == "72")
    }

    @Test("distances have the same scale in both directions")
    func scale() {
        // 1° of longitude at 60° north is as long as 0.5° of latitude.
        let map = RouteMap([(60.0, 10.0), (60.0, 12.0), (59.0, 12.0)], columns: 60, rows: 30)
        let (a, b, c) = (map.stops[0], map.stops[1], map.stops[2])
        let (across, down) = (b.column - a.column, 2 * (c.row - b.row))
        #expect(abs(across - down) <= 3, "\(across) columns, \(down / 2) rows")
        #expect(across > 40)
    }

    @Test(
        "places that cannot be projected are left out, and the numbers stay",
        arguments: [0, 1, 2, 5], [(1, 1), (3, 2), (30, 8)])
    func oddPlaces(count: Int, size: (Int, Int)) {
        let places = [(91.0, 500.0), (.nan, 0), (-90, -179.9), (0, 179.9), (0, .infinity)].prefix(count)
        let map = RouteMap(Array(places), columns: size.0, rows: size.1)
        #expect(map.lines.count == size.1 && map.lines.allSatisfy { $0.count == size.0 })
        for stop in map.stops { #expect(stop.column < size.0 && stop.row < size.1 && stop.number != 2) }
    }

    @Test("the route over the antimeridian is short")
    func antimeridian() {
        let map = RouteMap([(0, 179.5), (0.2, -179.5)], columns: 20, rows: 5)
        #expect(map.stops[1].column > map.stops[0].column)
    }

    @Test("a recorded track replaces the lines from stop to stop, and is shown whole or near the stops")
    func track() throws {
        let corner = try [(35.0, 128.0), (35.0, 129.0), (36.0, 129.0), (50.0, 129.0)].map {
            try Coordinate(latitude: $0, longitude: $1)
        }
        let track = try TrackGeometry([corner])
        let stops = [(35.0, 128.0), (36.0, 129.0)]
        let near = RouteMap(stops, along: track, isWhole: false, columns: 40, rows: 20)
        let straight = RouteMap(stops, columns: 40, rows: 20)
        #expect(near.stops == straight.stops)
        #expect(near.lines != straight.lines)
        // The way leads around the corner in the south-east.
        #expect(near.canvas.character(column: near.stops[1].column, row: near.stops[0].row) != " ")
        let whole = RouteMap(stops, along: track, columns: 40, rows: 20)
        #expect(whole.stops.allSatisfy { $0.row > 15 })
        #expect(RouteMap([], along: track, columns: 40, rows: 20).lines.joined().contains { $0 != " " })
    }

    @Test("stops at one cell share it")
    func shared() {
        let map = RouteMap([(35, 129), (35, 129), (36, 129)], columns: 10, rows: 4)
        #expect(map.stops.map(\.label) == ["1+", "3"])
        #expect(RouteMap([], columns: 4, rows: 2).lines == ["    ", "    "])
    }
}
