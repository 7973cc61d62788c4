public import Foundation
public import TravelDomain

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Reads recorded tracks in GPX, the GPS Exchange Format, versions 1.0 and 1.1 (topografix.com/gpx.asp).
///
/// ```swift
/// let track = try GPXReader().track(at: URL(fileURLWithPath: "북한산.gpx"))
/// track.segments.count    // how many stretches were recorded without a break
/// ```
///
/// Waypoints, routes and tracks are read with their names, notes, times and elevations; of a note (`desc`) and a
/// comment (`cmt`) the note. Everything else is passed over, extensions of any maker and what is inside them above
/// all, whatever it is called. The file may be in any encoding it declares, with or without the namespace of GPX.
///
/// - A **time** without a zone is UTC, as GPX has it. One in the right form that no calendar has, such as the zeros
///   of a receiver that has no fix yet, counts as missing; one in another form is an error.
/// - **Numbers** are written with a decimal point. An elevation that is no number by name (`NaN`) is missing.
/// - Nothing outside the file is ever looked at, and a file with a document type, which could declare entities,
///   is refused.
public struct GPXReader: Sendable {
    /// A reader.
    public init() {}

    /// The track in the file at `url`, which is read from the front in pieces and never as a whole. A pipe will do.
    ///
    /// Returns when the file is read, about two seconds for 100 MB.
    ///
    /// - Throws: A ``GPXError`` that says what to do; ``GPXError/Problem/unreadable(_:)`` when the file is not
    ///   there or cannot be opened.
    public func track(at url: URL) throws(GPXError) -> Track {
        let file: FileHandle
        do {
            file = try FileHandle(forReadingFrom: url)
        } catch {
            throw GPXError(.unreadable(GPXSource.reason(for: error)))
        }
        return try track(from: GPXSource(file))
    }

    /// The track in a file that is in memory already.
    ///
    /// - Throws: A ``GPXError`` that says what to do.
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
        // What it returns is told in more detail by the errors that the document is told of.
        _ = parser.parse()
        if let failure = source.failure { throw failure }
        return try document.track(after: parser)
    }
}
