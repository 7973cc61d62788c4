import Foundation
import TravelDomain
import TravelPresentation

/// `traveline write`: records a new trip, or adds an entry to one.
struct WriteCommand: CommandLineCommand {
    static let help = CommandHelp(
        name: "write", summary: Text("records a new trip, or adds an entry to one", "새 여행 또는 새 기록 쓰기"),
        usage: [
            "write --title TEXT --region NAME --from DATE [--to DATE | --days N] [options of a trip]",
            "write --in ID --title TEXT --text TEXT [--day N] [--time TIME] [options of an entry]",
        ],
        notes: [
            Text(
                "Prints the ID of the new trip or entry, on a terminal with its title. Without --day or --time, an entry takes "
                    + "them from its first photo, or else from the previous entry.",
                "쓴 것의 ID를, 터미널에는 제목과 함께 출력합니다. --day나 --time이 없으면 첫 사진에서, 사진에도 없으면 앞 기록에서 가져옵니다."),
            Text(
                "Pictures are stored without the metadata in their files, because everyone who sees a trip can download "
                    + "them. When they were taken becomes part of the trip; where, only you see until you show it. HEIC and "
                    + "AVIF become JPEG; on Linux, vips converts them (Debian: libvips-tools).",
                "여행을 보는 사람은 사진도 받으므로, 사진 파일의 정보는 빼고 저장합니다. 찍은 때는 여행에 남고, 찍은 위치는 공개하기 전까지 나만 봅니다. HEIC와 AVIF는 JPEG로 바꾸며, 리눅스에서는 vips가 필요합니다(데비안: libvips-tools)."
            ),
        ],
        options: ContentOptions.help + [
            OptionHelp("--in", "ID", completes: .trips, Text("add an entry to this trip", "이 여행에 기록 쓰기"))
        ]
            + EntryOptions.help + [
                OptionHelp("--quiet", Text("print the ID alone on a terminal as well", "터미널에도 ID만 출력")),
                OptionHelp.json,
            ],
        examples: [
            ("write --title '밤바다' --region busan --from 2024-05-01 --days 2", Text("a trip of two days", "이틀 여행")),
            ("write --in 6f1c2c1e --title 해운대 --text '파도!' --place 해운대", Text("an entry of that trip", "그 여행의 기록")),
        ])

    let trip: Identification?
    let content: ContentOptions
    let entry: EntryOptions
    let store: StoreOptions
    let printsTitle: Bool

    init(_ arguments: Arguments) throws {
        try Self.rejectWords(arguments)
        printsTitle = !arguments.has("--quiet") && Standard.isTerminal
        trip = try arguments.identification("--in")
        content = try ContentOptions(arguments)
        entry = try EntryOptions(arguments)
        store = try StoreOptions(arguments)
        if trip == nil {
            if let option = entry.firstOption {
                throw UsageError(
                    "\(option) is an option of an entry; specify its trip: --in ID",
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
        let cover = trip == nil ? try await ImageFile.picked(at: content.cover) : nil
        let photos = trip == nil ? [] : try await entry.pickedImages()
        let output = try await App.run(store, savesFirst: trip == nil) { app in
            if let trip { return try await writeEntry(of: app.trip(trip), text, photos, in: app) }
            return try await writeTrip(cover?.image, in: app)
        }
        try Standard.write(output)
    }

    private func writeTrip(_ cover: TripImage?, in app: App) async throws -> String {
        guard var content = try content.newContent() else {
            throw Self.missing("a title, a region and a first day", "제목, 지역, 첫날")
        }
        content.thumbnail = cover?.id
        let trip = try await app.recordTrip(content, adding: cover)
        if store.isJSON { return try JSONLine.text(["id": trip.id.description]) + "\n" }
        return output(trip.id, content.title)
    }

    private func writeEntry(
        of id: Trip.ID, _ text: EntryText?, _ photos: [PickedImage], in app: App
    ) async throws -> String {
        guard let title = entry.title, let text else { throw Self.missing("a title and a text", "제목과 글") }
        let (trip, timeline) = try await app.details(of: id)
        let taken = photos.first?.taken
        if entry.day == nil { try photos.requireDays(of: trip.days) }
        let day = entry.day ?? taken?.dayNumber(in: trip.days) ?? timeline.last?.day ?? 1
        let before = timeline.last { $0.day == day }?.time
        let time = entry.time ?? taken?.time ?? before ?? TimeOfDay(minutesSinceMidnight: 9 * 60)
        let new = try TimelineEntry(
            day: day, time: time, title: title, text: text, place: try await entry.place(besides: nil, in: app),
            pictures: photos.map(\.picture))
        try await app.saveEntry(new, adding: photos.map(\.image), in: id)
        // Only proposed: the photo may show something else.
        if new.place == nil, let position = photos.lazy.compactMap(\.coordinate).first,
            let near = try await app.searchPlaces(near: position)?.place.name
        {
            Standard.note(
                app.language.say(
                    "the photo was taken near \(near); add the place with traveline edit --place",
                    "사진을 \(near) 근처에서 찍었습니다. 장소는 traveline edit --place로 더하세요"))
        }
        if store.isJSON { return try JSONLine.text(["id": new.id.description, "trip": id.description]) + "\n" }
        return output(new.id, title)
    }

    private func output(_ id: some CustomStringConvertible, _ title: Title) -> String {
        printsTitle ? "\(id)  \(title)\n" : "\(id)\n"
    }
}

extension [PickedImage] {
    /// Throws if one of them was taken on a day that the trip does not have: it is not filed under another one unasked.
    func requireDays(of days: DayRange) throws {
        guard let taken = lazy.compactMap(\.taken).first(where: { $0.dayNumber(in: days) == nil }) else { return }
        throw UsageError(
            "a picture was taken on \(taken.day), outside of the trip (\(days.text)); specify the day of the entry: --day N",
            "여행(\(days.text)) 밖의 날인 \(taken.day)에 찍은 사진입니다. 기록의 날을 지정하세요: --day N")
    }
}

/// The parts of an entry, as options.
struct EntryOptions: Sendable {
    let title: Title?
    let day: Int?
    let time: TimeOfDay?
    /// The text; `-` for that of standard input.
    let text: String?
    private let place: String?
    private let address: String?
    private let coordinate: Coordinate?
    /// The paths of its pictures; `none` alone for none, and `nil` without the option.
    private let images: [String]?
    /// The name of the first of these options on the command line besides the title, if there is one.
    let firstOption: String?

    /// The options without the title, which a trip has as well.
    static let help = [
        OptionHelp("--day", "N", Text("the day of the trip, from 1", "여행의 날, 1부터")),
        OptionHelp("--time", "TIME", Text("the time of day, such as 09:30", "시각, 예: 09:30")),
        OptionHelp(
            "--text", "TEXT",
            Text(
                "what happened, at most \(EntryText.length.upperBound) characters; - reads standard input",
                "있었던 일, 최대 \(EntryText.length.upperBound)자, -이면 표준 입력에서 읽기")),
        OptionHelp("--place", "NAME", Text("a known place, or any name; none removes it", "아는 장소 또는 장소 이름, none이면 없음")),
        OptionHelp("--at", "LAT,LON", Text("the coordinates of a place that is not known", "모르는 장소의 위치")),
        OptionHelp("--address", "TEXT", Text("its address", "장소의 주소")),
        OptionHelp(
            "--image", "FILE", completes: .files,
            Text(
                "a picture; may be repeated, at most \(TimelineEntry.maximumPictureCount); none removes all",
                "사진, 여러 번 가능, 최대 \(TimelineEntry.maximumPictureCount)장, none이면 모두 지우기")),
    ]

    init(_ arguments: Arguments) throws {
        firstOption = Self.help.map(\.name).first(where: arguments.has)
        title = try arguments.title()
        day = try arguments.positiveNumber("--day")
        time = try arguments.time()
        text = arguments.value("--text")
        place = arguments.value("--place")
        address = arguments.value("--address")
        coordinate = try arguments.coordinate()
        images = arguments.has("--image") ? arguments.values("--image") : nil
    }

    /// Whether the pictures of the entry are to be others.
    var replacesPictures: Bool { images != nil }

    /// The pictures that the options name.
    ///
    /// - Throws: `FileError` when one cannot be read, or is not a picture.
    func pickedImages() async throws -> [PickedImage] {
        guard let images, images != ["none"] else { return [] }
        return try await ImageFile.picked(in: images)
    }

    /// The text of the entry, read from standard input if the options request it.
    func entryText() throws -> EntryText? {
        guard let text else { return nil }
        // More than any text that fits: what is longer is refused, not cut.
        let words =
            text == "-"
            ? try Standard.text(
                [UInt8](try FileHandle.standardInput.read(upToCount: 1 << 22) ?? Data()), of: "--text", "--text") : text
        do {
            return try EntryText(words)
        } catch {
            throw UsageError("--text cannot be used: \(error)", "--text를 쓸 수 없습니다: \(error.text.korean)")
        }
    }

    /// The place of the entry; `before` is the one that it has. A known place is found by its name; of another, the name
    /// is enough.
    func place(besides before: Place?, in app: App) async throws -> Place? {
        if place == nil, coordinate == nil, address == nil { return before }
        if place == "none" { return nil }
        var known: Place?
        if let place, coordinate == nil { known = try await app.searchPlaces(place).first?.place }
        guard let name = known?.name ?? place ?? before?.name else {
            throw UsageError("specify the place as well: --place NAME", "장소 이름도 쓰세요: --place NAME")
        }
        let location = coordinate ?? known?.coordinate ?? (place == nil ? before?.coordinate : nil)
        do {
            return try Place(
                name: name, address: address ?? known?.address ?? (place == nil ? before?.address : nil) ?? "",
                coordinate: location)
        } catch {
            throw UsageError("the place cannot be used: \(error)", "장소를 쓸 수 없습니다: \(error.text.korean)")
        }
    }
}
