/// Why a file is not read as GPX: what is wrong, where, and how to mend it.
public struct GPXError: Error, Hashable, Sendable {
    /// What is wrong.
    public let problem: Problem
    /// The line it was noticed on, from 1, where there is one.
    public let line: Int?
    /// The column it was noticed at, from 1, where it is known.
    public let column: Int?

    /// That problem, at that place in the file.
    public init(_ problem: Problem, line: Int? = nil, column: Int? = nil) {
        self.problem = problem
        self.line = line
        self.column = column
    }

    /// What can be wrong with a file.
    public enum Problem: Hashable, Sendable {
        /// The system does not let it be read; why not, in words.
        case unreadable(String)
        /// There is nothing in it.
        case empty
        /// It is something else; what, in words.
        case notGPX(String)
        /// It is GPX of a version other than 1.0 and 1.1.
        case unsupportedVersion(String)
        /// It breaks the rules of XML; how, in words.
        case malformedXML(String)
        /// It ends too early.
        case truncated
        /// It declares a document type, which GPX has none of and which can name other files or grow without bound.
        case documentType
        /// The latitude or longitude of a point is missing, not a decimal number, or off the globe.
        case coordinate(Axis, String?)
        /// An elevation is not a decimal number.
        case elevation(String)
        /// A time is not in the form of ISO 8601.
        case time(String)
    }

    /// One of the two numbers of a coordinate.
    public enum Axis: String, Hashable, Sendable {
        /// Degrees north, the attribute `lat`.
        case latitude
        /// Degrees east, the attribute `lon`.
        case longitude

        /// The attribute of a point that holds it.
        var attribute: String { self == .latitude ? "lat" : "lon" }
        /// The degrees it may have, in words.
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
            "the XML is malformed: \(Self.oneLine(fault)); mend it or export the track again."
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

    /// The beginning of a value from the file, fit to be shown on a terminal.
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
