/// The reason why a file cannot be read as GPX: the problem, its place in the file, and the remedy.
///
/// ```swift
/// GPXError(.coordinate(.latitude, "37,57"), line: 3).description
/// // Line 3: the latitude "37,57" has a decimal comma; write it with a point.
/// ```
public struct GPXError: Error, Hashable, Sendable {
    public let problem: Problem
    /// The line at which the problem was noticed, 1-based; `nil` if it concerns the whole file.
    public let line: Int?
    /// The column at which the problem was noticed, 1-based, if known.
    public let column: Int?

    public init(_ problem: Problem, line: Int? = nil, column: Int? = nil) {
        self.problem = problem
        self.line = line
        self.column = column
    }

    /// The problem of a file.
    public enum Problem: Hashable, Sendable {
        /// The system cannot read the file, for the reason in words.
        case unreadable(String)
        case empty
        /// The file has another format, described in words.
        case notGPX(String)
        /// The file is GPX of a version other than 1.0 and 1.1.
        case unsupportedVersion(String)
        /// The file is not well-formed XML, for the reason in words.
        case malformedXML(String)
        /// The file exceeds a limit of the reader, which the text names. No file of a recorder does.
        case limit(String)
        /// The file ends before its root element does.
        case truncated
        /// The file declares a document type. GPX does not have one, and its entities could read other files or expand
        /// without limit.
        case documentType
        /// A latitude or longitude that is missing (`nil`), not a decimal number, or out of range.
        case coordinate(Axis, String?)
        /// An elevation that is not a decimal number.
        case elevation(String)
        /// A time that is not in a format of ISO 8601.
        case time(String)

        /// The file could not be read at all, for whatever reason.
        public var isUnreadable: Bool {
            if case .unreadable = self { true } else { false }
        }
    }

    /// One of the two numbers of a coordinate.
    public enum Axis: String, Hashable, Sendable {
        /// Degrees north of the equator, the attribute `lat`.
        case latitude
        /// Degrees east of Greenwich, the attribute `lon`.
        case longitude

        /// The attribute of a point that contains the number.
        var attribute: String { self == .latitude ? "lat" : "lon" }
        /// The allowed degrees, in words.
        fileprivate var range: String { self == .latitude ? "-90 to 90" : "-180 to 180" }
    }
}

extension GPXError: CustomStringConvertible {
    /// One line of English without the name of the file: place, problem, remedy.
    ///
    /// For example `"Line 3: the latitude "37,57" has a decimal comma; write it with a point."`
    public var description: String {
        guard let line else { return sentence.prefix(1).uppercased() + sentence.dropFirst() }
        return column.map { "Line \(line), column \($0): \(sentence)" } ?? "Line \(line): \(sentence)"
    }

    private var sentence: String {
        switch problem {
        case .unreadable(let reason): "the file cannot be read: \(Self.oneLine(reason))."
        case .empty: "the file is empty; record or export it again."
        case .notGPX(let form):
            "this is not a GPX file but \(Self.oneLine(form)); "
                + (form.hasSuffix("archive") ? "unpack it or export the track as GPX." : "export the track as GPX.")
        case .unsupportedVersion(let version):
            "GPX version \(Self.quoted(version)) is not supported; export the track as GPX 1.1 or 1.0."
        case .malformedXML(let fault):
            "the XML is malformed: \(Self.oneLine(fault)); correct it or export the track again."
        case .limit(let limit): "this exceeds a limit: \(limit); simplify the file or export the track again."
        case .truncated: "the file ends too early; copy or export it again."
        case .documentType: "a document type is declared, which GPX does not have; remove the <!DOCTYPE …> part."
        case .coordinate(let axis, nil): "a point has no \(axis); add the attribute \(axis.attribute)."
        case .coordinate(let axis, let value?):
            value.contains(",")
                ? "the \(axis) \(Self.quoted(value)) has a decimal comma; write it with a point."
                : "the \(axis) \(Self.quoted(value)) is not a number of degrees from \(axis.range); correct it."
        case .elevation(let value):
            value.contains(",")
                ? "the elevation \(Self.quoted(value)) has a decimal comma; write it with a point."
                : "the elevation \(Self.quoted(value)) is not a number of metres; correct it or leave it out."
        case .time(let value):
            "the time \(Self.quoted(value)) is not in the form 2024-05-01T09:30:00Z; correct it or leave it out."
        }
    }

    /// The beginning of a value from the file, without control characters, in quotation marks.
    private static func quoted(_ value: String) -> String {
        let shown = oneLine(value)
        return "\"\(shown.count <= 24 ? shown : shown.prefix(23) + "…")\""
    }

    /// The text without line breaks and other control characters.
    private static func oneLine(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        line.append(
            contentsOf: text.unicodeScalars.map { scalar in
                switch scalar.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator: " "
                default: scalar
                }
            })
        return String(line)
    }
}
