public import Foundation
public import TravelDomain

/// Reads a file of any format of this module, packed by gzip or not: what it is, its content tells.
///
/// ```swift
/// switch try TravelFileReader().contents(at: URL(fileURLWithPath: "ride.tcx.gz")) {
/// case .trips(let trips): print("\(trips.count) trips")
/// case .track(let track): print("\(track.segments.count) segments")
/// }
/// ```
///
/// A packed file, and one of another format than GPX, is held in memory.
public struct TravelFileReader: Sendable {
    public enum Format: String, CaseIterable, Hashable, Sendable {
        case json, geojson, gpx, kml, tcx
    }

    public enum Contents: Hashable, Sendable {
        /// Trips that ``TravelJSONWriter`` or ``GeoJSONWriter`` wrote.
        case trips([ExportedTrip])
        /// A recorded track, or points and lines by another program. It may be empty.
        case track(Track)
    }

    /// The maximum size in bytes of a file that is held in memory, and of what it unpacks to: 512 MiB.
    public static let maximumSize = 512 << 20

    public init() {}

    /// Returns the contents of the file at `url`, which may be a pipe.
    ///
    /// - Parameters:
    ///   - url: The file. Its extension counts where the content is of no format.
    ///   - format: The format; `nil` for that which the content shows.
    /// - Throws: ``TravelFileError`` with the problem, its place in the file, and the remedy.
    public func contents(at url: URL, as format: Format? = nil) throws(TravelFileError) -> Contents {
        let read = try FileContents.chunks(of: url)
        let head = try FileContents.head(read)
        let named = Format(ofFileNamed: url.lastPathComponent)
        if !FileContents.isPacked(head), (format ?? Format(ofContent: head, named: named)) == .gpx {
            var start: Data? = head
            return .track(
                try GPXReader.track { () throws(XMLDecoder.Failure) in
                    guard let first = start else { return try read() }
                    start = nil
                    return first
                })
        }
        var data = head
        do throws(XMLDecoder.Failure) {
            while data.count <= Self.maximumSize, let more = try read(), !more.isEmpty { data += more }
        } catch {
            guard case .unreadable(let reason) = error else { throw TravelFileError(.truncated) }
            throw TravelFileError(.unreadable(reason))
        }
        return try contents(of: data, as: format, named: named)
    }

    /// Returns the contents of a file that is in memory already.
    ///
    /// - Throws: ``TravelFileError`` with the problem, its place in the file, and the remedy.
    public func contents(of data: Data, as format: Format? = nil) throws(TravelFileError) -> Contents {
        try contents(of: data, as: format, named: nil)
    }

    private func contents(of data: Data, as format: Format?, named: Format?) throws(TravelFileError) -> Contents {
        let data = try FileContents.unpacked(data)
        switch format ?? Format(ofContent: data.prefix(FileContents.headSize), named: named) {
        case .gpx: return .track(try GPXReader().track(in: data))
        case .kml: return .track(try KMLReader().track(in: data))
        case .tcx: return .track(try TCXReader().track(in: data))
        case .json: return .trips(try TravelJSONReader().trips(in: data))
        case .geojson:
            switch try GeoJSONReader().contents(of: data) {
            case .track(let track): return .track(track)
            case .trip(let trip):
                do { return .trips([try ExportedTrip(trip, images: [])]) } catch {
                    // It shows none.
                    return .trips([])
                }
            }
        }
    }
}

extension TravelFileReader.Format {
    /// The format that the extension of a file name tells, before `.gz`.
    public init?(ofFileNamed name: String) {
        let parts = name.lowercased().split(separator: ".").dropFirst()
        let last = parts.last == "gz" ? parts.dropLast().last : parts.last
        self.init(rawValue: last == "kmz" ? "kml" : last.map(String.init) ?? "")
    }

    /// The format that the beginning of a content shows, or else that of the name, or else GPX.
    init(ofContent start: Data, named: Self?) {
        let first = start.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            let text = String(decoding: start, as: UTF8.self)
            let isGeoJSON = ["\"FeatureCollection\"", "\"Feature\"", "\"coordinates\""].contains(where: text.contains)
            // A name that tells the kind of JSON counts.
            self = named == .geojson || isGeoJSON ? .geojson : .json
            return
        }
        switch FileContents.root(of: start) {
        case "gpx": self = .gpx
        case "kml": self = .kml
        case "TrainingCenterDatabase": self = .tcx
        default: self = named ?? .gpx
        }
    }
}
