/// The errors of the domain, which every repository throws as well.
///
/// Apart from this type, an `async` function of the domain throws only `CancellationError`.
///
/// ```swift
/// do {
///     try await repository.setLiked(true, trip: id, by: user)
/// } catch TravelError.notFound(.trip(id)) {
///     // The trip was removed meanwhile.
/// } catch TravelError.unavailable(let outage) where outage.canRetry {
///     // The same call may succeed later.
/// }
/// ```
public enum TravelError: Error, Hashable, Sendable {
    /// The subject does not exist, or this user does not see it.
    case notFound(Subject)
    /// This user is not allowed to do that.
    case forbidden(Subject)
    /// The subject may not be published, because an ``ImageReview`` refuses it.
    case refused(Subject)
    /// The subject, or a nickname, exists already.
    case conflict(Subject)
    /// Someone else has changed the trip in the meantime; the value is the trip as it is now.
    indirect case outdated(RecordedTrip)
    case invalid(Violation)
    /// Nobody is signed in, or the identity provider no longer accepts the session.
    case signedOut
    /// There is no account with this nickname, or it has another password: the error does not tell which.
    case wrongCredentials
    case unavailable(Outage)

    public enum Subject: Hashable, Sendable {
        case trip(Trip.ID)
        case entry(TimelineEntry.ID)
        case user(User.ID)
        case image(TripImage.ID)
    }

    /// The reason why a store cannot answer, and whether a retry may help.
    public struct Outage: Hashable, Sendable {
        /// The reason, in one English sentence without personal data.
        public let reason: String
        /// The kind of reason, for a message in another language.
        public let cause: Cause
        /// Whether the same call may succeed later without any change.
        public let canRetry: Bool

        public init(_ reason: String, cause: Cause = .other, canRetry: Bool) {
            self.reason = reason
            self.cause = cause
            self.canRetry = canRetry
        }
    }
}

extension TravelError: CustomStringConvertible {
    /// One English sentence that names the subject and, where known, the remedy.
    public var description: String {
        switch self {
        case .notFound(let subject): "There is no \(subject)."
        case .forbidden(.user(let id)):
            "This action on user \(id) is not allowed: only they can change their account, and they cannot block "
                + "themselves."
        case .forbidden(.trip(let id)):
            "This action on trip \(id) is not allowed: only its author can change it, and they cannot report it."
        case .forbidden(let subject): "Only its author may change \(subject)."
        case .refused(let subject): "The \(subject) may not be published: choose another one."
        case .conflict(.trip(let id)): "Trip \(id) already exists."
        case .conflict(.user(let id)):
            "User \(id) already exists or already uses this nickname: choose another one."
        case .conflict(.image(let id)): "Image \(id) already exists."
        case .conflict(let subject): "A \(subject) already exists."
        case .outdated(let trip):
            "Someone else has changed trip \(trip.id) in the meantime: compare it with your version, and try again."
        case .invalid(let violation): violation.description
        case .signedOut: "You are not signed in: sign in first."
        case .wrongCredentials: "The nickname or the password is wrong."
        case .unavailable(let outage): outage.canRetry ? "\(outage.reason) Try again." : outage.reason
        }
    }
}

extension TravelError.Subject: CustomStringConvertible {
    /// The kind and the ID: `"trip 6f1c…"`.
    public var description: String {
        switch self {
        case .trip(let id): "trip \(id)"
        case .entry(let id): "timeline entry \(id)"
        case .user(let id): "user \(id)"
        case .image(let id): "image \(id)"
        }
    }
}

extension TravelError.Outage {
    /// A kind of reason why a store cannot answer.
    ///
    /// A store can define causes of its own; a screen that does not know one shows a general message.
    ///
    /// ```swift
    /// extension TravelError.Outage.Cause {
    ///     static let maintenance = Self(name: "maintenance")
    /// }
    /// ```
    public struct Cause: Hashable, Sendable {
        public let name: String

        public init(name: String) {
            self.name = name
        }

        /// Another program uses the store at the moment.
        public static let busy = Cause(name: "busy")
        public static let diskFull = Cause(name: "disk full")
        public static let newerVersion = Cause(name: "newer version")
        /// A version before the first release wrote the file.
        public static let earlierVersion = Cause(name: "earlier version")
        /// The file is not a travel database.
        public static let notATravelDatabase = Cause(name: "not a travel database")
        /// The store, or an image in it, is damaged or incomplete.
        public static let damaged = Cause(name: "damaged")
        /// What the device keeps of the signed-in user is damaged.
        public static let damagedSession = Cause(name: "damaged session")
        public static let inaccessible = Cause(name: "inaccessible")
        public static let fileExists = Cause(name: "file exists")
        public static let unreachable = Cause(name: "unreachable")
        /// A server has too much to do.
        public static let serverBusy = Cause(name: "server busy")
        /// A server cannot answer, for a reason that only those who run it can remove.
        public static let serverFailure = Cause(name: "server failure")
        /// A server has another version of the API than this program.
        public static let otherVersion = Cause(name: "other version")
        /// A server refuses the user or the password.
        /// A server has refused this request for good; it may accept others.
        public static let requestRefused = Cause(name: "request refused")
        /// A server, or a proxy before it, does not take a request of this size; it may accept others.
        public static let requestTooLarge = Cause(name: "request too large")
        /// A server has answered with what this program cannot read.
        public static let unreadableAnswer = Cause(name: "unreadable answer")
        public static let accessRefused = Cause(name: "access refused")
        /// A server lets the user in, who lacks a privilege in the database.
        public static let missingPrivilege = Cause(name: "missing privilege")
        public static let invalidAddress = Cause(name: "invalid address")
        public static let noSuchDatabase = Cause(name: "no such database")
        /// The encoding of a database on a server lacks characters.
        public static let otherEncoding = Cause(name: "other encoding")
        /// The connection to a server cannot be encrypted, or the certificate of the server is not trusted.
        public static let notSecure = Cause(name: "not secure")
        /// The store can only be read: a server is a copy of another one, or a file is on a read-only medium.
        public static let readOnly = Cause(name: "read-only")
        public static let other = Cause(name: "other")
    }

    /// Whether a server has answered, although not with what it was asked for.
    package var isAnswer: Bool {
        [
            .serverBusy, .serverFailure, .otherVersion, .requestRefused, .requestTooLarge, .unreadableAnswer, .damaged,
        ].contains(cause)
    }
}

/// A broken rule: the field that holds the value, and the rule.
///
/// ```swift
/// try Title("")    // throws TravelError.invalid(Violation(.title, .tooShort(minimum: 1)))
/// ```
public struct Violation: Hashable, Sendable {
    public let field: Field
    public let rule: Rule

    public init(_ field: Field, _ rule: Rule) {
        self.field = field
        self.rule = rule
    }

    /// The fields that have rules.
    public enum Field: String, Hashable, Sendable {
        case title
        case text
        case dates
        case date
        /// The day of an entry within its trip.
        case day
        case time
        case timeZone
        case coordinate
        case placeName
        case placeAddress
        case nickname
        case password
        case cursor
        case limit
        case track
        case image
        /// The pictures of an entry.
        case pictures
        /// The description of a picture.
        case pictureText
        case likeCount
        case audience
        case session
        case timeline
        case version
        /// The code that lets somebody create an account on a server.
        case invitation
    }

    /// A rule for the value of a field.
    public enum Rule: Hashable, Sendable {
        case tooShort(minimum: Int)
        case tooLong(maximum: Int)
        /// Allows no control characters, and no line breaks in a field of one line.
        case controlCharacter
        /// Requires a format, described in words or by an example.
        case malformed(expected: String)
        case outOfRange(String)
        /// Requires that the last day is not before the first day.
        case endsBeforeItBegins
        /// Requires a cursor from a search with the same order.
        case foreignCursor
        /// Requires at least one point or at least one byte.
        case empty
        case tooLarge(maximumBytes: Int)
        case tooMany(maximum: Int)
        /// Requires that nothing occurs twice.
        case repeated
        /// Allows a number of code points in a character, such as a letter with its marks.
        case tooManyScalars(maximum: Int)
        /// Allows only the characters of names: letters, digits, spaces, emoji, and the signs of identifiers.
        case unusableCharacter(Unicode.Scalar)
        /// Requires one writing system, or Latin letters with those of Korean, Japanese or Chinese.
        case mixedScripts
        /// Requires a visible character.
        case invisible
        /// Allows no password that many people have.
        case common
        /// Requires that what a file says of the place, the time and the camera can be removed from it.
        case keepsMetadata
        /// Allows no value: a server takes no new accounts.
        case closed
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
        case .tooMany(let maximum) where field == .pictures: "An entry may have at most \(maximum) pictures."
        case .tooMany(let maximum): "The \(field.name) may have at most \(maximum) entries."
        case .repeated: "One of the \(field.name) occurs twice: remove it once."
        case .tooManyScalars(let maximum):
            "The \(field.name) has a character of more than \(maximum) code points: remove marks from it."
        case .unusableCharacter(let scalar):
            "The \(field.name) cannot contain \(scalar.label): use letters, digits, spaces and emoji."
        case .mixedScripts:
            "The \(field.name) mixes writing systems: use one, or Latin letters with those of Korean, Japanese or Chinese."
        case .invisible: "The \(field.name) has no visible character: choose another one."
        case .common: "The \(field.name) is one of the most common ones, which are guessed first: choose another one."
        case .keepsMetadata:
            "The file of the \(field.name) keeps where and when it was taken, which cannot be removed from it: convert it to "
                + "JPEG or PNG first, or, if it is HEIC or AVIF, install vips (Debian: libvips-tools)."
        case .closed: "This server takes no new accounts."
        case .entriesInTheWay(let entries):
            "There \(entries.count == 1 ? "is 1 entry" : "are \(entries.count) entries") after the last day: move or delete "
                + (entries.count == 1 ? "it first." : "them first.")
        }
    }
}

extension Unicode.Scalar {
    /// The code point: `U+200B`.
    package var point: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// The code point with its name, which tells also an invisible character: `U+200B (ZERO WIDTH SPACE)`.
    package var label: String { properties.name.map { "\(point) (\($0))" } ?? point }
}

extension Violation.Field {
    var name: String {
        switch self {
        case .placeName: "name of the place"
        case .placeAddress: "address of the place"
        case .pictureText: "description of the picture"
        case .time: "time of day"
        case .timeZone: "time zone"
        case .likeCount: "number of likes"
        case .audience: "audience"
        default: rawValue
        }
    }
}
