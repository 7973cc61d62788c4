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
        let app = try await App.open(database: command.database)
        let importTrack = ImportTrack(travels: app.travels, places: Gazetteer.korea, now: { Date() })
        let imported: ImportedTrack
        do {
            imported = try await importTrack(
                track, by: app.user, fileName: file.lastPathComponent, region: command.region)
        } catch TravelError.conflict {
            throw FileError(path: command.file, reason: "this track was imported before.", code: .dataError)
        } catch TravelError.invalid(let violation) {
            throw FileError(path: command.file, reason: violation.description, code: .dataError)
        }
        Standard.output.write(summary(of: imported, in: app.language))
        note(imported)
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
            Standard.error.write(
                "traveline: the track \(place) and was filed under \(imported.travel.content.region.rawValue); "
                    + "name another with --region\n")
        }
        if imported.estimatedTimes > 0 {
            Standard.error.write("traveline: \(imported.estimatedTimes) points had no time and were given one\n")
        }
        if imported.omittedEntries > 0 {
            Standard.error.write("traveline: \(imported.omittedEntries) short stops were left out of very full days\n")
        }
    }
}
