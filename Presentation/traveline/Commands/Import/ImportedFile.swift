import Foundation
import TravelDataFiles
import TravelDomain
import TravelPresentation

/// The contents of a file to be imported, whatever its format.
enum ImportedFile {
    /// Travels that traveline exported.
    case travels([ExportedTravel])
    /// A recorded track, or points and lines by another program.
    case track(Track)

    /// Reads the file at `path`, or standard input for `-`: by the ending of its name, and otherwise by its first
    /// characters.
    ///
    /// - Throws: `FileError` with the problem and the remedy.
    init(at path: String, as format: ExportFormat?, in language: Language) throws {
        do {
            self = path == "-" ? try Self.standardInput(as: format) : try Self.file(at: path, as: format)
        } catch let error as GPXError {
            throw FileError(
                path: path, reason: language.say(error.description, error.korean),
                code: error.problem.isUnreadable ? .noInput : .dataError)
        } catch let error as TravelFileError {
            throw FileError(
                path: path, reason: language.say(error.description, error.korean),
                code: error.problem.isUnreadable ? .noInput : .dataError)
        }
        if case .track(let track) = self, track.isEmpty {
            throw FileError(
                path: path, reason: language.say("no point is recorded in it", "기록된 지점이 없습니다"), code: .dataError)
        }
    }

    private static func file(at path: String, as format: ExportFormat?) throws -> ImportedFile {
        let url = URL(fileURLWithPath: path)
        switch try format ?? Self.format(of: path) {
        case .gpx: return .track(try GPXReader().track(at: url))
        case .geojson: return try contents(GeoJSONReader().contents(at: url))
        case .json: return .travels(try TravelJSONReader().travels(at: url))
        case .svg, .html: throw unreadableFormat
        }
    }

    /// Standard input can be read once only, so that it is read as a whole first.
    private static func standardInput(as format: ExportFormat?) throws -> ImportedFile {
        // One byte more than any reader takes, so that a larger one is noticed.
        let data = try FileHandle.standardInput.read(upToCount: TravelJSONWriter.maximumSize + 1) ?? Data()
        switch format ?? Self.format(startingWith: data.prefix(65_536), named: nil) {
        case .gpx: return .track(try GPXReader().track(in: data))
        case .geojson: return try contents(GeoJSONReader().contents(of: data))
        case .json: return .travels(try TravelJSONReader().travels(in: data))
        case .svg, .html: throw unreadableFormat
        }
    }

    private static let unreadableFormat = UsageError(
        "svg and html are for people; import a file in one of: json, geojson, gpx",
        "svg와 html은 보기 위한 파일입니다. 다음 형식을 가져오세요: json, geojson, gpx")

    private static func contents(_ contents: GeoJSONReader.Contents) throws -> ImportedFile {
        switch contents {
        case .travel(let travel): .travels([try ExportedTravel(travel, images: [])])
        case .track(let track): .track(track)
        }
    }

    /// The format that the name or the content tells. Both `.json` and other names may stand for either kind of JSON.
    private static func format(of path: String) throws -> ExportFormat {
        let named = ExportFormat(ofFileAt: path)
        if let named, named != .json { return named }
        // A file that cannot be opened is reported by its reader.
        guard let file = try? FileHandle(forReadingFrom: URL(fileURLWithPath: path)),
            let start = try? file.read(upToCount: 65_536)
        else { return named ?? .gpx }
        return self.format(startingWith: start, named: named)
    }

    private static func format(startingWith start: Data, named: ExportFormat?) -> ExportFormat {
        let isJSON = start.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }.map {
            $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[")
        }
        guard isJSON == true else { return named ?? .gpx }
        let text = String(decoding: start, as: UTF8.self)
        return text.contains("\"FeatureCollection\"") || text.contains("\"Feature\"")
            || text.contains("\"coordinates\"")
            ? .geojson : .json
    }
}
