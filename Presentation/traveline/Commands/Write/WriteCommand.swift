import TravelDomain
import TravelPresentation

/// `traveline write`: records a new trip, or a new entry of one.
struct WriteCommand: CommandLineCommand {
    static let help = CommandHelp(
        name: "write", summary: "records a new trip, or a new entry of one",
        usage: [
            "write --title TEXT --region NAME --from DATE [--to DATE | --days N] [options of a trip]",
            "write --in ID --title TEXT --text TEXT [--day N] [--time TIME] [options of an entry]",
        ],
        notes: [
            "Prints the ID of what was written. An entry without --day or --time takes them from its photo, or else from the "
                + "entry before."
        ],
        options: ContentOptions.help + [OptionHelp("--in", "ID", completes: .travels, "write an entry of this trip")]
            + EntryOptions.help + [OptionHelp("--json", "print a JSON object")],
        examples: [
            ("write --title '밤바다' --region busan --from 2024-05-01 --days 2", "a trip of two days"),
            ("write --in 6f1c2c1e --title 해운대 --text '파도!' --place 해운대", "an entry of that trip"),
        ])

    private(set) var travel: Identification?
    private(set) var content = ContentOptions()
    private(set) var entry = EntryOptions()
    private(set) var isJSON = false
    private(set) var store = StoreOptions()

    init(_ reader: inout ArgumentReader) throws {
        while let argument = try reader.next() {
            switch argument {
            case .option("--in"): travel = try Identification(reader.value("ID"))
            case .option("--json"): isJSON = true
            case .option("--title"):
                // Which of the two is written turns out later.
                var copy = reader
                _ = try content.read("--title", &copy)
                _ = try entry.read("--title", &reader)
            case .option(let option):
                if try content.read(option, &reader) { continue }
                if try entry.read(option, &reader) { continue }
                try store.read(option, &reader, for: Self.self)
            case .word(let word): throw Self.surplus(word)
            }
        }
        if travel == nil {
            if let option = entry.firstOption {
                throw UsageError(
                    "\(option) is part of an entry; name its trip: --in ID",
                    "\(option)은(는) 기록의 옵션입니다. 여행을 지정하세요: --in ID")
            }
            if content.title == nil { throw Self.missing("a title: --title TEXT", "제목: --title TEXT") }
            if content.region == nil { throw Self.missing("a region: --region NAME", "지역: --region NAME") }
            if content.first == nil { throw Self.missing("a first day: --from DATE", "첫날: --from DATE") }
            _ = try content.newContent()
        } else {
            if entry.title == nil { throw Self.missing("a title: --title TEXT", "제목: --title TEXT") }
            if entry.text == nil { throw Self.missing("a text: --text TEXT", "글: --text TEXT") }
        }
    }

    func run() async throws {
        let text = try entry.entryText()
        let path = travel == nil ? content.cover : entry.image
        let image = try path.flatMap {
            $0 == "none" ? nil : try ImageFile.image(at: $0, in: store.language ?? Standard.language)
        }
        let output = try await App.run(store) { app in
            if let travel { return try await writeEntry(of: app.travel(travel), text, image, in: app) }
            return try await writeTravel(image, in: app)
        }
        try Standard.write(output)
    }

    private func writeTravel(_ cover: TravelImage?, in app: App) async throws -> String {
        guard var content = try content.newContent() else {
            throw Self.missing("a title, a region and a first day", "제목, 지역, 첫날")
        }
        content.thumbnail = cover?.id
        let travel = try await app.recordTravel(content, adding: cover)
        if isJSON { return try JSONLine.text(["id": travel.id.description]) + "\n" }
        return "\(travel.id)  \(content.title)\n"
    }

    private func writeEntry(
        of id: Travel.ID, _ text: EntryText?, _ image: TravelImage?, in app: App
    ) async throws -> String {
        guard let title = entry.title, let text else { throw Self.missing("a title and a text", "제목과 글") }
        let (travel, timeline) = try await app.details(of: id)
        let taken = image.flatMap { App.photos.photoDate(of: $0) }
        let day = entry.day ?? taken?.dayNumber(in: travel.days) ?? timeline.last?.day ?? 1
        let before = timeline.last { $0.day == day }?.time
        let time = entry.time ?? taken?.time ?? before ?? TimeOfDay(minutesSinceMidnight: 9 * 60)
        let new = try TimelineEntry(
            day: day, time: time, title: title, text: text, place: try await entry.place(besides: nil, in: app),
            image: image?.id)
        try await app.saveEntry(new, adding: image, in: id)
        // Only proposed: the photo may show something else.
        if new.place == nil, let position = image.flatMap({ App.photos.photoCoordinate(of: $0) }),
            let near = try await app.searchPlaces(near: position)?.place.name
        {
            Standard.note(
                app.language.say(
                    "the photo was taken near \(near); add the place with traveline edit --place",
                    "사진을 \(near) 근처에서 찍었습니다. 장소는 traveline edit --place로 더하세요"))
        }
        if isJSON { return try JSONLine.text(["id": new.id.description, "travel": id.description]) + "\n" }
        return "\(new.id)  \(title)\n"
    }
}
