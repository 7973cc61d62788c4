import Foundation
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

    @Test("the pieces of a row are its line, and those of labels have the number of their stop")
    func pieces() {
        let map = RouteMap([(35, 128), (35, 129), (35, 129), (36, 129)], columns: 20, rows: 6)
        #expect(map.rows.map { $0.map(\.text).joined() } == map.lines)
        let labels = map.rows.joined().filter { $0.number != nil }
        #expect(labels.map(\.text) == ["4", "1", "2+"] && labels.map(\.number) == [4, 1, 2])
    }

    @Test("numbers have the colour of their day, which repeats after eight, and are readable on it")
    func dayColors() {
        func luminance(_ color: Color) -> Double {
            guard case .rgb(let red, let green, let blue) = color else { return 0 }
            let parts = [red, green, blue].map { part in
                let value = Double(part) / 255
                return value <= 0.04045 ? value / 12.92 : exp(2.4 * log((value + 0.055) / 1.055))
            }
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
        }
        #expect(Set(Styles.days).count >= 8)
        for day in Styles.days.indices {
            let style = Styles.number(ofDay: day + 1)
            #expect((luminance(style.background) + 0.05) / (luminance(style.foreground) + 0.05) >= 4.5)
            #expect(style != Styles.selection)
        }
        #expect(
            Styles.number(ofDay: 9) == Styles.number(ofDay: 1) && Styles.number(ofDay: 2) != Styles.number(ofDay: 1))
        var grid = Grid(Size(columns: 20, rows: 6))
        RouteMap([(35, 128), (36, 129)], columns: 20, rows: 6)
            .render(into: &grid, in: grid.bounds, ofDay: 3, selected: 2)
        let numbers = grid.cells.filter { $0.cluster.isNumber }
        #expect(numbers.map(\.style) == [Styles.selection, Styles.number(ofDay: 3)])
    }

    @Test(
        "a printed number has sequences for its colour only where the environment has colours",
        arguments: [
            (["TERM": "xterm", "COLORTERM": "truecolor"], "\u{1B}[0;1;38;2;0;0;0;48;2;255;154;92m2\u{1B}[m"),
            (["TERM": "xterm", "NO_COLOR": "1"], "2"), (["TERM": "dumb"], "2"), ([:], "2"),
        ])
    func printed(environment: [String: String], text: String) {
        #expect(DayColors(environment: environment).text("2", ofDay: 2) == text)
        #expect(DayColors.none.text("2", ofDay: 2) == "2")
    }
}
