/// The reason why a file is not read or written: the problem, its place in the file, and the remedy.
///
/// ```swift
/// TravelFileError(.missing(key: "days"), at: .path("trips[0]")).description
/// // trips[0]: The value "days" is missing. Add it or export the file again.
/// TravelFileError(.coordinate(.latitude, "37,57"), at: .line(3)).description
/// // Line 3: The latitude "37,57" has a decimal comma. Write it with a point.
/// ```
public struct TravelFileError: Error, Hashable, Sendable {
    public let problem: Problem
    /// `nil` if the problem concerns the whole file.
    public let place: Place?

    public init(_ problem: Problem, at place: Place? = nil) {
        self.problem = problem
        self.place = place
    }

    public enum Place: Hashable, Sendable {
        /// A line and, where known, a column, both 1-based.
        case line(Int, column: Int? = nil)
        /// A value, by the keys and indexes that lead to it: `trips[0].timeline[2].day`.
        case path(String)
    }

    public enum Problem: Hashable, Sendable {
        /// The system cannot read the file, for the reason in words.
        case unreadable(String)
        case empty
        /// The file ends before its first value or its root element does.
        case truncated

        // JSON and GeoJSON.

        /// The file is larger than the reader accepts or the writer writes.
        case tooLarge(maximumBytes: Int)
        /// Objects and lists are nested more deeply than in any file of this kind.
        case tooDeep(maximumDepth: Int)
        /// The file has another format, described in words.
        case notJSON(String)
        /// The file violates the grammar of JSON, as the words describe.
        case malformedJSON(String)
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
        case missingImage(TripImage.ID)
        /// The file contains two objects with that ID.
        case duplicate(String)

        // GPX.

        /// The file has another format, described in words.
        case notGPX(String)
        /// The file is GPX of a version other than 1.0 and 1.1.
        case unsupportedGPX(version: String)
        /// The file is not well-formed XML, for the reason in words.
        case malformedXML(String)
        /// The file exceeds a limit of the reader, which the text names. No file of a recorder does.
        case limit(String)
        /// The file declares a document type. GPX does not have one, and its entities could read other files or expand
        /// without limit.
        case documentType
        /// A latitude or longitude that is missing (`nil`), not a decimal number, or out of range.
        case coordinate(Axis, String?)
        /// An elevation that is not a decimal number.
        case elevation(String)
        /// A time that is not in a format of ISO 8601.
        case time(String)

        // KML, TCX and archives.

        /// The file has another format than KML, described in words.
        case notKML(String)
        /// The file has another format than TCX, described in words.
        case notTCX(String)
        /// A position that is not a longitude, a latitude and perhaps an altitude; or the part of one that is missing.
        case position(String)
        /// The file is packed, and cannot be unpacked, for the reason in words.
        case damagedArchive(String)

        /// The file could not be read at all, for whatever reason.
        public var isUnreadable: Bool {
            if case .unreadable = self { true } else { false }
        }
    }

    /// One of the two numbers of a coordinate in GPX.
    public enum Axis: String, Hashable, Sendable {
        case latitude, longitude

        /// The attribute of a point that contains the number.
        var attribute: String { self == .latitude ? "lat" : "lon" }
        /// The allowed degrees.
        var range: ClosedRange<Double> { self == .latitude ? -90...90 : -180...180 }
    }
}

extension TravelFileError: CustomStringConvertible {
    /// One line of English without the name of the file: place, problem, remedy.
    ///
    /// For example `"trips[0].timeline[2].time: The time of day is not a time such as 09:30. Correct it."`
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
        case .unreadable(let reason): "The file cannot be read: \(Self.oneLine(reason))."
        case .empty: "The file is empty. Record or export it again."
        case .truncated: "The file ends too early. Copy or export it again."
        case .tooLarge(let bytes): "The file is larger than \(bytes >> 20) MiB. Divide it into several files."
        case .tooDeep(let depth): "Values are nested more than \(depth) levels deep. Export the file again."
        case .notJSON(let form): "This is not a JSON file but \(form). Choose another file or export it as JSON."
        case .malformedJSON(let fault): "The JSON is malformed: \(fault). Correct it or export the file again."
        case .otherKind(let expected): "This JSON file is not \(expected). Choose another file."
        case .unsupportedVersion(let version, let supported):
            "The file has version \(version), and at most version \(supported) is supported. Update traveline."
        case .missing(let key): "The value \"\(key)\" is missing. Add it or export the file again."
        case .unexpected(let expected): "The value is not \(expected). Correct it."
        case .invalid(let violation): "\(violation) Correct it."
        case .missingImage(let id): "The image \(id) is not in the file. Add it or remove the reference to it."
        case .duplicate(let id): "The ID \(id) occurs twice. Remove one of the two or give it another ID."
        case .notGPX(let form):
            "This is not a GPX file but \(Self.oneLine(form)). "
                + (form.hasSuffix("archive") ? "Unpack it or export the track as GPX." : "Export the track as GPX.")
        case .notKML(let form): "This is not a KML file but \(Self.oneLine(form)). Export the track as KML or GPX."
        case .notTCX(let form): "This is not a TCX file but \(Self.oneLine(form)). Export the track as TCX or GPX."
        case .position(let value):
            "The position \(Self.quoted(value)) is not a longitude and a latitude in degrees, such as 127.0,37.5. Correct it."
        case .damagedArchive(let fault): "The file cannot be unpacked: \(fault). Copy or export it again."
        case .unsupportedGPX(let version):
            "GPX version \(Self.quoted(version)) is not supported. Export the track as GPX 1.1 or 1.0."
        case .malformedXML(let fault):
            "The XML is malformed: \(Self.oneLine(fault)). Correct it or export the track again."
        case .limit(let limit): "This exceeds a limit: \(limit). Simplify the file or export the track again."
        case .documentType: "A document type is declared, which GPX does not have. Remove the <!DOCTYPE …> part."
        case .coordinate(let axis, nil): "A point has no \(axis). Add the attribute \(axis.attribute)."
        case .coordinate(let axis, let value?):
            Self.decimalComma(in: value, of: "\(axis)")
                ?? "The \(axis) \(Self.quoted(value)) is not a number of degrees from "
                + "\(Int(axis.range.lowerBound)) to \(Int(axis.range.upperBound)). Correct it."
        case .elevation(let value):
            Self.decimalComma(in: value, of: "elevation")
                ?? "The elevation \(Self.quoted(value)) is not a number of metres. Correct it or leave it out."
        case .time(let value):
            "The time \(Self.quoted(value)) is not in the form 2024-05-01T09:30:00Z. Correct it or leave it out."
        }
    }

    private static func decimalComma(in value: String, of name: String) -> String? {
        guard value.contains(",") else { return nil }
        return "The \(name) \(quoted(value)) has a decimal comma. Write it with a point."
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
