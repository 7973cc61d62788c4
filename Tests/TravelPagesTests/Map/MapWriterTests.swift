import Foundation
import TestConcurrency
import Testing
import TravelDataFiles
import TravelDomain
import TravelDomainTesting
import TravelFileSamples
import TravelTexts

@testable import TravelPages

@Suite("Map writer", .limitedConcurrency)
struct MapWriterTests {
    private func trip(_ stops: [(day: Int, latitude: Double, longitude: Double)]) throws -> RecordedTrip {
        try TripBuilder(seed: 1).with { builder in
            builder.numberOfDays = max(stops.map(\.day).max() ?? 1, 1)
            builder.timeline = try stops.enumerated().map { index, stop in
                try TimelineEntry(
                    id: TimelineEntry.ID(seed: UInt64(index)), day: stop.day,
                    time: TimeOfDay(minutesSinceMidnight: index), title: Title("Stop \(index + 1)"),
                    text: EntryText("x"),
                    place: Place(
                        name: "place", coordinate: Coordinate(latitude: stop.latitude, longitude: stop.longitude)))
            }
        }.build()
    }

    private func map(_ trip: RecordedTrip) -> CheckedXML {
        CheckedXML(MapWriter().data(for: trip))
    }

    @Test("a map is well-formed and self-contained, whatever the titles are", arguments: 0..<4 as Range<UInt64>)
    func generated(seed: UInt64) throws {
        var generated = GeneratedTrips(seed: seed)
        let trip = try generated.exported().trip
        let language: Language = seed.isMultiple(of: 2) ? .english : .korean
        let file = MapWriter(language: language).data(for: trip)
        let map = CheckedXML(file)
        #expect(map.defects == [])
        #expect(!CheckedXML.containsAddress(file))
        #expect(map.all("title").first?.text == xmlText(language[.mapTitle(trip.content.title)]))
        let texts = map.all("text").map(\.text)
        for entry in trip.timeline where entry.coordinate != nil {
            #expect(texts.contains(xmlText(entry.title.text)))
        }
        let isFinite = map.elements.allSatisfy { element in
            element.attributes.values.allSatisfy { !$0.contains("nan") && !$0.contains("inf") }
        }
        #expect(isFinite)
    }

    @Test("a map numbers the stops in order, and has a line for each day with several places")
    func stops() throws {
        let map = try map(
            trip([(1, 35.1, 129.0), (1, 35.2, 129.1), (2, 35.3, 129.2), (3, 35.1, 129.2), (3, 35, 129.1)]))
        #expect(map.all("text", class: "num").map(\.text).sorted() == ["1", "2", "3", "4", "5"])
        #expect(map.all("path", class: "line").count { $0.attributes["d"]?.contains("L") == true } == 2)
        #expect(map.all("text", class: "head").map(\.text).last == "Day 3 · Fri, 3 May 2024")
    }

    @Test("a map numbers its stops as the timeline does, entries without a place included")
    func numbers() throws {
        let places = try trip([(1, 35.1, 129.0), (1, 35.2, 129.1), (2, 35.3, 129.2)])
        let note = try TimelineEntry(
            id: TimelineEntry.ID(seed: 99), day: 1, time: TimeOfDay(minutesSinceMidnight: 0), title: Title("Note"),
            text: EntryText("x"))
        let map = try map(places.saving(note))
        let first = try #require(try places.saving(note).timeline.firstIndex(of: note)) + 1
        let others = (1...4).filter { $0 != first }.map(String.init)
        #expect(map.all("text", class: "num").map(\.text).sorted() == others)
        #expect(map.all("text", class: "key").map(\.text) == others)
    }

    @Test("stops at the same place share a marker with all their numbers, each day's in a part of its own")
    func samePlace() throws {
        let trip = try trip([(1, 35, 129), (1, 35, 129), (1, 35, 129.5), (2, 35, 129), (2, 35, 129.5)])
        #expect(
            try DrawnNumber.all(in: MapWriter().data(for: trip)).map { "\($0.label) \($0.dayClass)" }
                == ["1–2 d0", "4 d1", "3 d0", "5 d1"])
        let apart = try self.trip([(1, 35, 129), (1, 35, 129.5), (1, 35, 129), (2, 35, 129.5)])
        #expect(
            try DrawnNumber.all(in: MapWriter().data(for: apart)).map { "\($0.label) \($0.dayClass)" }
                == ["1, 3 d0", "2 d0", "4 d1"])
    }

    @Test(
        "a marker of more stops than fit ends with an ellipsis, in the colour of the day only if they are of that day")
    func manyAtOnePlace() throws {
        func labels(_ days: [Int]) throws -> [String] {
            let stops = days.enumerated().map {
                (day: $1, latitude: 35.0, longitude: $0.isMultiple(of: 2) ? 129 : 130.0)
            }
            return try DrawnNumber.all(in: MapWriter().data(for: trip(stops))).map { "\($0.label) \($0.dayClass)" }
        }
        #expect(try labels([1, 1, 1, 1, 1, 1, 1, 1, 1, 1]) == ["1 … d0", "2 … d0"])
        #expect(
            try labels([1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 9, 9])
                == ["1 d0", "3 d1", "5 d2", "7 d3", "… rest", "2 d0", "4 d1", "6 d2", "8 d3", "… rest"])
    }

    @Test("a map of a single place shows its surroundings")
    func single() throws {
        let map = try map(trip([(1, 35, 129)]))
        #expect(map.all("text", class: "num").map(\.text) == ["1"])
        #expect(map.all("text").contains { $0.text == "2 km" })
        #expect(map.all("rect", class: "sea").count == 1 && map.all("path", class: "land").count == 1)
    }

    @Test("a map without places says so")
    func nowhere() throws {
        let map = try map(trip([]))
        #expect(map.defects == [])
        #expect(map.all("text").map(\.text) == ["No entry has a place."])
    }

    @Test(
        "every stop is inside the drawing, and the scale is correct, anywhere on the earth",
        arguments: [
            [(35.1, 129.0), (35.2, 129.1)], [(-17, 179.5), (-18, -179.5)], [(90, 0), (90, 120), (89.9, -120)],
            [(-90, 0), (90, 180)], [(0, -180), (0, 180)], [(0, -120), (0, 0), (0, 120)],
            [(37.5, 127), (37.500_001, 127)],
            [(37.5, 127), (37.5, 127)],
        ])
    func projection(points: [(Double, Double)]) throws {
        let coordinates = try points.map { try Coordinate(latitude: $0, longitude: $1) }
        let projection = try #require(MapProjection(coordinates))
        let drawn = coordinates.map(projection.point)
        #expect(drawn.allSatisfy { (0...projection.width).contains($0.x) && (0...projection.height).contains($0.y) })
        #expect((320...960).contains(projection.height))
        let bar = ScaleBar(projection)
        #expect(bar.length <= 160 && bar.length > 60)
        // On short distances in the middle latitudes, the drawing agrees with the surface of the earth.
        let distance = coordinates[0].distance(to: coordinates[1])
        if (100...50_000).contains(distance), abs(coordinates[0].latitude) < 60 {
            let (x, y) = (drawn[1].x - drawn[0].x, drawn[1].y - drawn[0].y)
            let metres = (x * x + y * y).squareRoot() / projection.scale
            #expect(abs(metres / distance - 1) < 0.01)
        }
    }

    @Test("a map across the 180th meridian is contiguous")
    func antimeridian() throws {
        let west = try Coordinate(latitude: -17, longitude: 179.5)
        let east = try Coordinate(latitude: -17, longitude: -179.5)
        let projection = try #require(MapProjection([west, east]))
        #expect(projection.point(west).x < projection.point(east).x)
        #expect(projection.scale > 688 / 120_000)
    }

    @Test(
        "the scale of a map has round numbers",
        arguments: [(1.0, 1.0, 1.0), (4.9, 2, 5), (5, 5, 5), (9.9, 5, 10), (0.3, 0.2, 0.5), (1_234, 1_000, 2_000)])
    func roundNumbers(limit: Double, atMost: Double, atLeast: Double) {
        #expect(abs(RoundNumber.atMost(limit) - atMost) < 1e-9)
        #expect(abs(RoundNumber.atLeast(limit) - atLeast) < 1e-9)
    }

    @Test("a map shows the recorded track in place of the lines from stop to stop, and all of it")
    func track() throws {
        let path = try (0..<500).map { number in
            try Coordinate(latitude: 37.5 + Double(number) / 100, longitude: 127 + Double(number % 7) / 1_000)
        }
        var trip = try trip([(1, 37.5, 127), (1, 37.6, 127)])
        trip = try RecordedTrip(
            id: trip.id, author: trip.author, createdAt: trip.createdAt, content: trip.content,
            timeline: trip.timeline, track: TrackGeometry([path, [path[0], path[400]]]))
        let map = map(trip)
        #expect(map.defects == [])
        let paths = map.all("path", class: "path").compactMap { $0.attributes["d"] }
        #expect(paths.count == 2 && paths[0].split(separator: "L").count > 400)
        #expect(!map.all("path", class: "line").contains { $0.attributes["d"]?.contains("L") == true })
        #expect(map.all("text", class: "small").contains { $0.text.hasPrefix("Recorded track 1") })
        #expect(self.map(try trip.with(timeline: [])).all("path", class: "path").count == 2)
    }

    @Test("a map repeats its colours after eight days, with dashed lines")
    func manyDays() throws {
        let map = try map(trip((1...20).map { ($0, 35 + Double($0) / 10, 129) }))
        #expect(map.defects == [])
        let classes = Set(map.all("g").compactMap { $0.attributes["class"] })
        #expect(classes.contains("d0") && classes.contains("d0 dashed") && !classes.contains("d8"))
    }

    @Test("numbers on a map and a page have the colour of their day, and a legend lists the days")
    func dayColours() throws {
        let trip = try trip([(1, 35.1, 129.0), (3, 35.2, 129.1), (3, 35.3, 129.2), (9, 35.1, 129.3)])
        let (file, page) = (MapWriter().data(for: trip), PageWriter().data(for: trip) { _ in nil })
        let expected = ["1 d0", "2 d2", "3 d2", "4 d0 dashed"]
        #expect(try DrawnNumber.all(in: file).map { "\($0.label) \($0.dayClass)" } == expected)
        #expect(try DrawnNumber.all(in: page).map { "\($0.label) \($0.dayClass)" } == expected)
        let legend = CheckedXML(page)
        #expect(
            legend.all("div").map { "\($0.text) \($0.attributes["class"] ?? "")" } == [
                "1Day 1 · Wed, 1 May 2024 d0", "2–3Day 3 · Fri, 3 May 2024 d2", "4Day 9 · Thu, 9 May 2024 d0 dashed",
            ])
        #expect(
            CheckedXML(file).all("text", class: "head").map(\.text)
                == ["Day 1 · Wed, 1 May 2024", "Day 3 · Fri, 3 May 2024", "Day 9 · Thu, 9 May 2024"])
        // The numbers of the timeline have the colours of the map.
        #expect(legend.all("section").dropFirst().map { $0.attributes["class"] } == ["d0", "d2", "d0 dashed"])
        #expect(legend.defects == [])
        let nowhere = CheckedXML(PageWriter().data(for: try self.trip([])) { _ in nil })
        #expect(nowhere.all("dl", class: "legend").isEmpty)
    }

    @Test("the colours of days are distinct, and numbers and keys are readable on them, in light, dark and print")
    func contrasts() throws {
        for palette in [MapStyle.light, MapStyle.dark] {
            let days = try palette.days.map { try Colour($0) }
            #expect(days.count == MapStyle.dayCount && days.count >= 8)
            let (number, paper) = (try Colour(palette.number), try Colour(palette.paper))
            for (index, day) in days.enumerated() {
                #expect(day.contrast(to: number) >= 4.5, "the number on day \(index + 1)")
                #expect(day.contrast(to: paper) >= 4.5, "day \(index + 1) in the legend")
                for other in days[..<index] { #expect(day.difference(from: other) >= 25, "day \(index + 1)") }
            }
            #expect(try Colour(palette.soft).contrast(to: number) >= 4.5)
            for ground in [palette.land, palette.sea, palette.paper] {
                #expect(try Colour(palette.ink).contrast(to: Colour(ground)) >= 4.5)
                #expect(try Colour(palette.soft).contrast(to: Colour(ground)) >= 4.5)
            }
        }
        // Paper is white, whatever the reader's setting is, and the grounds of numbers are printed.
        let style = PageStyle.content.text
        #expect(!style.replacing("@media screen and (prefers-color-scheme", with: "").contains("(prefers-color-scheme"))
        #expect(style.contains("print-color-adjust:exact"))
        #expect((0..<MapStyle.dayCount).allSatisfy { style.contains(".d\($0) .stop,.d\($0) .stops{background:") })
    }

    @Test(
        "numbers, names and degrees do not overlap on a page that is 390 pixels wide, even in a wide bold font",
        arguments: 0..<60 as Range<UInt64>)
    func labelsApart(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let names = [
            "감천문화마을", "해운대 해수욕장 앞 광장", "Haeundae Beach", "WWW Museum MMM", "Gamcheon Culture Village", "Ж",
            "1 + 1 = 2 #3", "釜山", "The Long Name of a Place that Nobody Remembers", "illicit fjord trail",
        ]
        let spread = pow(10, Double.random(in: -4...1, using: &random))
        let days = Int.random(in: 1...20, using: &random)
        let trip = try TripBuilder(seed: seed).with { builder in
            builder.numberOfDays = days
            builder.timeline = try (0..<Int.random(in: 1...50, using: &random)).map { index in
                try TimelineEntry(
                    id: TimelineEntry.ID(seed: UInt64(index)), day: Int.random(in: 1...days, using: &random),
                    time: TimeOfDay(minutesSinceMidnight: index), title: Title("Stop \(index + 1)"),
                    text: EntryText("x"),
                    place: Place(
                        name: names.randomElement(using: &random) ?? "",
                        coordinate: Coordinate(
                            latitude: 35 + Double.random(in: 0...spread, using: &random),
                            longitude: 129 + Double.random(in: 0...spread, using: &random))))
            }
        }.build()
        let page = CheckedXML(PageWriter().data(for: trip) { _ in nil })
        let svg = try #require(
            page.all("svg").first?.attributes["viewBox"]?.split(separator: " ").compactMap { Double($0) })
        // A column of 390 pixels has margins of a rem and a border.
        let pixels = (390 - 2 * 16 - 2) / svg[2]
        // The names of the surroundings have no class, and a test of their own.
        let own = page.all("text").filter { $0.attributes["class"] != nil }
        let texts = own.compactMap { DrawnLabel($0, scale: pixels) }
        let marks = page.all("rect", class: "mark").compactMap { DrawnLabel(mark: $0, scale: pixels) }
        #expect(texts.count == own.count && marks.count == page.all("text", class: "num").count)
        #expect(texts.allSatisfy { $0.size >= 9 })
        for number in texts where number.kind == "num" {
            #expect(marks.contains { $0.rect.contains(number.rect) }, "the number \(number.text) is in its marker")
        }
        let boxes = marks + texts.filter { $0.kind != "num" }
        for (index, box) in boxes.enumerated() {
            for other in boxes[..<index] where box.rect.overlaps(other.rect) {
                Issue.record("'\(box.text)' \(box.rect) overlaps '\(other.text)' \(other.rect)")
            }
        }
    }
}

/// A number on a map with the class of its part.
private struct DrawnNumber {
    let label: String
    let dayClass: String

    /// The numbers of a drawing in its order.
    static func all(in file: Data) throws -> [DrawnNumber] {
        let text = String(decoding: file, as: UTF8.self)
        return text.split(separator: "<g class=\"").dropFirst().compactMap { part in
            guard let start = part.range(of: "class=\"num\""), let open = part[start.upperBound...].firstIndex(of: ">")
            else { return nil }
            let label = part[part.index(after: open)...].prefix { $0 != "<" }
            return DrawnNumber(label: String(label), dayClass: String(part.prefix { $0 != "\"" }))
        }
    }
}

/// A text on a page in pixels, as wide as in DejaVu Sans Bold, which is wider than most fonts.
private struct DrawnLabel {
    let kind: String
    let text: String
    let size: Double
    let rect: MapRect

    init?(_ element: CheckedXML.Element, scale: Double) {
        guard let kind = element.attributes["class"], let x = element.attributes["x"].flatMap(Double.init),
            let y = element.attributes["y"].flatMap(Double.init)
        else { return nil }
        (self.kind, text) = (kind, element.text)
        size = (kind == "small" ? 10 : 12) * scale
        let width = Self.width(of: element.text) * size
        let anchor = kind == "num" ? "middle" : element.attributes["text-anchor"] ?? "start"
        let left = x * scale - (anchor == "start" ? 0 : anchor == "middle" ? width / 2 : width)
        rect = MapRect(
            left: left, top: y * scale - 0.8 * size, right: left + width, bottom: y * scale + 0.24 * size)
    }

    init?(mark element: CheckedXML.Element, scale: Double) {
        let values = ["x", "y", "width", "height"].compactMap { element.attributes[$0].flatMap(Double.init) }
        guard values.count == 4 else { return nil }
        (kind, text, size) = ("mark", "a marker", 0)
        rect = MapRect(
            left: values[0] * scale, top: values[1] * scale, right: (values[0] + values[2]) * scale,
            bottom: (values[1] + values[3]) * scale)
    }

    private static func width(of text: String) -> Double {
        text.unicodeScalars.reduce(0) { sum, scalar in
            let thousandths =
                switch scalar.value {
                case 0x20..<0x7F: advances[Int(scalar.value) - 0x20]
                case 0xB0, 0x2013: 500
                case 0x416: 1_224
                default: 1_000
                }
            return sum + Double(thousandths) / 1_000
        }
    }

    /// The advances of U+0020 to U+007E in thousandths of the size.
    private static let advances = [
        348, 456, 521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415, 380, 365, 696, 696, 696, 696, 696, 696,
        696, 696, 696, 696, 400, 400, 838, 838, 838, 580, 1000, 774, 762, 734, 830, 683, 683, 821, 837, 372, 372, 775,
        637, 995, 837, 850, 733, 850, 770, 720, 682, 812, 774, 1103, 771, 724, 725, 457, 365, 457, 838, 500, 500, 675,
        716, 593, 716, 678, 435, 716, 712, 343, 343, 665, 343, 1042, 712, 687, 716, 716, 493, 595, 478, 712, 652, 924,
        645, 652, 582, 712, 365, 712, 838,
    ]
}

/// A colour of a style sheet: `#rrggbb`.
private struct Colour {
    let red: Double, green: Double, blue: Double

    init(_ css: CSS) throws {
        let value = try #require(Int(css.text.dropFirst(), radix: 16))
        func linear(_ shift: Int) -> Double {
            let part = Double(value >> shift & 0xFF) / 255
            return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        (red, green, blue) = (linear(16), linear(8), linear(0))
    }

    /// The relative luminance of WCAG 2.2.
    private var luminance: Double { 0.2126 * red + 0.7152 * green + 0.0722 * blue }

    func contrast(to other: Colour) -> Double {
        let (low, high) = (min(luminance, other.luminance), max(luminance, other.luminance))
        return (high + 0.05) / (low + 0.05)
    }

    /// The distance in CIELAB of 1976, in which 2 can just be seen.
    func difference(from other: Colour) -> Double {
        let (a, b) = (lab, other.lab)
        return (pow(a.0 - b.0, 2) + pow(a.1 - b.1, 2) + pow(a.2 - b.2, 2)).squareRoot()
    }

    private var lab: (Double, Double, Double) {
        func f(_ t: Double) -> Double { t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116 }
        let x = f((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505)
        let y = f(0.2126 * red + 0.7152 * green + 0.0722 * blue)
        let z = f((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089)
        return (116 * y - 16, 500 * (x - y), 200 * (y - z))
    }
}
