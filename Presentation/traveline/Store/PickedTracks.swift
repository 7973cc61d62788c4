import Foundation
import TravelDataFiles
import TravelDomain
import TravelPresentation

extension App {
    /// Makes a trip of a track file that was picked in the app, and keeps it for ``undo()``.
    ///
    /// - Throws: The errors of ``ImportTrack/trip(of:willStore:imported:)``.
    func makeTrip(of file: PickedFile) async throws -> ImportedTrip {
        let journal = try await ImportJournal(self)
        do {
            return try await importTrack.trip(of: file) {
                try await journal.willAdd($0)
            } imported: {
                _ = await journal.end(with: [ImportedChange(of: nil, to: $0)])
            }
        } catch {
            _ = await journal.breakOff()
            throw error
        }
    }
}

extension ImportTrack {
    /// Makes a trip of a track file that was picked in an app; a track that was imported before changes nothing.
    ///
    /// - Parameters:
    ///   - willStore: Called with a new trip before it is stored.
    ///   - imported: Called with it afterwards.
    /// - Throws: `ScreenFailure.file` with the problem and the remedy; errors of the repositories and of `willStore`.
    @concurrent
    func trip(
        of file: PickedFile, willStore: @Sendable (RecordedTrip) async throws -> Void = { _ in },
        imported: @Sendable (RecordedTrip) async -> Void = { _ in }
    ) async throws -> ImportedTrip {
        let track: Track
        do {
            switch try ImportedFile(file.bytes, named: file.name) {
            case .track(let read): track = read
            case .trips:
                throw ScreenFailure.file(
                    file.name,
                    Text(
                        "this is not a track, but trips that traveline has exported; bring them back with: traveline import FILE",
                        "이동 기록이 아니라 traveline이 내보낸 여행입니다. 되살리려면: traveline import FILE"))
            }
        } catch let error as FileError {
            throw ScreenFailure.file(file.name, error.problem)
        }
        do {
            let result = try await self(
                track, fileName: ImportCommand.title(ofFileNamed: file.name), willStore: willStore)
            await imported(result.trip)
            return ImportedTrip(
                result.trip.id, isNew: true, notes: result.notes(omittedPoints: track.omittedPoints))
        } catch TravelError.conflict(.trip(let id)) {
            return ImportedTrip(id, isNew: false)
        } catch TravelError.invalid(.init(.date, .empty)) {
            throw ScreenFailure.file(
                file.name,
                Text(
                    "no point of the track has a plausible time; specify its day: traveline import FILE --date 2024-05-01",
                    "가능한 시각이 있는 지점이 없습니다. 날짜를 지정해 가져오세요: traveline import FILE --date 2024-05-01"))
        }
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
        if regionOrigin == .guess {
            let region = trip.content.region
            note(
                "The region \(region.name(in: .english)) is a guess.", "여행지를 \(region.name(in: .korean))(으)로 추정했습니다.")
        }
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
