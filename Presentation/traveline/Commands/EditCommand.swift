import TravelDomain
import TravelPresentation

/// `traveline edit`: changes a trip, or an entry of one.
struct EditCommand: CommandLineCommand {
    static let help = CommandHelp(
        name: "edit", summary: Text("changes one of your trips, or one of its entries", "내 여행 또는 기록 고치기"),
        usage: [
            "edit ID [options of a trip]", "edit ID --entry NUMBER|ID [options of an entry]",
            "edit ID --entry NUMBER|ID --move up|down",
            "edit ID --entry NUMBER|ID [--picture N] [options of a picture]",
        ],
        notes: [
            Text(
                "Values without an option stay unchanged. A new first day moves the last day as well. The value none "
                    + "clears a field. Specify an entry by its number in 'traveline show' or by its ID.",
                "옵션에 없는 것은 그대로입니다. 첫날을 바꾸면 마지막 날도 함께 옮겨집니다. none은 값을 지웁니다. 기록은 'traveline show'의 번호나 ID로 고릅니다.")
        ],
        words: .trips,
        options: ContentOptions.help + [
            OptionHelp("--entry", "NUMBER|ID", Text("change this entry of the trip", "여행의 이 기록 고치기")),
            OptionHelp(
                "--move", "up|down",
                Text("move it before or after the next one at the same time", "같은 시각의 앞 기록 앞으로, 또는 뒤 기록 뒤로 옮기기")),
        ]
            + EntryOptions.help + PictureOptions.help + [
                OptionHelp("--json", Text("print the changed trip as a JSON object", "고친 여행을 JSON 객체로 출력"))
            ],
        examples: [
            (
                "edit 6f1c2c1e --title '부산 새벽바다' --budget none",
                Text("change the title, and clear the budget", "제목을 바꾸고 경비는 지우기")
            ),
            (
                "edit 6f1c2c1e --entry 2 --time 10:00 --place 광안리해수욕장",
                Text("change the time and place of the second entry", "둘째 기록의 시각과 장소 바꾸기")
            ),
            (
                "edit 6f1c2c1e --entry 3 --add-image pier.jpg --describe '방파제'",
                Text("add a picture, and describe the first", "사진을 더하고 첫 사진 설명하기")
            ),
            (
                "edit 6f1c2c1e --entry 3 --move up",
                Text("move the third entry before the second, at the same time", "셋째 기록을 같은 시각의 둘째 앞으로 옮기기")
            ),
        ])

    let id: Identification
    let entryText: String?
    let move: Move?
    let content: ContentOptions
    let entry: EntryOptions
    let pictures: PictureOptions
    let store: StoreOptions

    enum Move: String {
        case up, down
    }

    init(_ arguments: Arguments) throws {
        id = try Self.one(arguments.words)
        entryText = arguments.value("--entry")
        move = try arguments.value("--move").map { text in
            guard let move = Move(rawValue: text) else {
                throw UsageError("--move takes up or down, not '\(text)'", "--move에는 up이나 down을 씁니다: '\(text)'")
            }
            return move
        }
        content = try ContentOptions(arguments)
        entry = try EntryOptions(arguments)
        pictures = try PictureOptions(arguments)
        store = try StoreOptions(arguments)
        if entryText == nil {
            if let option = entry.firstOption ?? pictures.firstOption ?? (move == nil ? nil : "--move") {
                throw UsageError(
                    "\(option) is an option of an entry; specify the entry: --entry NUMBER",
                    "\(option)은(는) 기록의 옵션입니다. 기록을 지정하세요: --entry NUMBER")
            }
            if content.isEmpty { throw Self.missing("something to change", "바꿀 내용") }
        } else if entry.firstOption == nil, pictures.firstOption == nil, entry.title == nil, move == nil {
            throw Self.missing("something to change", "바꿀 내용")
        }
    }

    func run() async throws {
        let text = try entry.entryText()
        let cover = entryText == nil ? try await ImageFile.picked(at: content.cover)?.image : nil
        let photos = try await entry.pickedImages() + ImageFile.picked(in: pictures.added)
        let output = try await App.run(store) { app in
            let trip = try await app.trip(id)
            if let entryText {
                try await changeEntry(entryText, of: trip, text, photos, in: app)
            } else {
                try await changeTrip(trip, cover, in: app)
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
        _ text: String, of id: Trip.ID, _ newText: EntryText?, _ photos: [PickedImage], in app: App
    ) async throws {
        let (trip, timeline) = try await app.details(of: id)
        let before = try app.entry(text, in: timeline)
        if entry.firstOption != nil || entry.title != nil || pictures.firstOption != nil {
            let changed = try TimelineEntry(
                id: before.id, day: entry.day ?? before.day, time: entry.time ?? before.time,
                title: entry.title ?? before.title, text: newText ?? before.text,
                place: try await entry.place(besides: before.place, in: app),
                pictures: pictures.applied(
                    to: entry.replacesPictures ? [] : before.pictures, adding: photos.map(\.picture)))
            if entry.day == nil { try photos.requireDays(of: trip.days) }
            try await app.saveEntry(changed, adding: photos.map(\.image), in: id, expecting: trip.version)
        }
        if let move { try await self.move(before.id, move, of: id, in: app) }
    }

    private func move(_ entry: TimelineEntry.ID, _ move: Move, of id: Trip.ID, in app: App) async throws {
        let (trip, timeline) = try await app.details(of: id)
        let placement = move == .up ? timeline.placementAbove(entry) : timeline.placementBelow(entry)
        guard let placement else {
            throw CommandError(
                "the entry is the \(move == .up ? "first" : "last") at its time; its time decides where it stands among the others: --time",
                "그 시각의 \(move == .up ? "첫" : "마지막") 기록입니다. 다른 시각으로는 --time으로 옮기세요", .dataError)
        }
        try await app.moveEntry(entry, placement, in: id, expecting: trip.version)
    }
}
