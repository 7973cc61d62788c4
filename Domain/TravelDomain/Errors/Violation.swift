/// A rule that a value breaks: which field, which rule.
public struct Violation: Hashable, Sendable {
    /// The field that holds the value.
    public let field: Field
    /// The rule it breaks.
    public let rule: Rule

    /// A breach of `rule` in `field`.
    public init(_ field: Field, _ rule: Rule) {
        self.field = field
        self.rule = rule
    }

    /// The fields that have rules.
    public enum Field: String, Hashable, Sendable {
        /// The title of a travel or an entry.
        case title
        /// The text of an entry.
        case text
        /// The first and last day of a travel.
        case dates
        /// A single day.
        case date
        /// The day of an entry within its travel.
        case day
        /// A time of day.
        case time
        /// A latitude and longitude.
        case coordinate
        /// The name of a place.
        case placeName
        /// The address of a place.
        case placeAddress
        /// The nickname of a person.
        case nickname
        /// Where a page of results begins.
        case cursor
        /// The number of results on a page.
        case limit
        /// A recorded track.
        case track
        /// A picture.
        case image
    }

    /// What a rule asks for.
    public enum Rule: Hashable, Sendable {
        /// At least that many characters.
        case tooShort(minimum: Int)
        /// At most that many characters.
        case tooLong(maximum: Int)
        /// No control characters, and no line break where one line is meant.
        case controlCharacter
        /// A form of writing, given as an example or in words.
        case malformed(expected: String)
        /// A range, given in words.
        case outOfRange(String)
        /// A last day that is not before the first.
        case endsBeforeItBegins
        /// A cursor made by the same search.
        case foreignCursor
        /// At least one point, or at least one byte.
        case empty
        /// At most that many bytes.
        case tooLarge(maximumBytes: Int)
        /// No entry of the timeline on a later day; these are, in order.
        case entriesInTheWay([TimelineEntry.ID])
    }
}

extension Violation: CustomStringConvertible {
    /// The rule in one English sentence, with the field's name and without its value.
    public var description: String {
        switch rule {
        case .tooShort(let minimum):
            "The \(field.name) needs at least \(minimum) \(minimum == 1 ? "character" : "characters")."
        case .tooLong(let maximum): "The \(field.name) may have at most \(maximum) characters."
        case .controlCharacter where field == .text: "The text holds a control character: take it out."
        case .controlCharacter: "The \(field.name) holds a line break or another control character: take it out."
        case .malformed(let expected): "The \(field.name) is not \(expected)."
        case .outOfRange(let range): "The \(field.name) is out of range: \(range)."
        case .endsBeforeItBegins: "The dates are in the wrong order: the last day is before the first."
        case .foreignCursor: "The cursor belongs to another search; begin again with the first page."
        case .empty: "The \(field.name) is empty."
        case .tooLarge(let bytes):
            "The \(field.name) may have at most "
                + (bytes.isMultiple(of: 1 << 20) ? "\(bytes >> 20) MiB." : "\(bytes) bytes.")
        case .entriesInTheWay(let entries):
            "There \(entries.count == 1 ? "is 1 entry" : "are \(entries.count) entries") after the last day: move or delete "
                + (entries.count == 1 ? "it first." : "them first.")
        }
    }
}

extension Violation.Field {
    /// The field in English.
    var name: String {
        switch self {
        case .placeName: "name of the place"
        case .placeAddress: "address of the place"
        case .time: "time of day"
        default: rawValue
        }
    }
}
