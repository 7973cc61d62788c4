/// The reason why a JSON or GeoJSON file is not read or written: the problem, its place in the file, and the remedy.
///
/// ``GPXError`` is its counterpart for GPX.
///
/// ```swift
/// TravelFileError(.missing(key: "days"), at: .path("travels[0]")).description
/// // travels[0]: The value "days" is missing. Add it or export the file again.
/// ```
public struct TravelFileError: Error, Hashable, Sendable {
    public let problem: Problem
    public let place: Place?

    public init(_ problem: Problem, at place: Place? = nil) {
        self.problem = problem
        self.place = place
    }

    /// A place in a file.
    public enum Place: Hashable, Sendable {
        /// A line and, where known, a column, both 1-based.
        case line(Int, column: Int?)
        /// A value, by the keys and indexes that lead to it: `travels[0].timeline[2].day`.
        case path(String)
    }

    /// The problem of a file.
    public enum Problem: Hashable, Sendable {
        /// The system cannot read the file, for the reason in words.
        case unreadable(String)
        case empty
        /// The file is larger than the reader accepts or the writer writes.
        case tooLarge(maximumBytes: Int)
        /// Objects and lists are nested more deeply than in any file of this kind.
        case tooDeep(maximumDepth: Int)
        /// The file has another format, described in words.
        case notJSON(String)
        /// The file violates the grammar of JSON, as the words describe.
        case malformedJSON(String)
        /// The file ends before its first value does.
        case truncated
        /// The file is JSON of another kind than expected.
        case otherKind(expected: String)
        case unsupportedVersion(Int, supported: Int)
        /// An object lacks the value with that key.
        case missing(key: String)
        /// A value has another type than expected, or is not one of the expected values, which the text names.
        case unexpected(expected: String)
        /// A value breaks a rule of the domain.
        case invalid(Violation)
        /// A trip shows an image that the file does not contain.
        case missingImage(TravelImage.ID)
        /// The file contains two objects with that ID.
        case duplicate(String)

        /// The file could not be read at all, for whatever reason.
        public var isUnreadable: Bool {
            if case .unreadable = self { true } else { false }
        }
    }
}

extension TravelFileError: CustomStringConvertible {
    /// One line of English without the name of the file: place, problem, remedy.
    ///
    /// For example `"travels[0].timeline[2].time: The time of day is not a time of day such as 09:30. Correct it."`
    public var description: String {
        switch place {
        case .line(let line, let column?): "Line \(line), column \(column): \(sentence)"
        case .line(let line, nil): "Line \(line): \(sentence)"
        case .path(let path): "\(path): \(sentence)"
        case nil: sentence
        }
    }

    private var sentence: String {
        switch problem {
        case .unreadable(let reason): "The file cannot be read: \(reason)."
        case .empty: "The file is empty. Export it again."
        case .tooLarge(let bytes): "The file is larger than \(bytes >> 20) MiB. Divide it into several files."
        case .tooDeep(let depth): "Values are nested more than \(depth) levels deep. Export the file again."
        case .notJSON(let form): "This is not a JSON file but \(form). Choose another file or export it as JSON."
        case .malformedJSON(let fault): "The JSON is malformed: \(fault). Correct it or export the file again."
        case .truncated: "The file ends too early. Copy or export it again."
        case .otherKind(let expected): "This JSON file is not \(expected). Choose another file."
        case .unsupportedVersion(let version, let supported):
            "The file has version \(version), and at most version \(supported) is supported. Update traveline."
        case .missing(let key): "The value \"\(key)\" is missing. Add it or export the file again."
        case .unexpected(let expected): "The value is not \(expected). Correct it."
        case .invalid(let violation): "\(violation) Correct it."
        case .missingImage(let id): "The image \(id) is not in the file. Add it or remove the reference to it."
        case .duplicate(let id): "The ID \(id) occurs twice. Remove one of the two or give it another ID."
        }
    }
}
