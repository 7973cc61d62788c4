import Foundation
import Synchronization
import TravelDataFiles
import TravelDataShared
import TravelDomain
import TravelPresentation

/// `traveline import`: adds the trips of a file, or makes a trip of a recorded track, or of photos and tracks.
struct ImportCommand: CommandLineCommand {
    static let help = CommandHelp(
        name: "import",
        summary: Text(
            "adds trips from files: photos, tracks, or exported trips", "파일에서 여행 가져오기: 사진, 이동 기록, 내보낸 여행"),
        usage: [
            "import FILE|- [--format NAME] [--region NAME] [--timezone ZONE] [--date DATE] [--copy] [--json]",
            "import DIR|FILES… [--title TEXT] [--region NAME] [--timezone ZONE] [--camera-offset OFFSET] [--json]",
        ],
        notes: [
            Text(
                "A file is imported as a whole or not at all. What traveline exported as json or geojson becomes the "
                    + "same trips again, by the same users. Any other GPX or GeoJSON, KML, KMZ and TCX is a recorded track: "
                    + "it becomes a trip of yours, with a timeline of its places, days and stops. Any of them may be packed by "
                    + "gzip.",
                "파일 전체를 가져오거나 아무것도 가져오지 않습니다. traveline이 내보낸 json과 geojson은 같은 사람의 같은 여행이 됩니다. 다른 GPX와 "
                    + "GeoJSON, KML, KMZ, TCX는 이동 기록으로, 장소와 날짜와 머문 곳이 담긴 내 여행이 됩니다. gzip으로 압축한 파일도 됩니다."),
            Text(
                "A folder, or several files, becomes one trip of its photos and tracks: days by the local time of each, "
                    + "entries by place and time. Photos are stored as 'traveline write' does. Importing again adds only what "
                    + "is new.",
                "폴더나 여러 파일은 사진과 이동 기록이 담긴 여행 하나가 됩니다. 날짜는 각각의 현지 시각으로, 기록은 장소와 시각으로 나눕니다. 사진은 "
                    + "'traveline write'처럼 저장합니다. 다시 가져오면 새로운 것만 더합니다."),
            Text(
                "Tracks are GPX, KML, KMZ, TCX and GeoJSON. Without --format, the format is detected from the file's "
                    + "content. The file - is standard input.",
                "이동 기록은 GPX, KML, KMZ, TCX, GeoJSON입니다. --format이 없으면 파일 내용으로 정합니다. 파일 -는 표준 입력입니다."),
        ],
        words: .files,
        options: [
            .format(TravelFileReader.Format.allCases.map(\.rawValue)),
            OptionHelp(
                "--region", "NAME", completes: .cases(of: Region.self),
                Text(
                    "the region of a recorded track; by default that of most of its places",
                    "이동 기록의 여행지, 없으면 장소가 가장 많은 곳")),
            OptionHelp(
                "--timezone", "ZONE",
                Text(
                    "the time zone of a recorded track's local times, such as Europe/Lisbon",
                    "이동 기록의 현지 시간대, 예: Europe/Lisbon")),
            OptionHelp("--date", "DATE", Text("the day of a recorded track without times", "시각이 없는 이동 기록의 날짜")),
            OptionHelp("--title", "TEXT", Text("the title of a trip of photos", "사진으로 만드는 여행의 제목")),
            OptionHelp(
                "--camera-offset", "OFFSET",
                Text(
                    "what to add to the clocks of cameras, such as +01:02 or -3d, or of one: 'NIKON D90=+01:02'",
                    "카메라 시계에 더할 시간, 예: +01:02, -3d, 한 카메라만: 'NIKON D90=+01:02'")),
            OptionHelp(
                "--replace", Text("replace your trips that are there already", "이미 있는 내 여행을 바꾸기")),
            OptionHelp("--copy", Text("import exported trips as new trips of your own", "내보낸 여행을 내 새 여행으로 가져오기")),
            .jsonArray,
        ],
        examples: [
            ("import walk.gpx", Text("a trip from a recorded track", "이동 기록으로 만드는 여행")),
            ("import photos/ --title '제주 일주'", Text("a trip from a folder", "폴더로 만드는 여행")),
            (
                "import backup.json --database new.sqlite",
                Text("the trips of a backup into another database", "백업의 여행을 다른 데이터베이스에")
            ),
            ("import friend.json --copy", Text("a trip of a friend, as one of your own", "친구의 여행을 내 여행으로")),
        ])

    let file: String
    /// The photos and tracks of one trip; `nil` for a file of trips or of a track.
    private let folder: FolderImport?
    let format: TravelFileReader.Format?
    let region: Region?
    let timeZone: String?
    let day: CalendarDay?
    let isCopy: Bool
    let replaces: Bool
    let store: StoreOptions

    init(_ arguments: Arguments) throws {
        guard let file = arguments.words.first, !file.isEmpty else {
            throw Self.missing("a file: traveline import FILE", "파일: traveline import FILE")
        }
        self.file = file
        format = try arguments.importFormat()
        region = try arguments.choice("--region")
        timeZone = try arguments.value("--timezone", Self.timeZone)
        day = try arguments.day("--date")
        isCopy = arguments.has("--copy")
        replaces = arguments.has("--replace")
        store = try StoreOptions(arguments)
        var choices = ImportPhotos.Choices()
        (choices.title, choices.region, choices.timeZone, choices.day) = (
            try arguments.title()?.text, region, timeZone, day
        )
        choices.cameraOffsets = try arguments.cameraOffsets()
        folder = FolderImport(arguments.words, choices)
        let isOther = ["--title", "--camera-offset"].first(where: arguments.has)
        if folder == nil, let isOther {
            throw UsageError(
                "\(isOther) is for photos; '\(file)' is one file of trips or of a track",
                "\(isOther)은(는) 사진에만 씁니다. '\(file)'은(는) 여행이나 이동 기록 파일입니다")
        }
        if folder != nil, let option = ["--copy", "--format", "--replace"].first(where: arguments.has) {
            throw UsageError(
                "\(option) is for a single file; import exported trips one file at a time",
                "\(option)은(는) 파일 하나에만 씁니다. 내보낸 여행은 한 파일씩 가져오세요")
        }
    }

    func run() async throws {
        if let folder {
            let text = try await run { app, journal in
                let imported = try await folder.add(to: app, journal)
                let changes = imported.trip.map {
                    imported.before?.version == $0.version ? [] : [ImportedChange(of: imported.before, to: $0)]
                }
                await end(journal, with: changes ?? [], in: app)
                for track in imported.tracks { note(track, in: app.language) }
                return try await output(imported.trip, in: app)
            }
            return try Standard.write(text)
        }
        // Read first: a bad file must not even create the database.
        let contents = try ImportedFile(at: file, as: format)
        let options = [region.map { _ in "--region" }, timeZone.map { _ in "--timezone" }, day.map { _ in "--date" }]
        if case .trips = contents, let option = options.lazy.compactMap({ $0 }).first {
            throw UsageError(
                "\(option) is for recorded tracks; exported trips have theirs",
                "\(option)은(는) 이동 기록에만 씁니다. 내보낸 여행에는 이미 있습니다")
        }
        let text = try await run { app, journal in
            switch contents {
            case .track(let track): try await add(track, to: app, journal)
            case .trips(let trips): try await add(trips, to: app, journal)
            }
        }
        try Standard.write(text)
    }

    /// Runs an import. Where it ends early, says how to undo what it has added; a signal ends it at once.
    private func run(
        _ work: @escaping @Sendable (App, ImportJournal) async throws -> String
    ) async throws -> String {
        let text = Mutex("")
        let journal = Mutex<ImportJournal?>(nil)
        do {
            try await Signal.cancelling(orAbandoning: { true }) {
                let output = try await App.run(store, savesFirst: true) { app in
                    let new = try await ImportJournal(app)
                    journal.withLock { $0 = new }
                    do {
                        return try await work(app, new)
                    } catch {
                        if await new.breakOff() { noteUndo(afterPart: true) }
                        throw error
                    }
                }
                text.withLock { $0 = output }
            }
        } catch let interruption as Signal.Interruption {
            guard await journal.withLock({ $0 })?.isBegun == true else { throw interruption }
            noteUndo(afterPart: true)
            interruption.signal.end()
        }
        return text.withLock { $0 }
    }

    private func noteUndo(afterPart: Bool) {
        let language = store.outputLanguage
        let undo = "traveline undo" + (store.database.map { " --database \($0)" } ?? "")
        Standard.note(
            afterPart
                ? language.say(
                    "the import ended early; to undo what it added: \(undo)", "가져오기가 도중에 끝났습니다. 더한 것 되돌리기: \(undo)")
                : language.say("to undo the import: \(undo)", "가져오기 되돌리기: \(undo)"))
    }

    /// Keeps what was imported for `undo`, and says how.
    private func end(
        _ journal: ImportJournal, with changes: [ImportedChange], replacing former: [ExportedTrip] = [], in app: App
    ) async {
        if await journal.end(with: changes, replacing: former) { noteUndo(afterPart: false) }
    }

    private func add(_ trips: [ExportedTrip], to app: App, _ journal: ImportJournal) async throws -> String {
        if trips.isEmpty { throw FileError(file, "it contains no trips", "여행이 들어 있지 않습니다", .dataError) }
        var trips = trips
        if isCopy {
            guard let id = try await app.session.session()?.user else { throw TravelError.signedOut }
            let user = try await app.store.user(id)
            trips = try trips.map { try $0.copy(by: user, at: Date()) }
        } else {
            // Of someone else, the file says what their store shows; here, whoever uses this one sees it.
            let user = try await app.session.session()?.user
            trips = try trips.map { $0.trip.author.id == user ? $0 : try $0.visible() }
        }
        var (missing, there): ([ExportedTrip], [ExportedTrip]) = ([], [])
        for exported in trips {
            let id = exported.trip.id
            let isThere = try await !app.identifiers.tripIDs(in: id...id, limit: 1).isEmpty
            if isThere { there.append(exported) } else { missing.append(exported) }
        }
        if missing.isEmpty, !replaces {
            throw FileError(
                file,
                "all of its trips are there already; replace them with --replace, or import them as new ones with --copy",
                "모두 이미 있는 여행입니다. --replace로 바꾸거나 --copy로 내 새 여행으로 추가하세요", .dataError)
        }
        let viewer = try await app.session.session()?.user
        let replaced = try await replaced(by: there, in: app, viewer: viewer)
        let former = replaced.map(\.before)
        await journal.willWrite(
            missing.map { ImportedChange(of: nil, from: nil, writing: $0.trip) }
                + replaced.map {
                    ImportedChange(of: $0.before.trip, from: $0.before.trip, writing: $0.new.trip, keepsFormer: true)
                }, replacing: former)
        do {
            try await app.store.add(missing.map(\.trip), images: missing.flatMap(\.images))
        } catch TravelError.conflict {
            throw FileError(
                file,
                "an entry or a picture of it is in another trip already; import it as a new trip of your own with --copy",
                "다른 여행에 이미 있는 기록이나 사진이 들어 있습니다. --copy를 붙이면 내 새 여행으로 추가합니다", .dataError)
        }
        var changes = missing.map { ImportedChange(of: nil, to: $0.trip) }
        var added: [Trip] = []
        for (before, new) in replaced {
            let id = before.trip.id
            guard let changed = try await app.replace(id, expecting: before.trip.version, by: new) else { continue }
            changes.append(ImportedChange(of: before.trip, to: changed, keepsFormer: true))
            added.append(try await app.store.trip(id, viewer: viewer))
        }
        for exported in missing { added.append(try await app.store.trip(exported.trip.id, viewer: viewer)) }
        await end(journal, with: changes, replacing: former, in: app)
        return store.isJSON ? try TripJSON.text(added) : try await app.list(added)
    }

    /// The trips that are there and are replaced by those of the file, if that was asked for; says of the others that they are
    /// there.
    private func replaced(
        by there: [ExportedTrip], in app: App, viewer: User.ID?
    ) async throws -> [(before: ExportedTrip, new: ExportedTrip)] {
        var replaced: [(before: ExportedTrip, new: ExportedTrip)] = []
        for exported in there {
            let id = exported.trip.id
            func note(_ english: String, _ korean: String) {
                Standard.note(
                    app.language.say(
                        "'\(exported.trip.content.title)' (\(id)) \(english)",
                        "'\(exported.trip.content.title)' (\(id)): \(korean)"))
            }
            guard exported.trip.author.id == viewer else {
                note("is there already", "이미 있습니다")
                continue
            }
            let before = try await app.exported(id)
            let isSame =
                (before.trip.content, before.trip.timeline, before.trip.track)
                == (exported.trip.content, exported.trip.timeline, exported.trip.track)
            if isSame {
                note("is there already", "이미 있습니다")
            } else if !replaces {
                note(
                    "is there already, but differs; replace it with --replace", "이미 있지만 내용이 다릅니다. --replace로 바꿀 수 있습니다")
            } else {
                replaced.append((before, exported))
            }
        }
        return replaced
    }

    private func add(_ track: Track, to app: App, _ journal: ImportJournal) async throws -> String {
        let imported: ImportedTrack
        var former: ExportedTrip?
        do {
            func run(replacing former: ExportedTrip? = nil) async throws -> ImportedTrack {
                try await app.importTrack(
                    track, fileName: Self.title(ofFileNamed: URL(fileURLWithPath: file).lastPathComponent),
                    region: region, timeZone: timeZone, day: day, replaces: former != nil
                ) { trip in
                    if let former {
                        await journal.willWrite(
                            [
                                ImportedChange(
                                    of: former.trip, from: former.trip, writing: trip, keepsFormer: true)
                            ], replacing: [former])
                    } else {
                        try await journal.willAdd(trip)
                    }
                }
            }
            do {
                imported = try await run()
            } catch TravelError.conflict(.trip(let id)) {
                let before = try await app.exported(id)
                try requireReplacement(of: before.trip, in: app.language)
                former = before
                imported = try await run(replacing: before)
            }
        } catch TravelError.invalid(.init(.date, .empty)) {
            throw FileError(
                file, "no point of the track has a plausible time; specify its day: --date 2024-05-01",
                "가능한 시각이 있는 지점이 없습니다. 날짜를 쓰세요: --date 2024-05-01", .dataError)
        } catch TravelError.invalid(let violation) where violation.field == .date {
            throw UsageError(
                "--date is for tracks without times; this one has them", "--date는 시각이 없는 기록에만 씁니다. 이 기록에는 시각이 있습니다")
        } catch TravelError.invalid(let violation) {
            throw FileError(file, CommandError(.invalid(violation)))
        }
        if track.omittedPoints > 0 {
            let count = track.omittedPoints
            Standard.note(
                app.language.say(
                    count == 1
                        ? "1 point cannot be read; it is left out"
                        : "\(count) points cannot be read; they are left out",
                    "읽을 수 없는 지점 \(count)개를 뺐습니다"))
        }
        note(imported, in: app.language)
        let change = ImportedChange(of: former?.trip, to: imported.trip, keepsFormer: true)
        await end(
            journal, with: imported.trip.version == former?.trip.version ? [] : [change],
            replacing: former.map { [$0] } ?? [], in: app)
        return try await output(imported.trip, in: app)
    }

    /// Asks whether to replace the trip of an earlier import, unless an option says so.
    private func requireReplacement(of trip: RecordedTrip, in language: Language) throws {
        if replaces { return }
        let (title, id) = (trip.content.title, trip.id)
        let isYes = try Confirmation.answer(
            to: language.say(
                "'\(title)' (\(id)) was imported from this track. Replace its entries of that import?",
                "이 기록에서 가져온 '\(title)' (\(id))이(가) 있습니다. 그때의 기록을 바꿀까요?"))
        if isYes == true { return }
        throw FileError(
            file, "'\(title)' (\(id)) was imported from this track; replace its entries with --replace",
            "이 기록에서 가져온 '\(title)' (\(id))이(가) 있습니다. --replace로 바꿀 수 있습니다", .dataError)
    }

    private func output(_ trip: RecordedTrip?, in app: App) async throws -> String {
        guard let trip else { return "" }
        if store.isJSON {
            let viewer = try await app.session.session()?.user
            return try TripJSON.text([try await app.store.trip(trip.id, viewer: viewer)])
        }
        let (content, photos) = (trip.content, trip.timeline.reduce(0) { $0 + $1.pictures.count })
        let pictures = photos == 0 ? "" : "  " + app.language[FolderImport.photos(photos)]
        return "\(trip.id)  \(content.title)  \(content.region.name(in: app.language))  \(content.days.text)  "
            + "\(app.language[.entries(trip.timeline.count)])\(pictures)\n"
    }

    /// The name of a file without what tells its format.
    static func title(ofFileNamed name: String) -> String {
        guard TravelFileReader.Format(ofFileNamed: name) != nil else { return name }
        let rest = name.split(separator: ".", omittingEmptySubsequences: false)
        return rest.dropLast(name.lowercased().hasSuffix(".gz") ? 2 : 1).joined(separator: ".")
    }

    /// What the user may want to correct, one line each.
    private func note(_ imported: ImportedTrack, in language: Language) {
        func note(_ english: String, _ korean: String) { Standard.note(language.say(english, korean)) }
        if imported.regionOrigin == .guess {
            let region = imported.trip.content.region.rawValue
            note(
                "the track is far from any known place: the region \(region) is a guess; specify another with --region",
                "아는 장소에서 먼 기록이라 지역을 \(region)(으)로 추정했습니다. --region으로 바꿀 수 있습니다")
        }
        if imported.dayOrigin == .marks || imported.dayOrigin == .file {
            let day = imported.trip.content.days.first
            note(
                "no point of the track has a plausible time: the day \(day) is a guess; specify another with --date",
                "가능한 시각이 있는 지점이 없어 날짜를 \(day)(으)로 추정했습니다. --date로 바꿀 수 있습니다")
        }
        let zones = imported.timeZones.joined(separator: ", ")
        switch imported.timeZoneOrigin {
        case .given, .korea: break
        case .coordinates:
            note(
                "the local times are those of \(zones), where the track is; specify another with --timezone",
                "현지 시각은 기록이 있는 \(zones) 시간대입니다. --timezone으로 바꿀 수 있습니다")
        case .longitude:
            note(
                "a part of the track is at sea: the local times there are a guess, \(zones) by longitude; specify the time zone "
                    + "with --timezone",
                "바다에서는 현지 시각을 경도에 따라 \(zones)(으)로 추정했습니다. --timezone으로 바꿀 수 있습니다")
        }
        if imported.estimatedTimes > 0 {
            let count = imported.estimatedTimes
            note(
                count == 1
                    ? "1 point had no time; it was estimated" : "\(count) points had no time; they were estimated",
                "시각이 없는 지점 \(count)개의 시각을 추정했습니다")
        }
        if imported.shortenedTexts > 0 {
            let count = imported.shortenedTexts
            note(
                count == 1
                    ? "1 text was too long; it is shortened and ends with …"
                    : "\(count) texts were too long; they are shortened and end with …",
                "너무 긴 글 \(count)개를 줄이고 끝에 …를 붙였습니다")
        }
        let marks = imported.omittedMarks
        if !marks.isEmpty {
            let count = marks.count
            let names = marks.prefix(30).map {
                $0.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(40)
            }
            let list = names.joined(separator: ", ") + (count > names.count ? ", …" : "")
            note(
                "\(count) marked \(count == 1 ? "place was" : "places were") left out of very full days: \(list)",
                "기록이 많은 날의 표시한 장소 \(count)개를 뺐습니다: \(list)")
        }
        if imported.omittedEntries > marks.count {
            let count = imported.omittedEntries - marks.count
            note(
                "\(count) short \(count == 1 ? "stop was" : "stops were") left out of very full days",
                "기록이 많은 날의 짧은 정차 \(count)개를 뺐습니다")
        }
    }

    private static func timeZone(_ name: String) throws -> String {
        let zones = TimeZoneMap.shared
        if zones.offset(of: name, at: Date()) != nil { return name }
        let similar = zones.names(like: name).prefix(5).joined(separator: ", ")
        throw UsageError(
            "unknown time zone '\(name)'; "
                + (similar.isEmpty ? "use an IANA name such as Europe/Lisbon" : "did you mean \(similar)?"),
            "'\(name)'은(는) 모르는 시간대입니다. " + (similar.isEmpty ? "Europe/Lisbon 같은 IANA 이름을 쓰세요" : "혹시 \(similar)?"))
    }
}

/// The contents of a file to be imported, whatever its format.
enum ImportedFile {
    case trips([ExportedTrip])
    /// A recorded track, or points and lines by another program.
    case track(Track)

    /// Reads the file at `path`, or standard input for `-`.
    ///
    /// - Throws: `FileError` with the problem and the remedy.
    init(at path: String, as format: TravelFileReader.Format?) throws {
        if format == nil, let named = ExportFormat(ofFileAt: path), named == .svg || named == .html {
            let known = TravelFileReader.Format.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError(
                "svg and html cannot be imported; use one of: \(known)",
                "svg와 html은 보기 위한 파일입니다. 다음 형식을 가져오세요: \(known)")
        }
        do {
            let reader = TravelFileReader()
            let contents =
                path == "-"
                ? try reader.contents(of: Self.standardInput(), as: format)
                : try reader.contents(at: URL(fileURLWithPath: path), as: format)
            switch contents {
            case .trips(let trips): self = .trips(trips)
            case .track(let track): self = .track(track)
            }
        } catch let error as TravelFileError {
            throw FileError(path, error.description, error.korean, error.problem.isUnreadable ? .noInput : .dataError)
        }
        if case .track(let track) = self, track.isEmpty {
            throw FileError(path, "it contains no points", "기록된 지점이 없습니다", .dataError)
        }
    }

    /// Reads a file that was picked in the app.
    ///
    /// - Throws: `FileError` with the problem and the remedy.
    init(_ data: Data, named name: String) throws {
        do {
            switch try TravelFileReader().contents(of: data) {
            case .trips(let trips): self = .trips(trips)
            case .track(let track): self = .track(track)
            }
        } catch {
            throw FileError(name, error.description, error.korean, .dataError)
        }
        if case .track(let track) = self, track.isEmpty {
            throw FileError(name, "it contains no points", "기록된 지점이 없습니다", .dataError)
        }
    }

    /// Standard input can be read once only, so that it is read as a whole first.
    private static func standardInput() throws -> Data {
        // One byte more than any reader takes, so that a larger one is noticed.
        try FileHandle.standardInput.read(upToCount: TravelFileReader.maximumSize + 1) ?? Data()
    }
}

extension ExportedTrip {
    /// The same trip for everyone.
    fileprivate func visible() throws(TravelError) -> ExportedTrip {
        try ExportedTrip(trip.with(Audience.everyone), images: images)
    }

    /// The same trip as a new one by `author`, with new IDs for itself, its entries and its images.
    func copy(by author: User, at now: Date) throws(TravelError) -> ExportedTrip {
        var newImages: [TripImage.ID: TripImage] = [:]
        for image in images { newImages[image.id] = try TripImage(bytes: image.bytes) }
        var content = trip.content
        content.thumbnail = content.thumbnail.flatMap { newImages[$0]?.id }
        let copies = newImages.mapValues(\.id)
        let timeline = try trip.timeline.map { entry throws(TravelError) in try entry.copied(showing: copies) }
        return try ExportedTrip(
            RecordedTrip(author: author, createdAt: now, content: content, timeline: timeline, track: trip.track),
            images: Array(newImages.values))
    }
}

/// The errors of files in Korean.
extension TravelFileError {
    /// One line: place, problem, remedy.
    var korean: String {
        switch place {
        case .line(let line, let column?): "\(line)행 \(column)열: \(koreanSentence)"
        case .line(let line, nil): "\(line)행: \(koreanSentence)"
        case .path(let path): "\(path): \(koreanSentence)"
        case nil: koreanSentence
        }
    }

    private var koreanSentence: String {
        switch problem {
        case .unreadable: "파일을 읽을 수 없습니다. 경로와 권한을 확인하세요."
        case .empty: "빈 파일입니다. 다시 내보내세요."
        case .tooLarge(let bytes): "파일이 \(bytes >> 20) MiB보다 큽니다. 여러 파일로 나누세요."
        case .tooDeep(let depth): "값이 \(depth)단계보다 깊습니다. 다시 내보내세요."
        case .notJSON: "JSON 파일이 아닙니다. 다른 파일을 고르거나 JSON으로 내보내세요."
        case .malformedJSON(let fault): "JSON 형식이 잘못되었습니다 (\(fault)). 고치거나 다시 내보내세요."
        case .truncated: "파일이 중간에 끝납니다. 다시 복사하거나 내보내세요."
        case .otherKind: "다른 종류의 JSON 파일입니다. 다른 파일을 고르세요."
        case .unsupportedVersion(let version, let supported):
            "파일 버전이 \(version)인데 \(supported)까지만 읽을 수 있습니다. traveline을 업데이트하세요."
        case .missing(let key): "값 \"\(key)\"이(가) 없습니다. 더하거나 다시 내보내세요."
        case .unexpected(let expected): "잘못된 값입니다 (필요한 값: \(expected)). 고치세요."
        case .invalid(let violation): violation.text.korean
        case .missingImage(let id): "사진 \(id)이(가) 파일에 없습니다. 더하거나 참조를 지우세요."
        case .duplicate(let id): "ID \(id)이(가) 두 번 나옵니다. 하나를 지우거나 바꾸세요."
        case .notKML: "KML 파일이 아닙니다. KML이나 GPX로 내보내세요."
        case .notTCX: "TCX 파일이 아닙니다. TCX나 GPX로 내보내세요."
        case .position: "지점의 위치가 127.0,37.5 같은 경도와 위도가 아닙니다. 고치세요."
        case .damagedArchive: "압축을 풀 수 없는 파일입니다. 다시 복사하거나 내보내세요."
        case .notGPX: "GPX 파일이 아닙니다. GPX로 내보내세요."
        case .unsupportedGPX: "지원하지 않는 GPX 버전입니다. GPX 1.1이나 1.0으로 내보내세요."
        case .malformedXML: "XML 형식이 잘못되었습니다. 고치거나 다시 내보내세요."
        case .limit(let limit): "읽을 수 있는 한도를 넘습니다 (\(limit)). 파일을 줄이거나 다시 내보내세요."
        case .documentType: "GPX에 없는 문서 형식 선언이 있습니다. <!DOCTYPE …> 부분을 지우세요."
        case .coordinate(.latitude, _): "지점의 위도가 없거나 -90에서 90 사이의 수가 아닙니다. 고치세요."
        case .coordinate(.longitude, _): "지점의 경도가 없거나 -180에서 180 사이의 수가 아닙니다. 고치세요."
        case .elevation: "고도가 미터 단위의 수가 아닙니다. 고치거나 빼세요."
        case .time: "시각이 2024-05-01T09:30:00Z 형식이 아닙니다. 고치거나 빼세요."
        }
    }
}
