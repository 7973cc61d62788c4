/// The reason why a JSON or GeoJSON file is not read or written: the problem, its place in the file, and the remedy.
///
/// ``GPXError`` is its counterpart for GPX.
///
/// ```swift
/// TravelFileError(.missing(key: "days"), at: .path("travels[0]")).description
/// // travels[0]: The value "days" is missing. Add it or export the file again.
/// ```
public struct TravelFileError: Error, Hashable, Sendable {
    /// The problem that the reader or the writer found.
    public let problem: Problem
    /// The place in the file, if there is one.
    public let place: Place?

    /// Creates an error with that problem, at that place in the file.
    public init(_ problem: Problem, at place: Place? = nil) {
        self.problem = problem
        self.place = place
    }

    /// A place in a file.
    ///
    /// ```swift
    /// let error = TravelFileError(.truncated, at: .line(7, column: nil))
    /// error.place == .line(7, column: nil)    // true
    /// ```
    public enum Place: Hashable, Sendable {
        /// A line and, where known, a column, both 1-based.
        case line(Int, column: Int?)
        /// A value, by the keys and indexes that lead to it: `travels[0].timeline[2].day`.
        case path(String)
    }

    /// The problem of a file.
    ///
    /// Later versions may add problems: compare with those you handle, and show the error's description for the others.
    ///
    /// ```swift
    /// if error.problem == .truncated { offerToDownloadAgain() }
    /// ```
    public struct Problem: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            case unreadable(String), notJSON(String), malformedJSON(String)
            case empty, truncated
            case tooLarge(maximumBytes: Int), tooDeep(maximumDepth: Int)
            case otherKind(expected: String), unsupportedVersion(Int, supported: Int)
            case missing(key: String), unexpected(expected: String), invalid(Violation)
            case missingImage(TravelImage.ID), duplicate(String)
        }

        package let kind: Kind

        private init(_ kind: Kind) { self.kind = kind }

        /// The file could not be read at all: the problem is ``unreadable(_:)``, regardless of the reason.
        public var isUnreadable: Bool {
            if case .unreadable = kind { true } else { false }
        }
    }
}

extension TravelFileError.Problem {
    /// The system cannot read the file; the text has the reason.
    public static func unreadable(_ reason: String) -> Self { Self(.unreadable(reason)) }
    /// The file has no content: it has no bytes.
    public static let empty = Self(.empty)
    /// The file is larger than the reader accepts or the writer writes.
    public static func tooLarge(maximumBytes: Int) -> Self { Self(.tooLarge(maximumBytes: maximumBytes)) }
    /// Objects and lists are nested more deeply than in any file of this kind.
    public static func tooDeep(maximumDepth: Int) -> Self { Self(.tooDeep(maximumDepth: maximumDepth)) }
    /// The file has another format; the text names it.
    public static func notJSON(_ format: String) -> Self { Self(.notJSON(format)) }
    /// The file violates the grammar of JSON; the text describes how.
    public static func malformedJSON(_ fault: String) -> Self { Self(.malformedJSON(fault)) }
    /// The file ends before its first value does.
    public static let truncated = Self(.truncated)
    /// The file is JSON of another kind than expected; the text names the expected one.
    public static func otherKind(expected: String) -> Self { Self(.otherKind(expected: expected)) }
    /// The file has a newer version than the one that is supported.
    public static func unsupportedVersion(_ version: Int, supported: Int) -> Self {
        Self(.unsupportedVersion(version, supported: supported))
    }
    /// An object lacks the value with that key.
    public static func missing(key: String) -> Self { Self(.missing(key: key)) }
    /// A value has another type than expected, or is not one of the expected values; the text names these.
    public static func unexpected(expected: String) -> Self { Self(.unexpected(expected: expected)) }
    /// A value breaks a rule of the domain, which the violation names.
    public static func invalid(_ violation: Violation) -> Self { Self(.invalid(violation)) }
    /// A travel shows an image that the file does not contain.
    public static func missingImage(_ id: TravelImage.ID) -> Self { Self(.missingImage(id)) }
    /// The file contains two objects with that ID.
    public static func duplicate(_ id: String) -> Self { Self(.duplicate(id)) }
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
        switch problem.kind {
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
