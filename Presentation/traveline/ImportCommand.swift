import Foundation
import TravelDataFiles
import TravelDataInMemory
import TravelDomain
import TravelPresentation

/// `traveline import`: makes a trip of a recorded track.
struct ImportCommand {
    private let command: Command.Import

    init(_ command: Command.Import) {
        self.command = command
    }

    func run() async throws {
        let file = URL(fileURLWithPath: command.file)
        let track = try read(file)
        // Only now that the file is known to be good: a bad one must not even create the database.
        let (imported, language) = try await App.run(database: command.database) { app in
            (try await add(track, of: file, to: app), app.language)
        }
        try Standard.write(summary(of: imported, in: language))
        note(imported)
    }

    private func add(_ track: Track, of file: URL, to app: App) async throws -> ImportedTrack {
        let importTrack = ImportTrack(
            travels: app.travels, users: app.travels, places: Gazetteer.korea, session: app.session, now: { Date() })
        do {
            try await app.addUser()
            return try await importTrack(track, fileName: file.lastPathComponent, region: command.region)
        } catch TravelError.conflict {
            throw FileError(path: command.file, reason: "this track was imported before.", code: .dataError)
        } catch TravelError.invalid(let violation) {
            throw FileError(path: command.file, reason: violation.description, code: .dataError)
        }
    }

    private func read(_ file: URL) throws -> Track {
        let track: Track
        do {
            track = try GPXReader().track(at: file)
        } catch {
            let isMissing = if case .unreadable = error.problem { true } else { false }
            throw FileError(path: command.file, reason: error.description, code: isMissing ? .usage : .dataError)
        }
        if track.isEmpty {
            throw FileError(path: command.file, reason: "no point is recorded in it.", code: .dataError)
        }
        return track
    }

    private func summary(of imported: ImportedTrack, in language: Language) -> String {
        let travel = imported.travel
        let content = travel.content
        return "\(travel.id)  \(content.title)  \(content.region.name(in: language))  \(content.days.text)  "
            + (language == .korean ? "기록 \(travel.timeline.count)개\n" : "\(travel.timeline.count) entries\n")
    }

    /// What the person may want to mend, one line each.
    private func note(_ imported: ImportedTrack) {
        if imported.regionOrigin == .guess {
            let place = imported.isOutsideKorea ? "lies outside South Korea" : "is far from any known place"
            Standard.note(
                "the track \(place) and was filed under \(imported.travel.content.region.rawValue); "
                    + "name another with --region")
        }
        if imported.estimatedTimes > 0 {
            let isOne = imported.estimatedTimes == 1
            Standard.note(
                isOne
                    ? "1 point had no time; it was estimated"
                    : "\(imported.estimatedTimes) points had no time; they were estimated")
        }
        if imported.omittedEntries > 0 {
            Standard.note(
                "\(imported.omittedEntries) short \(imported.omittedEntries == 1 ? "stop was" : "stops were") "
                    + "left out of very full days")
        }
    }
}
