import TravelDomain
import TravelPresentation

/// `traveline edit`: changes a trip, or an entry of one.
struct EditCommand: CommandLineCommand {
    static let help = CommandHelp(
        name: "edit", summary: "changes one of your trips, or one of its entries",
        usage: ["edit ID [options of a trip]", "edit ID --entry NUMBER|ID [options of an entry]"],
        notes: [
            "Values without an option stay unchanged. A new first day moves the last day as well. The value none "
                + "clears a field. Specify an entry by its number in 'traveline show' or by its ID."
        ],
        words: .trips,
        options: ContentOptions.help + [OptionHelp("--entry", "NUMBER|ID", "change this entry of the trip")]
            + EntryOptions.help + [OptionHelp("--json", "print the changed trip as a JSON object")],
        examples: [
            ("edit 6f1c2c1e --title '부산 새벽바다' --budget none", "change the title, and clear the budget"),
            ("edit 6f1c2c1e --entry 2 --time 10:00 --place 광안리해수욕장", "change the time and place of the second entry"),
        ])

    let id: Identification
    let entryText: String?
    let content: ContentOptions
    let entry: EntryOptions
    let store: StoreOptions

    init(_ arguments: Arguments) throws {
        id = try Self.one(arguments.words)
        entryText = arguments.value("--entry")
        content = try ContentOptions(arguments)
        entry = try EntryOptions(arguments)
        store = try StoreOptions(arguments)
        if entryText == nil {
            if let option = entry.firstOption {
                throw UsageError(
                    "\(option) is an option of an entry; specify the entry: --entry NUMBER",
                    "\(option)은(는) 기록의 옵션입니다. 기록을 지정하세요: --entry NUMBER")
            }
            if content.isEmpty { throw Self.missing("something to change", "바꿀 내용") }
        } else if entry.firstOption == nil, entry.title == nil {
            throw Self.missing("something to change", "바꿀 내용")
        }
    }

    func run() async throws {
        let text = try entry.entryText()
        let path = entryText == nil ? content.cover : entry.image
        let image = try ImageFile.picked(at: path)?.image
        let output = try await App.run(store) { app in
            let trip = try await app.trip(id)
            if let entryText {
                try await changeEntry(entryText, of: trip, text, image, in: app)
            } else {
                try await changeTrip(trip, image, in: app)
            }
            let (changed, timeline) = try await app.details(of: trip)
            if store.isJSON { return try JSONLine.text(TripJSON(changed, timeline)) + "\n" }
            return TripText(trip: changed, timeline: timeline, all: timeline, language: app.language, page: .standard)
                .text
        }
        try Standard.write(output)
    }

    private func changeTrip(_ id: Trip.ID, _ cover: TripImage?, in app: App) async throws {
        let before = try await app.details(of: id).trip
        var changed = before.content
        try content.apply(to: &changed)
        if content.cover != nil { changed.thumbnail = cover?.id }
        try await app.editTrip(id, changed, adding: cover, expecting: before.version)
    }

    private func changeEntry(
        _ text: String, of id: Trip.ID, _ newText: EntryText?, _ image: TripImage?, in app: App
    ) async throws {
        let (trip, timeline) = try await app.details(of: id)
        let before = try app.entry(text, in: timeline)
        let changed = try TimelineEntry(
            id: before.id, day: entry.day ?? before.day, time: entry.time ?? before.time,
            title: entry.title ?? before.title, text: newText ?? before.text,
            place: try await entry.place(besides: before.place, in: app),
            image: entry.image == nil ? before.image : image?.id)
        try await app.saveEntry(changed, adding: image, in: id, expecting: trip.version)
    }
}
