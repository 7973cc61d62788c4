import Foundation
import TravelDataFiles
import TravelDomain
import TravelPages
import TravelPresentation

/// `traveline export`: writes trips to a file for other programs, for people, or for another database.
struct ExportCommand: CommandLineCommand {
    static let help = CommandHelp(
        name: "export",
        summary: Text(
            "writes trips to a file: GPX, GeoJSON, JSON, map, page", "여행을 파일로 내보내기: GPX, GeoJSON, JSON, 지도, 페이지"),
        usage: [
            "export ID [--format NAME] [--output FILE] [--force]",
            "export ID…|--mine [--output FILE.json] [--force]",
        ],
        notes: [
            Text(
                "json contains everything, including pictures, and several trips: importing it restores the same trips. "
                    + "geojson and gpx are for maps and GPS receivers; svg is a map, and html a web page, each in one "
                    + "file.",
                "json에는 사진까지 모두 담기고 여행이 여럿 들어가며, 가져오면 같은 여행이 됩니다. geojson과 gpx는 지도와 수신기용이고, svg는 지도, html은 "
                    + "읽기 위한 페이지이며 각각 파일 하나입니다."),
            Text(
                "The pictures in a page have no location, time or camera in their metadata, and at most 1,280 pixels in a "
                    + "direction (on Linux with vips; Debian: libvips-tools).",
                "페이지의 사진에는 찍은 곳, 때, 기기가 남지 않으며, 크기는 최대 1,280픽셀입니다(리눅스에서는 vips가 있을 때, 데비안: libvips-tools)."),
            Text("What the format cannot hold is named on standard error.", "형식에 담기지 않는 내용은 표준 오류에 알립니다."),
            Text(
                "Without --output, the file goes to standard output. Without --format, the extension of the file name "
                    + "decides; the default is json.",
                "--output이 없으면 표준 출력에 씁니다. --format이 없으면 파일 이름의 끝으로 정하거나 json이 됩니다."),
        ],
        words: .trips,
        options: [
            .format(ExportFormat.allCases.map(\.rawValue)),
            OptionHelp(
                "--output", "FILE", completes: .files,
                Text("the file to write; - for standard output", "쓸 파일, -이면 표준 출력")),
            OptionHelp("--mine", Text("all of your trips", "내 여행 모두")),
            OptionHelp("--force", Text("overwrite an existing file", "있는 파일 덮어쓰기")),
        ],
        examples: [
            ("export 6f1c2c1e --output trip.html", Text("a page that opens in any browser", "어느 브라우저에서나 열리는 페이지")),
            ("export 6f1c2c1e --format gpx > trip.gpx", Text("the places for a GPS receiver", "GPS 수신기용 장소")),
            ("export --mine --output backup.json", Text("all your trips with their pictures", "내 여행 모두를 사진과 함께")),
        ])

    let ids: [Identification]
    let format: ExportFormat
    let output: String?
    let areMine: Bool
    let isForced: Bool
    let store: StoreOptions

    init(_ arguments: Arguments) throws {
        ids = try arguments.words.map { try Identification($0) }
        areMine = arguments.has("--mine")
        isForced = arguments.has("--force")
        store = try StoreOptions(arguments)
        output = arguments.value("--output").flatMap { $0 == "-" ? nil : $0 }
        if output == "" { throw UsageError("--output needs the path of a file", "--output에는 파일 경로가 필요합니다") }
        let format = try arguments.format()
        if let output, format == nil, ExportFormat(ofFileAt: output) == nil {
            let known = ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError(
                "cannot tell the format from the name '\(output)'; add --format with one of: \(known)",
                "'\(output)'(으)로는 형식을 알 수 없습니다. --format으로 고르세요: \(known)")
        }
        self.format = format ?? output.flatMap { ExportFormat(ofFileAt: $0) } ?? .json
        if ids.isEmpty, !areMine { throw Self.missing("the ID of a trip, or --mine", "여행 ID 또는 --mine") }
        if areMine, !ids.isEmpty {
            throw UsageError("--mine exports all of your trips; omit the IDs", "--mine은 내 여행을 모두 내보냅니다. ID는 빼세요")
        }
        if ids.count > 1 || areMine, !self.format.holdsSeveral {
            throw UsageError(
                "a file in the format \(self.format.rawValue) holds one trip; several fit into json",
                "\(self.format.rawValue) 파일에는 여행이 하나만 들어갑니다. 여럿은 json으로 내보내세요")
        }
    }

    func run() async throws {
        if let output, !isForced, FileManager.default.fileExists(atPath: output), !Self.isDevice(output) {
            throw FileError(
                output, "the file already exists; overwrite it with --force",
                "이미 있는 파일입니다. --force로 덮어쓰세요", .cannotCreate)
        }
        let (data, count, language) = try await App.run(store) { app in
            var trips: [ExportedTrip] = []
            let progress = ProgressLine(environment: ProcessInfo.processInfo.environment)
            defer { progress.clear() }
            let all = try await tripIDs(in: app)
            for id in all {
                progress.show(done: trips.count, of: all.count, app.language[.trips(all.count)])
                trips.append(try await app.exported(id))
            }
            if trips.isEmpty {
                throw CommandError("you have no trips yet", "아직 여행이 없습니다", .dataError)
            }
            var omitted: [TripImage] = []
            let pictures = format == .html ? try await Self.pictures(of: trips[0]) : [:]
            let data = try format.data(for: trips, in: app.language, pictures) { image in
                if !omitted.contains(where: { $0.id == image.id }) { omitted.append(image) }
            }
            progress.clear()
            if let omission = format.omission(from: trips[0].trip, in: app.language) { Standard.note(omission) }
            for format in ImageFormat.allCases {
                let count = omitted.count { $0.format == format }
                if count > 0 { Standard.note(Self.omission(of: count, format, in: app.language)) }
            }
            return (data, trips.count, app.language)
        }
        guard let output else { return try Standard.write(data) }
        do {
            try Self.write(data, to: output)
        } catch {
            let isFull = (error as? CocoaError)?.code == .fileWriteOutOfSpace
            throw isFull
                ? FileError(output, "the disk is full; free space on it", "디스크에 남은 공간이 없습니다. 공간을 확보하세요", .cannotCreate)
                : FileError(
                    output, "the file cannot be written; check the folder and its permissions",
                    "파일을 쓸 수 없습니다. 폴더와 권한을 확인하세요", .cannotCreate)
        }
        Standard.note(
            language.say("\(output): \(language[.trips(count)]) written", "\(output): \(language[.trips(count)])를 썼습니다")
        )
    }

    /// Replaces the file as a whole, so that no half of it remains; a link stays, and leads to the new file. A device or a
    /// pipe is written to.
    private static func write(_ data: Data, to path: String) throws {
        guard isDevice(path) else {
            return try data.write(to: URL(fileURLWithPath: path).resolvingSymlinksInPath(), options: .atomic)
        }
        guard let file = FileHandle(forWritingAtPath: path) else { throw CocoaError(.fileWriteNoPermission) }
        try file.write(contentsOf: data)
        try file.close()
    }

    /// Whether the path leads to a device or a pipe, such as `/dev/null` or `/dev/stdout`.
    private static func isDevice(_ path: String) -> Bool {
        var information = stat()
        guard stat(path, &information) == 0 else { return false }
        return ![S_IFREG, S_IFDIR].contains(information.st_mode & S_IFMT)
    }

    /// The pictures that others see of a trip, as a page shows them: in the middle size, where there is a converter.
    private static func pictures(of exported: ExportedTrip) async throws -> [TripImage.ID: PagePicture] {
        let shown = try exported.trip.seenByOthers.images
        let images = exported.images.filter { shown.contains($0.id) }
        return try await withThrowingTaskGroup(of: (TripImage.ID, PagePicture?).self) { group in
            var pictures: [TripImage.ID: PagePicture] = [:]
            for (index, image) in images.enumerated() {
                // Each may run a process, which takes the memory of a decoded picture.
                if index >= ProcessInfo.processInfo.activeProcessorCount, let (id, picture) = try await group.next() {
                    pictures[id] = picture
                }
                group.addTask { (image.id, try await picture(of: image)) }
            }
            for try await (id, picture) in group { pictures[id] = picture }
            return pictures
        }
    }

    private static func picture(of image: TripImage) async throws -> PagePicture? {
        do {
            let shared = try await SharedPicture(image, longestSide: PictureSize.middle.longestSide, by: App.pictures)
            return shared.map { PagePicture(mediaType: $0.mediaType, bytes: $0.bytes) }
        } catch is PictureConversionError {
            // It is named with the other pictures that are not in the page.
            return nil
        }
    }

    /// Says that pictures are not in the file, why, and what to do.
    private static func omission(of count: Int, _ format: ImageFormat, in language: Language) -> String {
        let name = format.rawValue.uppercased()
        let isUnknown = App.pictures == nil && (format == .heic || format == .avif)
        let english = count == 1 ? "1 picture is not in the page" : "\(count) pictures are not in the page"
        return language.say(
            "\(english): "
                + (isUnknown
                    ? "convert \(name) to JPEG first, or install vips (Debian: libvips-tools)"
                    : "the \(name) file is damaged")
                + "; --format json keeps every picture",
            "사진 \(count)장이 페이지에 없습니다. "
                + (isUnknown ? "\(name)은(는) 먼저 JPEG으로 바꾸거나 vips를 설치하세요(데비안: libvips-tools)" : "\(name) 파일이 손상되었습니다")
                + ". --format json에는 모든 사진이 들어갑니다")
    }

    private func tripIDs(in app: App) async throws -> [Trip.ID] {
        if !areMine { return try await app.trips(ids) }
        let author = try await app.requireUser().id
        var trips: [Trip.ID] = []
        var cursor: TripCursor?
        repeat {
            let page = try await app.searchTrips(TripCriteria(author: author), after: cursor)
            trips += page.trips.map(\.id)
            cursor = page.next
        } while cursor != nil
        return trips
    }
}

enum ExportFormat: String, CaseIterable, Sendable {
    case json, geojson, gpx, svg, html

    /// The format for the extension of a file name.
    init?(ofFileAt path: String) {
        let ending = URL(fileURLWithPath: path).pathExtension.lowercased()
        self.init(rawValue: ending == "htm" ? "html" : ending)
    }

    /// Whether a file can hold several trips.
    var holdsSeveral: Bool { self == .json }

    /// Says what no file of this format can hold of a trip, and which one does; `nil` if there is nothing of that.
    ///
    /// A map is a drawing: it lacks no texts and no pictures, but every stop without a place on it.
    func omission(from trip: RecordedTrip, in language: Language) -> String? {
        let timeline = trip.timeline.seen(byAuthor: false)
        let entries = timeline.count { $0.coordinate == nil }
        let pictures = Set(timeline.flatMap(\.pictures).map(\.id)).count
        var parts: [String] = []
        if self == .gpx || self == .svg, entries > 0 {
            parts.append(
                language.say(
                    entries == 1 ? "1 entry without a position" : "\(entries) entries without a position",
                    "위치가 없는 기록 \(entries)개"))
        }
        if self == .gpx { parts += Self.traits(of: trip.content, in: language) }
        if self == .gpx || self == .geojson, pictures > 0 {
            parts.append(language.say(pictures == 1 ? "1 picture" : "\(pictures) pictures", "사진 \(pictures)장"))
        }
        let positions = trip.timeline.positionsOfAuthor
        if self != .json, positions > 0 {
            parts.append(
                language.say(
                    positions == 1
                        ? "1 position of a picture that only you see"
                        : "\(positions) positions of pictures that only you see",
                    "나만 보는 사진 위치 \(positions)개"))
        }
        guard let last = parts.popLast() else { return nil }
        let name =
            switch self {
            case .svg: language.say("the map", "지도")
            case .html: language.say("the page", "페이지")
            case .gpx: "GPX"
            case .geojson: "GeoJSON"
            case .json: "JSON"
            }
        let list = parts.joined(separator: ", ")
        return language.say(
            "\(name) leaves out \(list.isEmpty ? last : "\(list) and \(last)"); --format json keeps everything",
            "\(name)에 담기지 않음: \((parts + [last]).joined(separator: ", ")). --format json에는 모두 들어갑니다")
    }

    /// The names of the traits that a trip has.
    private static func traits(of content: TripContent, in language: Language) -> [String] {
        let traits = TripCriteria(traitsOf: content)
        return FilterKind.allCases.filter { !traits.options(of: $0).isEmpty }.map { kind in
            language.say("the \(kind.name(in: .english).lowercased())", kind.name(in: .korean))
        }
    }

    /// The file. `omitted` is called for each image that should be in it, and is not among the pictures for a page.
    func data(
        for trips: [ExportedTrip], in language: Language, _ pictures: [TripImage.ID: PagePicture],
        omitted: (TripImage) -> Void
    ) throws -> Data {
        let exported = trips[0]
        // A file for other people and programs has what they would see of the trip; JSON is the copy that has everything.
        let seen = try exported.trip.seenByOthers
        return switch self {
        case .json: try TravelJSONWriter().data(for: trips)
        case .geojson: try GeoJSONWriter().data(for: seen)
        case .gpx: GPXWriter(zones: TimeZoneMap.shared).data(for: seen)
        case .svg: MapWriter(language: language).data(for: seen)
        case .html:
            PageWriter(language: language).data(for: seen) { id in
                guard let image = exported.images.first(where: { $0.id == id }) else { return nil }
                if pictures[id] == nil { omitted(image) }
                return pictures[id]
            }
        }
    }
}
