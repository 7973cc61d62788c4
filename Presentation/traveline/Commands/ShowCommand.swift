import TravelDomain
import TravelTexts

/// `traveline show`: prints a trip with its timeline.
struct ShowCommand: CommandLineCommand {
    static let help = CommandHelp(
        name: "show", summary: Text("prints a trip with its timeline", "여행과 타임라인 보기"),
        usage: ["show ID [--day N] [--json]"],
        words: .trips,
        options: [.dayOfTrip, .json],
        examples: [
            ("show 6f1c2c1e", Text("the trip whose ID begins like this", "ID가 이렇게 시작하는 여행")),
            ("show 6f1c2c1e --day 2 --json", Text("its second day as JSON", "둘째 날을 다른 프로그램에")),
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
            let (trip, all) = try await app.details(of: app.trip(id))
            let timeline = try app.entries(of: all, on: day, in: trip.days)
            if store.isJSON { return try JSONLine.text(TripJSON(trip, timeline)) + "\n" }
            return TripText(trip: trip, timeline: timeline, all: all, language: app.language, page: .standard).text
        }
        try Standard.write(text)
    }
}

extension App {
    /// The entries of that day, or of all days for `nil`.
    ///
    /// - Throws: `CommandError` when the trip does not have that day.
    func entries(of timeline: [TimelineEntry], on day: Int?, in days: DayRange) throws -> [TimelineEntry] {
        guard let day else { return timeline }
        guard day <= days.count else {
            throw CommandError(
                "the trip has \(days.count) \(days.count == 1 ? "day" : "days"), and no day \(day)",
                "이 여행은 \(days.count)일이며, \(day)일차가 없습니다", .dataError)
        }
        return timeline.filter { $0.day == day }
    }
}
