import Foundation
import TravelDataFiles
import TravelDomain
import TravelPresentation

extension App {
    /// Imports files that were picked in the app, and keeps that for ``undo()``.
    ///
    /// - Throws: The errors of ``ImportPhotos/trip(of:willStore:imported:)``.
    func importFiles(_ files: PickedFiles) async throws -> ImportedTrip {
        let journal = try await ImportJournal(self)
        do {
            return try await importPhotos.trip(of: files) { stored, planned in
                await journal.willWrite(planned, over: stored)
            } imported: { result in
                guard let trip = result.trip, trip.version != result.before?.version else {
                    _ = await journal.end(with: [])
                    return
                }
                _ = await journal.end(with: [ImportedChange(of: result.before, to: trip)])
            }
        } catch {
            _ = await journal.breakOff()
            throw error
        }
    }
}

extension ImportPhotos {
    /// Imports photos and tracks that were picked in an app; what was imported before changes nothing.
    ///
    /// - Parameters:
    ///   - willStore: Called before each write, as by the import itself.
    ///   - imported: Called after the last one.
    /// - Throws: `ScreenFailure.file` with the problem and the remedy when none of the files can be used; errors of the
    ///   repositories and of `willStore`.
    @concurrent
    func trip(
        of picked: PickedFiles,
        willStore: @Sendable (RecordedTrip?, RecordedTrip) async throws -> Void = { _, _ in },
        imported: @Sendable (ImportedPhotos) async -> Void = { _ in }
    ) async throws -> ImportedTrip {
        var contents = try PickedContents(picked.files)
        do {
            return try await trip(of: contents, picked, willStore, imported)
        } catch TravelError.conflict(.trip(let id)) {
            return ImportedTrip(id, .unchanged, leftOut: contents.leftOut)
        } catch TravelError.invalid(.init(.date, .empty)) {
            // Without the tracks whose days nobody knows.
            let problem = Text(
                "no point of the track has a plausible time; specify its day: traveline import FILE --date 2024-05-01",
                "가능한 시각이 있는 지점이 없습니다. 날짜를 지정해 가져오세요: traveline import FILE --date 2024-05-01")
            let untimed = contents.tracks.filter { !$0.track.hasTimes }
            contents.tracks.removeAll { !$0.track.hasTimes }
            contents.leftOut += untimed.map { LeftOutFile($0.name, problem) }
            guard !untimed.isEmpty, !contents.isEmpty else {
                throw ScreenFailure(leavingOut: contents.leftOut) ?? .unknown
            }
            return try await trip(of: contents, picked, willStore, imported)
        }
    }

    private func trip(
        of contents: PickedContents, _ picked: PickedFiles,
        _ willStore: @Sendable (RecordedTrip?, RecordedTrip) async throws -> Void,
        _ imported: @Sendable (ImportedPhotos) async -> Void
    ) async throws -> ImportedTrip {
        if contents.isEmpty { throw ScreenFailure(leavingOut: contents.leftOut) ?? .unknown }
        var choices = Choices()
        choices.title = contents.tracks.first.map { $0.track.name ?? ImportCommand.title(ofFileNamed: $0.name) }
        let files = Dictionary(contents.photos.map { ($0.photo, $0.file) }) { first, _ in first }
        let result: ImportedPhotos
        do {
            result = try await self(
                contents.photos.map(\.photo), tracks: contents.tracks.map(\.track), into: picked.trip, choices,
                willStore: willStore
            ) { photo, id in
                guard let bytes = try files[photo]?.read() else { return nil }
                return try await ImageFile.picture(id, bytes)
            }
        } catch TravelError.invalid(.init(.image, .empty)) {
            let undated = contents.photos.map { LeftOutFile($0.photo.name, .noTime) }
            throw ScreenFailure(leavingOut: contents.leftOut + undated) ?? .unknown
        }
        await imported(result)
        let leftOut = contents.leftOut + result.leftOut(of: contents)
        let isNew = result.before == nil
        let isChanged = result.added > 0 || result.addedTracks > 0
        guard let trip = result.trip, isChanged || result.alreadyThere > 0 || !result.tracks.isEmpty else {
            // Another trip has what is of these days.
            if let other = result.elsewhere.first {
                return ImportedTrip(other.trip.id, .unchanged, notes: result.notesElsewhere, leftOut: leftOut)
            }
            throw ScreenFailure(leavingOut: leftOut) ?? .unknown
        }
        return ImportedTrip(
            trip.id, isNew ? .made : isChanged ? .extended : .unchanged, notes: result.notes(contents),
            leftOut: leftOut)
    }
}

/// What picked files are.
private struct PickedContents {
    var photos: [(photo: PhotoFile, file: PickedFile)] = []
    var tracks: [(track: Track, name: String)] = []
    var leftOut: [LeftOutFile] = []

    var isEmpty: Bool { photos.isEmpty && tracks.isEmpty }

    /// Reads the files one after another, in the order of their names.
    ///
    /// - Throws: `CancellationError`; errors of reading other than `ScreenFailure`.
    init(_ files: [PickedFile]) throws {
        let files = files.sorted {
            $0.name.compare($1.name, options: [.numeric, .caseInsensitive]) == .orderedAscending
        }
        for file in files {
            try Task.checkCancellation()
            do {
                try add(file)
            } catch ScreenFailure.file(_, let problem) {
                leftOut.append(LeftOutFile(file.name, problem))
            } catch let error as FileError {
                leftOut.append(LeftOutFile(file.name, error.problem))
            }
        }
    }

    private mutating func add(_ file: PickedFile) throws {
        let bytes = try file.read()
        if ImageFormat(of: bytes.prefix(12)) != nil {
            guard bytes.count <= TripImage.maximumSize else {
                throw ScreenFailure.file(
                    file.name,
                    Text(
                        "the photo is larger than \(TripImage.maximumSize >> 20) MiB",
                        "사진이 \(TripImage.maximumSize >> 20)MiB보다 큽니다"))
            }
            photos.append((PhotoFile(name: file.name, bytes: bytes), file))
            return
        }
        switch try ImportedFile(bytes, named: file.name) {
        case .track(let track): tracks.append((track, file.name))
        case .trips:
            throw ScreenFailure.file(
                file.name,
                Text(
                    "this is not a track, but trips that traveline has exported; bring them back with: traveline import FILE",
                    "이동 기록이 아니라 traveline이 내보낸 여행입니다. 되살리려면: traveline import FILE"))
        }
    }
}

extension Track {
    fileprivate var hasTimes: Bool { segments.contains { $0.contains { $0.time != nil } } }
}

extension Text {
    fileprivate static let noTime = Text(
        "the photo does not say when it was taken; write an entry with it", "찍은 때를 알 수 없는 사진입니다. 기록에 직접 넣어 주세요")
    fileprivate static let otherDays = Text(
        "left out, because it is of days more than a week from the others", "날짜가 일주일 넘게 떨어져 있어 뺐습니다")
    fileprivate static let keepsMetadata = Text(
        "left out, because its metadata cannot be removed; convert it to JPEG", "파일의 정보를 지울 수 없어 뺐습니다. JPEG으로 변환하세요")
}

extension ImportedPhotos {
    fileprivate func leftOut(of contents: PickedContents) -> [LeftOutFile] {
        outside.map { LeftOutFile($0.name, $0.taken == nil ? .noTime : .otherDays) }
            + outsideTracks.map { LeftOutFile(contents.tracks[$0].name, .otherDays) }
            + unusable.map { LeftOutFile($0.name, .keepsMetadata) }
    }

    /// The trips that have some of the files already.
    fileprivate var notesElsewhere: [Text] {
        elsewhere.map { trip, count in
            Text(
                "\(count == 1 ? "1 of them is" : "\(count) of them are") in another trip, “\(trip.title)”.",
                "\(count)개는 다른 여행 '\(trip.title)'에 있습니다.")
        }
    }

    /// What the traveller may want to know or to correct, a sentence each.
    fileprivate func notes(_ contents: PickedContents) -> [Text] {
        var notes: [Text] = []
        if added > 0, added + addedTracks > 1 || alreadyThere > 0 {
            notes.append(Text("\(FolderImport.photos(added).english) added.", "사진 \(added)장을 더했습니다."))
        }
        if alreadyThere > 0, added + addedTracks > 0 {
            let photos = FolderImport.photos(alreadyThere)
            notes.append(
                Text(
                    "\(photos.english) \(alreadyThere == 1 ? "was" : "were") there already.",
                    "\(photos.korean)은 이미 있었습니다."))
        }
        for clock in clocks {
            let offset = FolderImport.text(ofMinutes: clock.offset)
            notes.append(
                Text(
                    "The clock of \(clock.camera ?? "a camera") is corrected by \(offset), by the track.",
                    "\(clock.camera ?? "카메라")의 시계를 경로에 따라 \(offset) 고쳤습니다."))
        }
        let photos = FolderImport.photos(uncertain.values.reduce(0, +))
        if added > 0, uncertain.count > 1 || !uncertain.isEmpty && !tracks.isEmpty {
            notes.append(
                Text(
                    "The times of \(photos.english) count as local ones.", "\(photos.korean)의 시각을 현지 시각으로 보았습니다."))
        }
        if undated > 0 {
            let photos = FolderImport.photos(undated)
            notes.append(
                Text(
                    undated == 1
                        ? "1 photo has no time: it is with the one before it."
                        : "\(photos.english) have no time: each is with the one before it.",
                    "시각이 없는 \(photos.korean)은 앞 사진과 함께 두었습니다."))
        }
        if regionOrigin == .guess, tracks.isEmpty, let region = trip?.content.region {
            notes.append(.guessed(region))
        }
        // Of a track that was there, everything has been said.
        if addedTracks > 0 {
            let points = contents.tracks.reduce(0) { $0 + $1.track.omittedPoints }
            for (number, track) in tracks.enumerated() {
                notes += track.notes(omittedPoints: number == 0 ? points : 0).filter { !notes.contains($0) }
            }
        }
        return notes + notesElsewhere
    }
}

extension Text {
    fileprivate static func guessed(_ region: Region) -> Text {
        Text("The region \(region.name(in: .english)) is a guess.", "여행지를 \(region.name(in: .korean))(으)로 추정했습니다.")
    }
}

extension ImportedTrack {
    /// What the traveller may want to correct, a sentence each.
    fileprivate func notes(omittedPoints: Int) -> [Text] {
        var notes: [Text] = []
        func note(_ english: String, _ korean: String) { notes.append(Text(english, korean)) }
        /// What happened to a number of things: `1 point`, `2 points`.
        func note(_ count: Int, _ one: String, _ several: String, _ korean: String) {
            if count > 0 { note("\(count) \(count == 1 ? one : several).", korean) }
        }
        if regionOrigin == .guess { notes.append(.guessed(trip.content.region)) }
        if dayOrigin == .marks || dayOrigin == .file {
            note("No point has a time: the day is a guess.", "시각이 있는 지점이 없어 날짜를 추정했습니다.")
        }
        let zones = timeZones.joined(separator: ", ")
        switch timeZoneOrigin {
        case .given, .korea: break
        case .coordinates: note("Local times are those of \(zones).", "현지 시각은 \(zones) 시간대입니다.")
        case .longitude: note("Local times are a guess: \(zones).", "현지 시각을 \(zones)(으)로 추정했습니다.")
        }
        note(
            omittedPoints, "point could not be read, and is left out", "points could not be read, and are left out",
            "읽을 수 없는 지점 \(omittedPoints)개를 뺐습니다.")
        note(
            estimatedTimes, "point had no time, which is estimated", "points had no time, which is estimated",
            "시각이 없는 지점 \(estimatedTimes)개의 시각을 추정했습니다.")
        note(
            shortenedTexts, "long text is shortened", "long texts are shortened", "너무 긴 글 \(shortenedTexts)개를 줄였습니다.")
        note(
            omittedEntries, "stop is left out of a very full day", "stops are left out of very full days",
            "기록이 많은 날의 정차 \(omittedEntries)개를 뺐습니다.")
        return notes
    }
}
