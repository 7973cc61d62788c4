import Foundation
import TravelDataFiles
import TravelDomain
import TravelPresentation

/// `traveline import`: adds the trips of a file, or makes a trip of a recorded track.
struct ImportCommand: CommandLineCommand {
    static let help = CommandHelp(
        name: "import", summary: "adds trips from a file: GPX, GeoJSON, or exported JSON",
        usage: ["import FILE|- [--format NAME] [--region NAME] [--timezone ZONE] [--date DATE] [--copy] [--json]"],
        notes: [
            "All of a file is imported or nothing. What traveline exported as json or geojson becomes the same trips again, "
                + "of the same people. Any other GPX or GeoJSON is a recorded track: it becomes a trip of yours, with a "
                + "timeline of its places, days and stops.",
            "Without --format, the name of the file and its content decide. The file - is standard input.",
        ],
        words: .files,
        options: [
            OptionHelp("--format", "NAME", oneOf: ["json", "geojson", "gpx"], "the format"),
            OptionHelp(
                "--region", "NAME", oneOf: Region.allCases.map(\.rawValue),
                "the destination of a recorded track, otherwise that of most of its places"),
            OptionHelp("--timezone", "ZONE", "the zone of a recorded track's local times, such as Europe/Lisbon"),
            OptionHelp("--date", "DATE", "the day of a recorded track without times"),
            OptionHelp("--copy", "import exported trips as new trips of your own"),
            OptionHelp("--json", "print a JSON array"),
        ],
        examples: [
            ("import walk.gpx", "a trip from a recorded track"),
            ("import backup.json --database new.sqlite", "the trips of a backup into another database"),
            ("import friend.json --copy", "a trip of a friend, as one of your own"),
        ])

    private(set) var file: String
    private(set) var format: ExportFormat?
    private(set) var region: Region?
    private(set) var timeZone: String?
    private(set) var day: CalendarDay?
    private(set) var isCopy = false
    private(set) var isJSON = false
    private(set) var store = StoreOptions()

    init(_ reader: inout ArgumentReader) throws {
        var file: String?
        while let argument = try reader.next() {
            switch argument {
            case .option("--format"): format = try reader.format()
            case .option("--region"): region = try reader.value("region", of: Region.self)
            case .option("--timezone"): timeZone = try Self.timeZone(reader.value("ZONE"))
            case .option("--date"): day = try reader.day()
            case .option("--copy"): isCopy = true
            case .option("--json"): isJSON = true
            case .option(let option): try store.read(option, &reader, for: Self.self)
            case .word(let word):
                if file != nil {
                    throw UsageError(
                        "import takes one file at a time; '\(word)' is one too many",
                        "import는 한 번에 파일 하나만 받습니다. '\(word)'은(는) 빼세요")
                }
                file = word
            }
        }
        guard let file, !file.isEmpty else {
            throw Self.missing("a file: traveline import FILE", "파일: traveline import FILE")
        }
        self.file = file
    }

    func run() async throws {
        // Read first: a bad file must not even create the database.
        let contents = try ImportedFile(at: file, as: format, in: store.language ?? Standard.language)
        let options = [region.map { _ in "--region" }, timeZone.map { _ in "--timezone" }, day.map { _ in "--date" }]
        if case .travels = contents, let option = options.lazy.compactMap({ $0 }).first {
            throw UsageError(
                "\(option) is for recorded tracks; exported trips have theirs",
                "\(option)은(는) 이동 기록에만 씁니다. 내보낸 여행에는 이미 있습니다")
        }
        let text = try await App.run(store) { app in
            switch contents {
            case .track(let track): try await add(track, to: app)
            case .travels(let travels): try await add(travels, to: app)
            }
        }
        try Standard.write(text)
    }

    private func add(_ travels: [ExportedTravel], to app: App) async throws -> String {
        if travels.isEmpty {
            throw FileError(
                path: file, reason: app.language.say("no trip is in it", "여행이 들어 있지 않습니다"), code: .dataError)
        }
        var travels = travels
        if isCopy {
            guard let id = try await app.session.session()?.user else { throw TravelError.signedOut }
            let user = try await app.store.user(id)
            travels = try travels.map { try $0.copy(by: user, at: Date()) }
        }
        do {
            try await app.store.add(travels.map(\.travel), images: travels.flatMap(\.images))
        } catch TravelError.conflict {
            throw FileError(
                path: file,
                reason: app.language.say(
                    "a trip of it is in the database already; add new trips of your own with --copy",
                    "이미 있는 여행이 들어 있습니다. --copy를 붙이면 내 새 여행으로 추가합니다"), code: .dataError)
        }
        let viewer = try await app.session.session()?.user
        var added: [Travel] = []
        for travel in travels { added.append(try await app.store.travel(travel.travel.id, viewer: viewer)) }
        return isJSON ? try TripJSON.text(added) : try await app.list(added)
    }

    private func add(_ track: Track, to app: App) async throws -> String {
        let imported: ImportedTrack
        do {
            let name = URL(fileURLWithPath: file).lastPathComponent
            let title =
                ["geojson", "json"].contains(URL(fileURLWithPath: file).pathExtension.lowercased())
                ? URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent : name
            imported = try await app.importTrack(
                track, fileName: title, region: region, timeZone: timeZone, day: day)
        } catch TravelError.conflict {
            throw FileError(
                path: file, reason: app.language.say("this track was imported before", "이미 가져온 기록입니다"),
                code: .dataError)
        } catch TravelError.invalid(.init(.date, .empty)) {
            throw FileError(
                path: file,
                reason: app.language.say(
                    "no point of the track has a time; say its day: --date 2024-05-01",
                    "시각이 있는 지점이 없습니다. 날짜를 쓰세요: --date 2024-05-01"), code: .dataError)
        } catch TravelError.invalid(let violation) where violation.field == .date {
            throw UsageError(
                "--date is for tracks without times; this one has them", "--date는 시각이 없는 기록에만 씁니다. 이 기록에는 시각이 있습니다")
        } catch TravelError.invalid(let violation) {
            throw FileError(
                path: file, reason: ErrorMessage(TravelError.invalid(violation), in: app.language).text,
                code: .dataError)
        }
        note(imported, in: app.language)
        let travel = imported.travel
        if isJSON {
            let viewer = try await app.session.session()?.user
            return try TripJSON.text([try await app.store.travel(travel.id, viewer: viewer)])
        }
        let content = travel.content
        return "\(travel.id)  \(content.title)  \(content.region.name(in: app.language))  \(content.days.text)  "
            + "\(app.language.entries(travel.timeline.count))\n"
    }

    /// What the person may want to correct, one line each.
    private func note(_ imported: ImportedTrack, in language: Language) {
        if imported.regionOrigin == .guess {
            let region = imported.travel.content.region.rawValue
            Standard.note(
                language.say(
                    "the track is far from any known place: the region \(region) is a guess; name another with --region",
                    "아는 장소에서 먼 기록이라 지역을 \(region)(으)로 추정했습니다. --region으로 바꿀 수 있습니다"))
        }
        noteTimes(of: imported, in: language)
        if imported.estimatedTimes > 0 {
            let count = imported.estimatedTimes
            Standard.note(
                language.say(
                    count == 1
                        ? "1 point had no time; it was estimated" : "\(count) points had no time; they were estimated",
                    "시각이 없는 지점 \(count)개의 시각을 추정했습니다"))
        }
        if imported.shortenedTexts > 0 {
            let count = imported.shortenedTexts
            Standard.note(
                language.say(
                    count == 1
                        ? "1 text was too long; it is shortened and ends with …"
                        : "\(count) texts were too long; they are shortened and end with …",
                    "너무 긴 글 \(count)개를 줄이고 끝에 …를 붙였습니다"))
        }
        if imported.omittedEntries > 0 {
            let count = imported.omittedEntries
            Standard.note(
                language.say(
                    "\(count) short \(count == 1 ? "stop was" : "stops were") left out of very full days",
                    "기록이 많은 날의 짧은 정차 \(count)개를 뺐습니다"))
        }
    }

    /// The day and the time zones that were guessed.
    private func noteTimes(of imported: ImportedTrack, in language: Language) {
        let day = imported.travel.content.days.first
        switch imported.dayOrigin {
        case .recorded, .given: break
        case .marks, .file:
            Standard.note(
                language.say(
                    "no point of the track has a time: the day \(day) is a guess; say another with --date",
                    "시각이 있는 지점이 없어 날짜를 \(day)(으)로 추정했습니다. --date로 바꿀 수 있습니다"))
        }
        let zones = imported.timeZones.joined(separator: ", ")
        switch imported.timeZoneOrigin {
        case .given, .korea: break
        case .coordinates:
            Standard.note(
                language.say(
                    "the local times are a guess: those of \(zones); name another zone with --timezone",
                    "현지 시각을 \(zones) 시간대로 추정했습니다. --timezone으로 바꿀 수 있습니다"))
        case .longitude:
            Standard.note(
                language.say(
                    "the local times are a guess: \(zones) by longitude, without daylight saving time, because this system has no list of time zones with positions; name the zone with --timezone",
                    "시간대의 위치 목록이 없는 시스템이라 현지 시각을 경도에 따라 \(zones)(으)로 추정했습니다 (서머타임 없음). --timezone으로 바꿀 수 있습니다"))
        }
    }

    /// The name of a time zone.
    private static func timeZone(_ name: String) throws -> String {
        let zones = SystemTimeZones.shared
        if zones.offset(of: name, at: Date()) != nil { return name }
        let similar = zones.names(like: name).prefix(5).joined(separator: ", ")
        throw UsageError(
            "unknown time zone '\(name)'; "
                + (similar.isEmpty ? "use an IANA name such as Europe/Lisbon" : "did you mean \(similar)?"),
            "'\(name)'은(는) 모르는 시간대입니다. " + (similar.isEmpty ? "Europe/Lisbon 같은 IANA 이름을 쓰세요" : "혹시 \(similar)?"))
    }
}
