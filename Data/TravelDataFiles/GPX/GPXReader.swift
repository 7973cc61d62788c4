public import Foundation
public import TravelDomain

/// Reads recorded tracks in GPX, the GPS Exchange Format, versions 1.0 and 1.1 (topografix.com/gpx.asp).
///
/// ```swift
/// let track = try GPXReader().track(at: URL(fileURLWithPath: "북한산.gpx"))
/// track.segments.count    // the number of continuously recorded segments
/// ```
///
/// The reader reads waypoints, routes and tracks with their names, notes, times and elevations. If a point has a note
/// (`desc`) and a comment (`cmt`), it reads the note. It ignores all other elements with their content, such as the
/// extensions of vendors. The file may be with or without the namespace of GPX, in UTF-8, UTF-16, UTF-32, or an encoding
/// that it declares: those of ISO 8859 and Windows, EUC-KR, Shift_JIS, GB 18030, Big5, and KOI8-R.
///
/// - A **time** without a zone is UTC, as GPX specifies. A time in the right format that does not exist, such as the
///   zeros of a receiver without a fix, counts as missing; a time in another format is an error.
/// - **Numbers** have a decimal point. An elevation of `NaN` or `INF` counts as missing.
/// - The reader accesses nothing outside the file, and rejects a document type, which could declare entities.
/// - **Limits**: 256 elements in each other, 128 attributes of one, 64 namespaces at a time, 1,000 bytes of a name, and
///   1 MiB of a tag. The number of points is not limited.
public struct GPXReader: Sendable {
    /// Creates a reader, which has no state and reads any number of files.
    public init() {}

    /// Reads the track in the file at `url`, which may be a pipe. The file is parsed in chunks, never held in memory as
    /// a whole.
    ///
    /// Blocks the calling thread until the file is read: about two seconds for 100 MB.
    ///
    /// - Throws: ``GPXError``, with ``GPXError/Problem/unreadable(_:)`` when the file does not exist or cannot be
    ///   opened.
    public func track(at url: URL) throws(GPXError) -> Track {
        let file: FileHandle
        do {
            file = try FileHandle(forReadingFrom: url)
        } catch {
            throw GPXError(.unreadable(FileContents.reason(for: error)))
        }
        return try Self.track { () throws(XMLDecoder.Failure) in
            do {
                return try file.read(upToCount: Self.chunkSize)
            } catch {
                throw .unreadable(FileContents.reason(for: error))
            }
        }
    }

    /// Reads the track in the bytes of a file.
    ///
    /// - Throws: ``GPXError``.
    public func track(in data: Data) throws(GPXError) -> Track {
        try Self.track(in: data, inChunksOf: Self.chunkSize)
    }

    private static let chunkSize = 65_536

    /// Reads the track in `data`, `size` bytes at a time.
    static func track(in data: Data, inChunksOf size: Int) throws(GPXError) -> Track {
        var rest = data
        return try track { () throws(XMLDecoder.Failure) in
            defer { rest = rest.dropFirst(size) }
            return rest.prefix(size)
        }
    }

    private static func track(read: @escaping () throws(XMLDecoder.Failure) -> Data?) throws(GPXError) -> Track {
        var document = try GPXDocument(read: read)
        return try document.track()
    }
}
