import Foundation
import TravelDomain
import TravelTerminal

/// `traveline map`: draws the places of a trip with characters.
struct MapCommand: CommandLineCommand {
    static let help = CommandHelp(
        name: "map", summary: Text("draws the places of a trip in the terminal", "여행의 장소를 터미널에 지도로 그리기"),
        usage: ["map ID [--day N]"],
        notes: [
            Text(
                "Entries have the same numbers as in 'traveline show'. For an image: traveline export ID --format svg",
                "기록의 번호는 'traveline show'와 같습니다. 그림 파일: traveline export ID --format svg")
        ],
        words: .trips,
        options: [.dayOfTrip],
        examples: [
            ("map 6f1c2c1e", Text("all places of the trip, in order", "여행의 모든 장소를 순서대로")),
            ("map 6f1c2c1e --day 2", Text("the places of its second day", "둘째 날의 장소")),
        ])

    let id: Identification
    let day: Int?
    let store: StoreOptions

    init(_ arguments: Arguments) throws {
        id = try Self.one(arguments.words)
        day = try arguments.positiveNumber("--day")
        store = try StoreOptions(arguments)
    }

    func run() async throws {
        let text = try await App.run(store) { app in
            let details = try await app.allDetails(of: app.trip(id))
            let entries = try app.entries(of: details.timeline, on: day, in: details.trip.days)
            let page = Page.standard
            let stops = entries.compactMap { entry in
                entry.coordinate.map { (coordinate: $0, number: entry.number(in: details.timeline), entry: entry) }
            }
            if stops.isEmpty, details.track == nil || day != nil {
                return app.language.say("No entry has a place on the map.\n", "지도에 표시할 장소가 있는 기록이 없습니다.\n")
            }
            // For people only: a file, and a program that reads, get no sequences.
            let colors = Standard.isTerminal ? DayColors(environment: ProcessInfo.processInfo.environment) : .none
            let days = Dictionary(stops.map { ($0.number, $0.entry.day) }, uniquingKeysWith: { first, _ in first })
            let lines = Self.drawing(
                stops.map(\.coordinate), numbers: stops.map(\.number), along: details.track, isWhole: day == nil,
                on: page
            ) { number, label in colors.text(label, ofDay: days[number] ?? 1) }
            let legend = Self.days(of: stops.map(\.entry)).flatMap { day in
                let date = details.trip.days.first.adding(days: day - 1)
                let heading = "\(app.language[.day(day)])\(page.dot)\(app.language[.date(date)])"
                return [colors.text(page.plain(" \(heading) "), ofDay: day)]
                    + stops.filter { $0.entry.day == day }.flatMap { stop in
                        page.lines("\(stop.number). \(stop.entry.title)\(page.dot)\(stop.entry.place?.name ?? "")")
                    }
            }
            return (lines + [""] + legend).map { $0 + "\n" }.joined()
        }
        try Standard.write(text)
    }

    /// The days of entries, each once, in their order.
    private static func days(of entries: [TimelineEntry]) -> [Int] { entries.map(\.day).chunked(==).map { $0[0] } }

    /// The map in lines; braille dots where the locale has them, otherwise full stops. It shows the whole recorded track,
    /// or the part of it that is near the places.
    ///
    /// - Parameter label: Returns the label of a stop, by its number, as it is printed.
    static func drawing(
        _ coordinates: [Coordinate], numbers: [Int]? = nil, along track: TrackGeometry? = nil, isWhole: Bool = true,
        on page: Page, label: (_ number: Int, _ text: String) -> String = { $1 }
    ) -> [String] {
        let columns = min(page.width, 100)
        let rows = min(max(columns / 4, 8), 24)
        let map = RouteMap(
            coordinates.map { (latitude: $0.latitude, longitude: $0.longitude) }, numbers: numbers, along: track,
            isWhole: isWhole, columns: columns, rows: rows)
        return map.rows.map { pieces in
            // Nothing is behind the last dot or label.
            let shown = pieces.reversed().drop { $0.number == nil && $0.text.allSatisfy(Self.isBlank) }.reversed()
            return shown.enumerated().map { index, piece in
                if let number = piece.number { return label(number, piece.text) }
                let text = page.isUnicode ? piece.text : String(piece.text.map { Self.ascii($0) })
                guard index == shown.count - 1 else { return text }
                return String(text.reversed().drop(while: Self.isBlank).reversed())
            }.joined()
        }
    }

    private static func isBlank(_ character: Character) -> Bool { character == " " || character == "\u{2800}" }

    private static func ascii(_ character: Character) -> Character {
        guard let scalar = character.unicodeScalars.first, (0x2800...0x28FF).contains(scalar.value) else {
            return character
        }
        return scalar.value == 0x2800 ? " " : "."
    }
}
