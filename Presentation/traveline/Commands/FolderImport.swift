import Foundation
import TravelDataFiles
import TravelDomain
import TravelPresentation

/// The import of a folder, or of several files: photos and tracks together, as one trip.
struct FolderImport: Sendable {
    private let paths: [String]
    private let choices: ImportPhotos.Choices

    /// `nil` for one file that is no photo.
    init?(_ paths: [String], _ choices: ImportPhotos.Choices) {
        let isOne = paths.count == 1 && !Self.isFolder(paths[0]) && Self.photoFormat(of: paths[0]) == nil
        if isOne || paths.isEmpty { return nil }
        self.paths = paths
        self.choices = choices
    }

    /// The most files that are read.
    private static let maximumCount = 20_000

    private static func isFolder(_ path: String) -> Bool {
        if path.hasSuffix("/") { return true }
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private static func photoFormat(of path: String) -> ImageFormat? {
        guard let file = try? FileHandle(forReadingFrom: URL(fileURLWithPath: path)),
            let start = try? file.read(upToCount: 12)
        else { return nil }
        return ImageFormat(of: start)
    }

    /// The files of the folders, in the order of their names, without hidden ones, and the others as they were named.
    private func files() throws -> [(path: String, isNamed: Bool)] {
        var files: [(path: String, isNamed: Bool)] = []
        for path in paths {
            guard Self.isFolder(path) else {
                files.append((path, true))
                continue
            }
            let folder = FileManager.default.enumerator(
                at: URL(fileURLWithPath: path), includingPropertiesForKeys: [.isRegularFileKey],
                options: [.skipsHiddenFiles, .skipsPackageDescendants])
            var found: [String] = []
            while let file = folder?.nextObject() as? URL {
                if (try? file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true {
                    found.append(file.path)
                }
                if found.count + files.count > Self.maximumCount {
                    throw FileError(
                        path, "it has more than \(Self.maximumCount) files; import parts of it",
                        "파일이 \(Self.maximumCount)개보다 많습니다. 나누어 가져오세요", .dataError)
                }
            }
            files += found.sorted { $0.compare($1, options: [.numeric, .caseInsensitive]) == .orderedAscending }
                .map { ($0, false) }
        }
        return files
    }

    /// What the files are.
    private struct Contents {
        var photos: [(file: PhotoFile, path: String)] = []
        var tracks: [(track: Track, path: String)] = []
        /// The name of the first file of a track.
        var trackName: String?
        /// The files that are left out, each with the reason.
        var omitted: [(path: String, reason: Text)] = []
        var others: [String] = []
    }

    private func contents(_ progress: (Int, Int) -> Void) throws -> Contents {
        var contents = Contents()
        let files = try files()
        for (number, (path, isNamed)) in files.enumerated() {
            try Task.checkCancellation()
            progress(number, files.count)
            if Self.photoFormat(of: path) != nil {
                try add(photo: path, to: &contents)
            } else if isNamed || TravelFileReader.Format(ofFileNamed: path) != nil {
                try add(track: path, isNamed: isNamed, to: &contents)
            } else {
                contents.others.append(path)
            }
        }
        return contents
    }

    private func add(photo path: String, to contents: inout Contents) throws {
        guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe) else {
            contents.omitted.append((path, Text("it cannot be read", "읽을 수 없습니다")))
            return
        }
        guard bytes.count <= TripImage.maximumSize else {
            contents.omitted.append((path, Text("it is larger than 10 MiB", "10MiB보다 큽니다")))
            return
        }
        let name = URL(fileURLWithPath: path).lastPathComponent
        contents.photos.append((PhotoFile(name: name, bytes: bytes), path))
    }

    private func add(track path: String, isNamed: Bool, to contents: inout Contents) throws {
        do {
            switch try ImportedFile(at: path, as: nil) {
            case .track(let track):
                contents.tracks.append((track, path))
                let name = URL(fileURLWithPath: path).lastPathComponent
                contents.trackName = contents.trackName ?? track.name ?? ImportCommand.title(ofFileNamed: name)
            case .trips:
                contents.omitted.append(
                    (path, Text("it has exported trips; import it alone", "내보낸 여행입니다. 따로 가져오세요")))
            }
        } catch let error as FileError where !isNamed {
            contents.omitted.append((path, error.problem))
        }
    }

    /// Imports the files, keeps each write in the journal, and says what was guessed and left out.
    func add(to app: App, _ journal: ImportJournal) async throws -> ImportedPhotos {
        let progress = ProgressLine(environment: ProcessInfo.processInfo.environment)
        defer { progress.clear() }
        let contents = try contents { done, all in progress.show(done: done, of: all, app.language[Self.photos(all)]) }
        if contents.photos.isEmpty, contents.tracks.isEmpty {
            progress.clear()
            tell(contents, in: app.language)
            throw FileError(paths[0], "there are no photos or tracks", "사진도 이동 기록도 없습니다", .dataError)
        }
        var choices = choices
        let trackName = contents.tracks.count == 1 ? contents.trackName : nil
        choices.title = choices.title ?? trackName ?? folderName ?? contents.trackName
        let paths = Dictionary(contents.photos.map { ($0.file, $0.path) }) { first, _ in first }
        let imported: ImportedPhotos
        do {
            imported = try await app.importPhotos(
                contents.photos.map(\.file), tracks: contents.tracks.map(\.track), choices
            ) { done in
                progress.show(done: done, of: contents.photos.count, app.language[Self.photos(contents.photos.count)])
            } willStore: { stored, planned in
                await journal.willWrite(planned, over: stored)
            } image: { photo, id in
                guard let path = paths[photo] else { return nil }
                return try await ImageFile(path: path).picture(id)
            }
        } catch TravelError.conflict(.trip(let id)) {
            throw CommandError(
                "trip \(id) of other days has these photos; to import them by other clocks, delete it first: traveline delete \(id)",
                "다른 날짜의 여행 \(id)에 이미 있는 사진입니다. 다른 시계로 다시 가져오려면 먼저 지우세요: traveline delete \(id)", .dataError)
        } catch TravelError.invalid(.init(.image, .empty)) {
            throw FileError(
                self.paths[0], "none of the photos says when it was taken; write them with traveline write --image",
                "찍은 때를 아는 사진이 없습니다. traveline write --image로 쓰세요", .dataError)
        }
        progress.clear()
        tell(contents, in: app.language)
        tell(imported, of: contents, in: app.language)
        if imported.trip == nil {
            throw FileError(self.paths[0], "none of its photos can be stored", "저장할 수 있는 사진이 없습니다", .dataError)
        }
        return imported
    }

    private var folderName: String? {
        paths.count == 1 && Self.isFolder(paths[0])
            ? URL(fileURLWithPath: paths[0]).standardizedFileURL.lastPathComponent : nil
    }

    // MARK: What is said

    static func photos(_ count: Int) -> Text {
        Text(count == 1 ? "1 photo" : "\(count) photos", "사진 \(count)장")
    }

    /// What was left out of the files.
    private func tell(_ contents: Contents, in language: Language) {
        for (path, reason) in contents.omitted {
            Standard.note(language.say("\(path) is left out: \(reason.english)", "\(path)을(를) 뺐습니다: \(reason.korean)"))
        }
        if !contents.others.isEmpty {
            let names = Self.list(contents.others.map { URL(fileURLWithPath: $0).lastPathComponent })
            let count = contents.others.count
            Standard.note(
                language.say(
                    "\(count == 1 ? "1 file is neither a photo nor a track" : "\(count) files are neither photos nor tracks"): \(names)",
                    "사진도 이동 기록도 아닌 파일 \(count)개: \(names)"))
        }
    }

    /// What was added, guessed and corrected.
    private func tell(_ imported: ImportedPhotos, of contents: Contents, in language: Language) {
        func note(_ english: String, _ korean: String) { Standard.note(language.say(english, korean)) }
        let added = Self.photos(imported.added)
        let there = imported.alreadyThere
        note(
            "\(added.english) added" + (there == 0 ? "" : "; \(there) \(there == 1 ? "was" : "were") there already"),
            "\(added.korean)을 더했습니다" + (there == 0 ? "" : ". \(there)장은 이미 있었습니다"))
        for (trip, count) in imported.elsewhere {
            note(
                "\(count == 1 ? "1 file is" : "\(count) files are") in another trip, “\(trip.title)” (\(trip.id))",
                "파일 \(count)개는 다른 여행 '\(trip.title)'(\(trip.id))에 있습니다")
        }
        for clock in imported.clocks {
            let camera = clock.camera ?? language.say("cameras without a name", "이름 없는 카메라")
            let offset = Self.text(ofMinutes: clock.offset)
            if clock.isEstimated {
                note(
                    "the clock of \(camera) is off by \(offset), by the positions of its photos on the track; correct it otherwise "
                        + "with --camera-offset",
                    "\(camera)의 시계를 사진이 찍힌 경로의 위치에 따라 \(offset) 고쳤습니다. --camera-offset으로 바꿀 수 있습니다")
            } else {
                note("\(offset) added to the clock of \(camera)", "\(camera)의 시계에 \(offset) 더했습니다")
            }
        }
        if !choices.cameraOffsets.isEmpty, there > 0 {
            note(
                "photos that were there keep their times; to import them by other clocks, undo the import or delete the trip first",
                "이미 있던 사진의 시각은 그대로입니다. 다른 시계로 가져오려면 먼저 가져오기를 되돌리거나 여행을 지우세요")
        }
        let cameras = imported.uncertain.sorted { ($0.key ?? "") < ($1.key ?? "") }
        for (camera, count) in cameras where imported.added > 0 && (cameras.count > 1 || !imported.tracks.isEmpty) {
            let (photos, name) = (Self.photos(count), camera.map { " (\($0))" } ?? "")
            note(
                "\(photos.english)\(name): the clock does not say its zone, and counts as local; if it was wrong, specify "
                    + "--camera-offset",
                "\(photos.korean)\(name): 시간대를 알 수 없어 현지 시각으로 보았습니다. 시계가 틀렸다면 --camera-offset을 쓰세요")
        }
        if imported.regionOrigin == .guess, imported.tracks.isEmpty {
            let region = imported.trip?.content.region.rawValue ?? ""
            note(
                "the region \(region) is a guess; specify another with --region or 'traveline edit'",
                "지역을 \(region)(으)로 추정했습니다. --region이나 'traveline edit'로 바꿀 수 있습니다")
        }
        if imported.undated > 0 {
            let photos = Self.photos(imported.undated)
            note(
                imported.undated == 1
                    ? "1 photo has no time: it is where the photo before it is"
                    : "\(photos.english) have no time: each is where the photo before it is",
                "시각이 없는 \(photos.korean)은 앞 사진과 함께 두었습니다")
        }
        for (camera, photos) in Dictionary(grouping: imported.outside, by: \.camera).sorted(by: {
            ($0.key ?? "") < ($1.key ?? "")
        }) {
            let days = Set(photos.compactMap(\.taken?.day)).sorted()
            let span = days.isEmpty ? "" : days.count == 1 ? "\(days[0])" : "\(days[0]) – \(days[days.count - 1])"
            let (count, name) = (Self.photos(photos.count), camera.map { " (\($0))" } ?? "")
            note(
                "\(count.english)\(name) of other days, \(span), left out: \(Self.list(photos.map(\.name))); if the clock was wrong, "
                    + "import again with --camera-offset",
                "다른 날(\(span))의 \(count.korean)\(name)을 뺐습니다: \(Self.list(photos.map(\.name))). 시계가 틀렸다면 --camera-offset으로 다시 가져오세요"
            )
        }
        for number in imported.outsideTracks {
            let path = contents.tracks[number].path
            note("\(path) is of other days; import it alone", "\(path)은(는) 다른 날의 기록입니다. 따로 가져오세요")
        }
        if !imported.unusable.isEmpty {
            let names = Self.list(imported.unusable.map(\.name))
            let count = Self.photos(imported.unusable.count)
            note(
                "\(count.english) left out, whose metadata cannot be removed: \(names); convert them to JPEG, or install "
                    + "vips for HEIC and AVIF (Debian: libvips-tools)",
                "파일의 정보를 지울 수 없는 \(count.korean)을 뺐습니다: \(names). JPEG으로 변환하거나, HEIC와 AVIF라면 vips를 설치하세요(데비안: libvips-tools)"
            )
        }
    }

    private static func list(_ names: [String]) -> String {
        names.prefix(10).joined(separator: ", ") + (names.count > 10 ? ", …" : "")
    }

    static func text(ofMinutes minutes: Int) -> String {
        let (days, rest) = (abs(minutes) / 1_440, abs(minutes) % 1_440)
        let time = String(format: "%02d:%02d", rest / 60, rest % 60)
        return (minutes < 0 ? "-" : "+") + (days == 0 ? "" : "\(days)d ") + time
    }
}

extension Arguments {
    /// What to add to the clocks of cameras, in minutes: `+01:02`, `-3d`, `+5602d03:15`, or `NIKON D90=+01:02`.
    func cameraOffsets() throws -> [String?: Int] {
        var offsets: [String?: Int] = [:]
        for text in values("--camera-offset") {
            let parts = text.split(separator: "=", maxSplits: 1)
            let camera = parts.count == 2 ? String(parts[0]) : nil
            guard let minutes = Self.minutes(parts.last ?? "") else {
                throw UsageError(
                    "--camera-offset needs a time such as +01:02 or -3d, or a camera with one, such as 'NIKON D90=+01:02', not '\(text)'",
                    "--camera-offset에는 +01:02나 -3d 같은 시간, 또는 'NIKON D90=+01:02'처럼 카메라와 시간이 필요합니다: '\(text)'")
            }
            offsets[camera] = minutes
        }
        return offsets
    }

    private static func minutes(_ text: Substring) -> Int? {
        guard let match = text.wholeMatch(of: /([+-])(?:(\d{1,6})d)?(?:(\d{1,2}):([0-5]\d))?/),
            match.2 != nil || match.3 != nil
        else { return nil }
        let days = match.2.flatMap { Int($0) } ?? 0
        let time = (match.3.flatMap { Int($0) } ?? 0) * 60 + (match.4.flatMap { Int($0) } ?? 0)
        return (match.1 == "-" ? -1 : 1) * (days * 1_440 + time)
    }
}
