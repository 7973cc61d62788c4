public import Foundation
public import TravelDomain

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Reads recorded tracks in GPX, the GPS Exchange Format, versions 1.0 and 1.1 (topografix.com/gpx.asp).
///
/// ```swift
/// let track = try GPXReader().track(at: URL(fileURLWithPath: "북한산.gpx"))
/// track.segments.count    // the number of continuously recorded segments
/// ```
///
/// The reader reads waypoints, routes and tracks with their names, notes, times and elevations. If a point has a note
/// (`desc`) and a comment (`cmt`), it reads the note. It ignores all other elements with their content, such as the
/// extensions of vendors. The file may have any encoding that it declares, with or without the namespace of GPX.
///
/// - A **time** without a zone is UTC, as GPX specifies. A time in the right format that does not exist, such as the
///   zeros of a receiver without a fix, counts as missing; a time in another format is an error.
/// - **Numbers** have a decimal point. An elevation of `NaN` or `INF` counts as missing.
/// - The reader accesses nothing outside the file, and rejects a document type, which could declare entities.
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
            throw GPXError(.unreadable(GPXSource.reason(for: error)))
        }
        return try track(from: GPXSource(file))
    }

    /// Reads the track in the bytes of a file.
    ///
    /// - Throws: ``GPXError``.
    public func track(in data: Data) throws(GPXError) -> Track {
        try track(from: GPXSource(data: data))
    }

    private func track(from source: GPXSource) throws(GPXError) -> Track {
        let prolog = GPXProlog(source.head)
        if let failure = source.failure { throw failure }
        if let problem = prolog.problem { throw GPXError(problem) }

        let document = GPXDocument(source)
        let parser = XMLParser(stream: source)
        parser.shouldProcessNamespaces = true
        parser.shouldResolveExternalEntities = false
        parser.delegate = document
        // The result is ignored: the document receives the errors in more detail.
        _ = parser.parse()
        if let failure = source.failure { throw failure }
        return try document.track(after: parser)
    }
}
