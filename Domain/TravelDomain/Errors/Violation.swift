/// A broken rule: the field that holds the value, and the rule.
///
/// ```swift
/// try Title("")    // throws TravelError.invalid(Violation(.title, .tooShort(minimum: 1)))
/// ```
public struct Violation: Hashable, Sendable {
    /// The field that holds the invalid value.
    public let field: Field
    /// The rule that the value does not meet.
    public let rule: Rule

    /// Creates a violation of `rule` by the value of `field`.
    public init(_ field: Field, _ rule: Rule) {
        self.field = field
        self.rule = rule
    }

    /// The fields that have rules.
    ///
    /// ```swift
    /// let isAboutTheTitle = violation.field == .title
    /// ```
    public enum Field: String, Hashable, Sendable {
        /// The title of a travel or an entry.
        case title
        /// The text of an entry, of 1 to 5,000 characters.
        case text
        /// A single day of the Gregorian calendar.
        case dates
        /// A single day.
        case date
        /// The day of an entry within its travel.
        case day
        /// A time of day, in hours and minutes.
        case time
        /// The name of a time zone.
        case timeZone
        /// A latitude and longitude, both in degrees.
        case coordinate
        /// The name of a place, which is not empty.
        case placeName
        /// The address of a place, if it has one.
        case placeAddress
        /// The nickname of a person, of 2 to 10 characters.
        case nickname
        /// The cursor at which a page of results begins.
        case cursor
        /// The number of results on a page.
        case limit
        /// A recorded track, which is imported as a travel.
        case track
        /// A picture of a travel, an entry or a person.
        case image
        /// The number of people who like a travel.
        case likeCount
        /// The session of a person on one device.
        case session
        /// The entries of a travel, as a whole.
        case timeline
    }

    /// A rule for the value of a field.
    ///
    /// ```swift
    /// if case .tooLong(let maximum) = violation.rule { show("at most \(maximum) characters") }
    /// ```
    public enum Rule: Hashable, Sendable {
        /// The rule that requires at least that many characters.
        case tooShort(minimum: Int)
        /// The rule that allows at most that many characters.
        case tooLong(maximum: Int)
        /// Allows no control characters, and no line breaks in a field of one line.
        case controlCharacter
        /// Requires a format, described in words or by an example.
        case malformed(expected: String)
        /// The rule that requires a range, described in words.
        case outOfRange(String)
        /// Requires that the last day is not before the first day.
        case endsBeforeItBegins
        /// Requires a cursor from a search with the same order.
        case foreignCursor
        /// Requires at least one point or at least one byte.
        case empty
        /// The rule that allows at most that many bytes.
        case tooLarge(maximumBytes: Int)
        /// The rule that allows at most that many entries.
        case tooMany(maximum: Int)
        /// Requires that the timeline has no entries after the last day; the value lists those entries in order.
        case entriesInTheWay([TimelineEntry.ID])
    }
}

extension Violation: CustomStringConvertible {
    /// One English sentence that names the field and the rule, without the value.
    public var description: String {
        switch rule {
        case .tooShort(let minimum):
            "The \(field.name) needs at least \(minimum) \(minimum == 1 ? "character" : "characters")."
        case .tooLong(let maximum): "The \(field.name) may have at most \(maximum) characters."
        case .controlCharacter where field == .text: "The text contains a control character: remove it."
        case .controlCharacter: "The \(field.name) contains a line break or another control character: remove it."
        case .malformed(let expected): "The \(field.name) is not \(expected)."
        case .outOfRange(let range): "The \(field.name) is out of range: \(range)."
        case .endsBeforeItBegins: "The dates are in the wrong order: the last day is before the first."
        case .foreignCursor: "The cursor belongs to a search in another order; start again from the first page."
        case .empty: "The \(field.name) is empty."
        case .tooLarge(let bytes):
            "The \(field.name) may have at most "
                + (bytes.isMultiple(of: 1 << 20) ? "\(bytes >> 20) MiB." : "\(bytes) bytes.")
        case .tooMany(let maximum): "The \(field.name) may have at most \(maximum) entries."
        case .entriesInTheWay(let entries):
            "There \(entries.count == 1 ? "is 1 entry" : "are \(entries.count) entries") after the last day: move or delete "
                + (entries.count == 1 ? "it first." : "them first.")
        }
    }
}

extension Violation.Field {
    /// The English name of the field.
    var name: String {
        switch self {
        case .placeName: "name of the place"
        case .placeAddress: "address of the place"
        case .time: "time of day"
        case .timeZone: "time zone"
        case .likeCount: "number of likes"
        default: rawValue
        }
    }
}
