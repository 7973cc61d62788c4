package import Foundation
import Testing
package import TravelDataFiles
import TravelDomain
import TravelDomainTesting

/// Generates trips with everything that a file has to hold, and with text that formats often handle incorrectly.
package struct GeneratedTrips {
    private var samples: TripGenerator

    package init(seed: UInt64) {
        samples = TripGenerator(seed: seed)
    }

    package static let hostileTitles = [
        "\"><script>", "</style>", "&amp;", "a & b", "]]>", "<![CDATA[", "<!--", "a\u{202E}drow\u{202C}b",
        "של\u{200F}ום!", "it's",
        "부산 밤바다", "\u{1107}\u{116E}\u{1109}\u{1161}\u{11AB}", "👨‍👩‍👧🏝️", "e\u{301}té", "\u{FFFE}end", "\\u0041\\",
        "{\"a\":1}",
        "a=\"b\"", "%s%n", "null",
    ]

    package static let hostileTexts =
        hostileTitles + [
            "first\nsecond", "carriage\r\nreturn\rthree", "tab\tinside", "line\u{2028}separator\u{2029}end",
            "\u{FEFF}mark", String(repeating: "가", count: 5_000), "</p></body>",
        ]

    package static let moments: [Double] = [
        0, -0.0, 0.25, -0.25, 762_000_000.123_456_7, -123.000_1, 1e-7, -1e-7, 0.1, -0.1, 252_455_615_999.9, 1e20, -1e20,
        -63_113_904_000, -63_113_904_001, .infinity, -.infinity, .leastNonzeroMagnitude, 86_399.999_999_999_99, -86_400,
    ]

    /// A trip with images.
    package mutating func exported() throws -> ExportedTrip {
        let content = try samples.content()
        var images: [TripImage] = []
        var entries: [TimelineEntry] = []
        let days = content.days.count
        for _ in 0..<Int.random(in: 0...6, using: &samples.random) {
            if Bool.random(using: &samples.random) { images.append(try samples.image()) }
            let image = Bool.random(using: &samples.random) ? images.randomElement(using: &samples.random) : nil
            entries.append(try entry(days: days, after: entries.last, image: image?.id))
        }
        var changed = content
        changed.title = try Title(pick(Self.hostileTitles))
        changed.thumbnail = images.randomElement(using: &samples.random)?.id
        let trip = try RecordedTrip(
            id: Trip.ID(using: &samples.random), author: samples.user(),
            createdAt: Date(timeIntervalSinceReferenceDate: moment()),
            updatedAt: Date(timeIntervalSinceReferenceDate: moment()),
            version: try #require(TripVersion(number: number(below: 3) == 0 ? (1 << 53) - 1 : 1 + number(below: 9))),
            content: changed, timeline: entries, track: number(below: 3) == 0 ? samples.track() : nil)
        return try ExportedTrip(trip, images: images)
    }

    private mutating func entry(
        days: Int, after last: TimelineEntry?, image: TripImage.ID?
    ) throws -> TimelineEntry {
        let entry = try samples.entry(days: days)
        // The same coordinate twice in a row, now and then.
        let place = Bool.random(using: &samples.random) ? try place() : last?.place
        return try TimelineEntry(
            id: entry.id, day: entry.day, time: entry.time, title: Title(pick(Self.hostileTitles)),
            text: EntryText(pick(Self.hostileTexts)), place: place, pictures: image.map { [Picture($0)] } ?? [])
    }

    private mutating func place() throws -> Place {
        let odd = [(0.0, 0.0), (-0.0, -180), (90, 180), (-90, 0), (1e-7, -1e-7), (37.566_535, 126.977_969)]
        let (latitude, longitude) = pick(odd)
        let coordinate: Coordinate? =
            Bool.random(using: &samples.random)
            ? try samples.place().coordinate : try Coordinate(latitude: latitude, longitude: longitude)
        return try Place(name: pick(Self.hostileTitles), address: "서울 <종로구> & 1", coordinate: coordinate)
    }

    private mutating func moment() -> Double {
        Bool.random(using: &samples.random) ? pick(Self.moments) : .random(in: -1e10...1e10, using: &samples.random)
    }

    /// A random number below `bound`.
    package mutating func number(below bound: Int) -> Int { .random(in: 0..<bound, using: &samples.random) }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values[number(below: values.count)] }

    /// A damaged copy of `data`: cut, shortened, repeated, or with other bytes.
    package mutating func damaged(_ data: Data) -> Data {
        var bytes = [UInt8](data)
        for _ in 0...number(below: 3) where !bytes.isEmpty {
            let start = number(below: bytes.count)
            let end = min(start + number(below: 40), bytes.count)
            switch number(below: 5) {
            case 0: bytes.removeSubrange(start...)
            case 1: bytes.removeSubrange(start..<end)
            case 2: bytes.insert(contentsOf: bytes[start..<end], at: start)
            case 3: bytes[start] = UInt8(truncatingIfNeeded: number(below: 256))
            default: bytes[start] = pick(Array("{}[]\",:\\0e-\0<>&/u".utf8))
            }
        }
        return Data(bytes)
    }
}
