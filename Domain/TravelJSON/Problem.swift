package import TravelDomain

/// The body of an answer that is an error: `application/problem+json` (RFC 9457), with the parts of the ``TravelError``,
/// so that a client throws the error that the store has thrown.
///
/// ```json
/// {
///   "type": "about:blank", "title": "Unprocessable Content", "status": 422,
///   "detail": "The title may have at most 60 characters.",
///   "cause": "invalid", "field": "title", "rule": { "name": "tooLong", "maximum": 60 }
/// }
/// ```
package struct Problem: Error, Hashable, Sendable {
    package let status: Int
    package let cause: Cause
    /// One English sentence.
    package var detail: String
    /// The identity of the request, which a user can quote.
    package var request: String?
    /// The place of the value in the body of the request that is the reason, such as `timeline[2].day`.
    package var path: String?
    /// The error of the domain; `nil` for an error of the interface, such as a body that is not JSON.
    private(set) package var travelError: TravelError?

    package static let mediaType = "application/problem+json"

    /// A kind of problem.
    package struct Cause: Hashable, Sendable {
        package let name: String

        package static let notFound = Cause(name: "notFound")
        package static let forbidden = Cause(name: "forbidden")
        package static let refused = Cause(name: "refused")
        package static let conflict = Cause(name: "conflict")
        package static let outdated = Cause(name: "outdated")
        package static let invalid = Cause(name: "invalid")
        package static let signedOut = Cause(name: "signedOut")
        package static let wrongCredentials = Cause(name: "wrongCredentials")
        package static let unavailable = Cause(name: "unavailable")

        // Errors of the interface, which the domain does not know.

        /// The request is not one of the interface: its query, a header, or a body that is not JSON of the right form.
        package static let malformed = Cause(name: "malformed")
        package static let noSuchRoute = Cause(name: "noSuchRoute")
        package static let methodNotAllowed = Cause(name: "methodNotAllowed")
        package static let requestTimeout = Cause(name: "requestTimeout")
        package static let bodyTooLarge = Cause(name: "bodyTooLarge")
        package static let targetTooLong = Cause(name: "targetTooLong")
        package static let unsupportedMediaType = Cause(name: "unsupportedMediaType")
        package static let rangeNotSatisfiable = Cause(name: "rangeNotSatisfiable")
        package static let versionRequired = Cause(name: "versionRequired")
        package static let tooManyRequests = Cause(name: "tooManyRequests")
        package static let quotaExceeded = Cause(name: "quotaExceeded")
        package static let headersTooLarge = Cause(name: "headersTooLarge")
        package static let internalError = Cause(name: "internalError")
    }

    /// Creates a problem of the interface.
    package init(_ cause: Cause, status: Int, _ detail: String, request: String? = nil) {
        self.cause = cause
        self.status = status
        self.detail = detail
        self.request = request
    }

    /// Creates the problem of an error of the domain.
    package init(_ error: TravelError, request: String? = nil) {
        let (cause, status) = Self.kind(of: error)
        self.init(cause, status: status, error.description, request: request)
        travelError = error
    }

    /// Creates the problem of a body that is not the expected value: 422 for a value that breaks a rule of the domain,
    /// and 400 for all else.
    package init(_ error: TravelJSONError, request: String? = nil) {
        if case .invalid(let violation) = error.problem {
            self.init(.invalid(violation), request: request)
        } else {
            self.init(.malformed, status: 400, error.description, request: request)
        }
        path = error.path
    }

    private static func kind(of error: TravelError) -> (Cause, status: Int) {
        switch error {
        case .notFound: (.notFound, 404)
        case .forbidden: (.forbidden, 403)
        case .refused: (.refused, 422)
        case .conflict: (.conflict, 409)
        case .outdated: (.outdated, 412)
        case .invalid: (.invalid, 422)
        case .signedOut: (.signedOut, 401)
        case .wrongCredentials: (.wrongCredentials, 401)
        case .unavailable: (.unavailable, 503)
        }
    }

    /// The error for a client: that of the domain if there is one, otherwise an outage.
    package var error: TravelError {
        if let travelError { return travelError }
        let (outage, canRetry): (TravelError.Outage.Cause, Bool) =
            switch cause {
            case .tooManyRequests: (.serverBusy, true)
            case .requestTimeout: (.unreachable, true)
            case .unavailable, .internalError: (.serverFailure, true)
            default: (.other, status >= 500)
            }
        return .unavailable(.init(detail, cause: outage, canRetry: canRetry))
    }

    /// The reason phrase of a status (RFC 9110, section 15; RFC 6585).
    package static func title(of status: Int) -> String {
        titles[status] ?? (status >= 500 ? "Server Error" : "Client Error")
    }

    private static let titles = [
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        406: "Not Acceptable", 408: "Request Timeout", 409: "Conflict", 411: "Length Required",
        412: "Precondition Failed", 413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type",
        416: "Range Not Satisfiable", 417: "Expectation Failed", 422: "Unprocessable Content",
        428: "Precondition Required", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
        500: "Internal Server Error", 501: "Not Implemented", 503: "Service Unavailable",
        505: "HTTP Version Not Supported",
    ]
}

extension Problem: Codable {
    private enum Key: String, CodingKey {
        case type, title, status, detail, cause, subject, field, rule, current, reason, outage, retryable, request, path
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode("about:blank", forKey: .type)
        try values.encode(Self.title(of: status), forKey: .title)
        try values.encode(status, forKey: .status)
        try values.encode(detail, forKey: .detail)
        try values.encode(cause.name, forKey: .cause)
        try values.encodeIfPresent(request, forKey: .request)
        try values.encodeIfPresent(path, forKey: .path)
        switch travelError {
        case .notFound(let subject), .forbidden(let subject), .refused(let subject), .conflict(let subject):
            try values.encode(SubjectRecord(subject), forKey: .subject)
        case .outdated(let trip): try values.encode(RecordedTripRecord(trip), forKey: .current)
        case .invalid(let violation):
            try values.encode(violation.field.rawValue, forKey: .field)
            try values.encode(RuleRecord(rule: violation.rule), forKey: .rule)
        case .unavailable(let outage):
            try values.encode(outage.reason, forKey: .reason)
            try values.encode(outage.cause.name, forKey: .outage)
            try values.encode(outage.canRetry, forKey: .retryable)
        case .signedOut, .wrongCredentials, nil: break
        }
    }

    /// Decodes any problem (RFC 9457). One whose parts this version does not know is one of the interface.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let status = try values.decode(Int.self, forKey: .status)
        let name = try values.decodeIfPresent(String.self, forKey: .cause)
        let title = try values.decodeIfPresent(String.self, forKey: .title) ?? Self.title(of: status)
        self.init(
            Cause(name: name ?? "unknown"), status: status,
            try values.decodeIfPresent(String.self, forKey: .detail) ?? title,
            request: try values.decodeIfPresent(String.self, forKey: .request))
        path = try values.decodeIfPresent(String.self, forKey: .path)
        // A later version may have other subjects, fields and rules.
        travelError = try? Self.travelError(cause, in: values)
    }

    private static func travelError(
        _ cause: Cause, in values: KeyedDecodingContainer<Key>
    ) throws -> TravelError? {
        func subject() throws -> TravelError.Subject {
            try values.decode(SubjectRecord.self, forKey: .subject).subject
        }
        switch cause {
        case .notFound: return .notFound(try subject())
        case .forbidden: return .forbidden(try subject())
        case .refused: return .refused(try subject())
        case .conflict: return .conflict(try subject())
        case .outdated: return .outdated(try values.decode(RecordedTripRecord.self, forKey: .current).trip)
        case .invalid:
            guard let field = Violation.Field(rawValue: try values.decode(String.self, forKey: .field)) else {
                return nil
            }
            return .invalid(Violation(field, try values.decode(RuleRecord.self, forKey: .rule).rule))
        case .signedOut: return .signedOut
        case .wrongCredentials: return .wrongCredentials
        case .unavailable:
            return .unavailable(
                .init(
                    try values.decode(String.self, forKey: .reason),
                    cause: .init(name: try values.decode(String.self, forKey: .outage)),
                    canRetry: try values.decode(Bool.self, forKey: .retryable)))
        default: return nil
        }
    }
}

/// The subject of an error: `{"kind": "trip", "id": "6f1c…"}`.
private struct SubjectRecord: Codable {
    let subject: TravelError.Subject

    private enum Key: String, CodingKey { case kind, id }
    private enum Kind: String, Codable { case trip, entry, user, image }

    init(_ subject: TravelError.Subject) {
        self.subject = subject
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        subject =
            switch try values.decode(Kind.self, forKey: .kind) {
            case .trip: .trip(try values.id(.id))
            case .entry: .entry(try values.id(.id))
            case .user: .user(try values.id(.id))
            case .image: .image(try values.id(.id))
            }
    }

    func encode(to encoder: any Encoder) throws {
        let (kind, id): (Kind, String) =
            switch subject {
            case .trip(let id): (.trip, id.description)
            case .entry(let id): (.entry, id.description)
            case .user(let id): (.user, id.description)
            case .image(let id): (.image, id.description)
            }
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(kind, forKey: .kind)
        try values.encode(id, forKey: .id)
    }
}

/// A rule with its value: `{"name": "tooLong", "maximum": 60}`.
private struct RuleRecord: Codable {
    let rule: Violation.Rule

    private enum Key: String, CodingKey {
        case name, minimum, maximum, expected, range, maximumBytes, entries, character
    }
    private enum Name: String, Codable {
        case tooShort, tooLong, controlCharacter, malformed, outOfRange, endsBeforeItBegins, foreignCursor, empty
        case tooLarge, tooMany, tooManyScalars, unusableCharacter, mixedScripts, invisible, common, keepsMetadata
        case entriesInTheWay, closed, repeated
    }

    init(rule: Violation.Rule) {
        self.rule = rule
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        rule =
            switch try values.decode(Name.self, forKey: .name) {
            case .tooShort: .tooShort(minimum: try values.decode(Int.self, forKey: .minimum))
            case .tooLong: .tooLong(maximum: try values.decode(Int.self, forKey: .maximum))
            case .controlCharacter: .controlCharacter
            case .malformed: .malformed(expected: try values.decode(String.self, forKey: .expected))
            case .outOfRange: .outOfRange(try values.decode(String.self, forKey: .range))
            case .endsBeforeItBegins: .endsBeforeItBegins
            case .foreignCursor: .foreignCursor
            case .empty: .empty
            case .tooLarge: .tooLarge(maximumBytes: try values.decode(Int.self, forKey: .maximumBytes))
            case .tooMany: .tooMany(maximum: try values.decode(Int.self, forKey: .maximum))
            case .tooManyScalars: .tooManyScalars(maximum: try values.decode(Int.self, forKey: .maximum))
            case .unusableCharacter: .unusableCharacter(try Self.character(in: values))
            case .mixedScripts: .mixedScripts
            case .invisible: .invisible
            case .common: .common
            case .keepsMetadata: .keepsMetadata
            case .closed: .closed
            case .repeated: .repeated
            case .entriesInTheWay:
                .entriesInTheWay(
                    try values.decode([String].self, forKey: .entries).map { text in
                        guard let id = TimelineEntry.ID(text) else {
                            throw TravelJSONError(.unexpected(expected: "a UUID"), at: values.path(to: .entries))
                        }
                        return id
                    })
            }
    }

    private static func character(in values: KeyedDecodingContainer<Key>) throws -> Unicode.Scalar {
        let text = try values.decode(String.self, forKey: .character)
        guard text.hasPrefix("U+"), let scalar = UInt32(text.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
        else {
            throw TravelJSONError(
                .unexpected(expected: "a code point, such as U+200B"), at: values.path(to: .character))
        }
        return scalar
    }

    func encode(to encoder: any Encoder) throws {
        let (name, value): (Name, (key: Key, value: any Encodable)?) =
            switch rule {
            case .tooShort(let minimum): (.tooShort, (.minimum, minimum))
            case .tooLong(let maximum): (.tooLong, (.maximum, maximum))
            case .controlCharacter: (.controlCharacter, nil)
            case .malformed(let expected): (.malformed, (.expected, expected))
            case .outOfRange(let range): (.outOfRange, (.range, range))
            case .endsBeforeItBegins: (.endsBeforeItBegins, nil)
            case .foreignCursor: (.foreignCursor, nil)
            case .empty: (.empty, nil)
            case .tooLarge(let bytes): (.tooLarge, (.maximumBytes, bytes))
            case .tooMany(let maximum): (.tooMany, (.maximum, maximum))
            case .tooManyScalars(let maximum): (.tooManyScalars, (.maximum, maximum))
            case .unusableCharacter(let scalar): (.unusableCharacter, (.character, scalar.point))
            case .mixedScripts: (.mixedScripts, nil)
            case .invisible: (.invisible, nil)
            case .common: (.common, nil)
            case .keepsMetadata: (.keepsMetadata, nil)
            case .closed: (.closed, nil)
            case .repeated: (.repeated, nil)
            case .entriesInTheWay(let entries): (.entriesInTheWay, (.entries, entries.map(\.description)))
            }
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(name, forKey: .name)
        if let (key, value) = value { try values.encode(value, forKey: key) }
    }
}
