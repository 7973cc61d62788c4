package import TravelDomain

/// A route of the interface between a server and its clients: what a server answers, what a client asks, and what the
/// description of the interface must say.
///
/// ```swift
/// Route.trip.target(trip.id.description)    // "/v1/trips/6f1c…"
/// ```
package enum Route: String, CaseIterable, Hashable, Sendable {
    case signUp, signIn, refresh, signOut
    case me, rename, deleteAccount, changePassword, setAvatar, removeAvatar
    case user, nickname, blocked, block, unblock
    case trips, titles, trip, summary, timeline, track, putTrip, removeTrip, like, unlike, report
    case putImage, image
    case health, metrics
    case home, tripPage, mapOfPage, pictureOfPage, style, icon, favicon

    package enum Method: String, CaseIterable, Hashable, Sendable {
        case get = "GET"
        case put = "PUT"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    /// Who may use a route.
    package enum Access: Hashable, Sendable {
        /// Everyone; a token is not looked at.
        case everyone
        /// Everyone; whoever presents a token is the viewer.
        case viewer
        /// Only a user with a valid token.
        case user
    }

    /// The body of a request.
    package enum Body: Hashable, Sendable {
        case none
        case json
        /// The bytes of a picture.
        case picture
    }

    /// The version of the interface, which both sides send in the header ``InterfaceHeader/version``.
    package static let version = 1

    package var method: Method { shape.method }
    /// The path, in which `{…}` is an argument, such as `/v1/trips/{id}/like`.
    package var template: String { shape.template }
    package var access: Access { shape.access }
    package var body: Body { shape.body }
    /// The names of the parameters of the query.
    package var query: [String] { shape.query }

    /// Whether a client gets each new value as a server-sent event when it accepts ``InterfaceHeader/eventStream``.
    package var isObservable: Bool {
        switch self {
        case .trips, .trip, .summary, .timeline: true
        default: false
        }
    }

    /// Whether a request that is sent twice has the effect of one, so that a client may repeat it.
    ///
    /// A repeated registration is a conflict, a repeated refresh ends the session, and attempts to sign in are limited.
    package var isRepeatable: Bool {
        switch self {
        case .signUp, .signIn, .refresh, .changePassword: false
        default: true
        }
    }

    private typealias Shape = (
        method: Method, template: String, access: Access, body: Body, query: [String]
    )

    private var shape: Shape {
        switch self {
        case .signUp: (.post, "/v1/accounts", .everyone, .json, [])
        case .signIn: (.post, "/v1/sessions", .everyone, .json, [])
        case .refresh: (.post, "/v1/sessions/refresh", .everyone, .json, [])
        case .signOut: (.delete, "/v1/session", .user, .none, [])
        case .me: (.get, "/v1/me", .user, .none, [])
        case .rename: (.patch, "/v1/me", .user, .json, [])
        case .deleteAccount: (.delete, "/v1/me", .user, .json, [])
        case .changePassword: (.put, "/v1/me/password", .user, .json, [])
        case .setAvatar: (.put, "/v1/me/avatar", .user, .picture, [])
        case .removeAvatar: (.delete, "/v1/me/avatar", .user, .none, [])
        case .user: (.get, "/v1/users/{id}", .viewer, .none, [])
        case .nickname: (.get, "/v1/nicknames/{nickname}", .viewer, .none, [])
        case .blocked: (.get, "/v1/me/blocked", .user, .none, [])
        case .block: (.put, "/v1/me/blocked/{id}", .user, .none, [])
        case .unblock: (.delete, "/v1/me/blocked/{id}", .user, .none, [])
        case .trips:
            (.get, "/v1/trips", .viewer, .none, TripCriteria.names + ["after", "limit"])
        case .titles: (.get, "/v1/titles", .viewer, .none, ["text", "limit"])
        case .trip: (.get, "/v1/trips/{id}", .viewer, .none, ["key"])
        case .summary: (.get, "/v1/trips/{id}/summary", .viewer, .none, ["key"])
        case .timeline: (.get, "/v1/trips/{id}/timeline", .viewer, .none, ["key", "day"])
        case .track: (.get, "/v1/trips/{id}/track", .viewer, .none, ["key"])
        case .putTrip: (.put, "/v1/trips/{id}", .user, .json, ["audience"])
        case .removeTrip: (.delete, "/v1/trips/{id}", .user, .none, [])
        case .like: (.put, "/v1/trips/{id}/like", .user, .none, ["key"])
        case .unlike: (.delete, "/v1/trips/{id}/like", .user, .none, ["key"])
        case .report: (.put, "/v1/trips/{id}/report", .user, .none, ["key"])
        case .putImage: (.put, "/v1/images/{id}", .user, .picture, [])
        case .image: (.get, "/v1/images/{id}", .viewer, .none, ["key"])
        case .health: (.get, "/healthz", .everyone, .none, [])
        case .metrics: (.get, "/metrics", .everyone, .none, [])
        case .home: (.get, "/", .everyone, .none, [])
        case .tripPage: (.get, "/trips/{id}", .everyone, .none, ["key"])
        case .mapOfPage: (.get, "/trips/{id}/map.png", .everyone, .none, ["key"])
        case .pictureOfPage: (.get, "/images/{id}", .everyone, .none, ["key", "size"])
        case .style: (.get, "/style.css", .everyone, .none, [])
        case .icon: (.get, "/icon.svg", .everyone, .none, [])
        case .favicon: (.get, "/favicon.ico", .everyone, .none, [])
        }
    }
}

extension Route {
    /// The path with those arguments, percent-encoded, in place of the parts in braces.
    package func target(_ arguments: String...) -> String {
        var rest = arguments[...]
        return template.split(separator: "/", omittingEmptySubsequences: false)
            .map { Self.isArgument($0) ? rest.popFirst()?.percentEncoded ?? "" : String($0) }
            .joined(separator: "/")
    }

    private static func isArgument(_ part: Substring) -> Bool { part.hasPrefix("{") }
}

/// The headers and media types of the interface that are its own, or that both sides must spell alike.
package enum InterfaceHeader {
    /// ``Route/version`` in decimal digits.
    package static let version = "Traveline-Interface"
    /// The version of a trip, in an answer with the trip.
    package static let tripVersion = "Trip-Version"
    /// The ID of a picture in the body of a request.
    package static let imageID = "Image-ID"
    /// The identity of the request, in each answer.
    package static let request = "Request-ID"
    package static let json = "application/json"
    package static let eventStream = "text/event-stream"
    /// The value of `If-None-Match` with which a trip is added.
    package static let any = "*"
}

extension TripVersion {
    /// The value of `If-Match` for this version, such as `"3"` with its quotation marks.
    package var entityTag: String { "\"\(number)\"" }

    /// Creates the version of an entity tag: of the value of `If-Match`, or of an `ETag` such as `"3-6f1c…"`; `nil` for
    /// any other text.
    package init?(entityTag text: some StringProtocol) {
        guard text.utf8.count > 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return nil }
        let tag = text.dropFirst().dropLast()
        let digits = tag.prefix { $0 != "-" }
        // A list of tags has more quotation marks.
        guard !tag.contains("\""), digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(digits) else {
            return nil
        }
        self.init(number: number)
    }
}

/// The entity tag of a trip: the number of its version, and a digest of the content that the version has.
///
/// A number alone does not tell versions apart: a server that is restored from a backup counts from there again.
///
/// ```swift
/// TripTag("\"3-6f1c\"")            // version 3 with the content 6f1c: what `If-Match` compares
/// TripTag("\"3-6f1c.09ab\"")       // the same, in the answer with the digest 09ab
/// TripTag("\"3\""), TripTag("\"3-.09ab\"")    // version 3 with any content
/// ```
package struct TripTag: Hashable, Sendable {
    package let version: TripVersion
    /// ``TravelDomain/RecordedTrip/contentDigest``; `nil` for any.
    package let content: String?

    package init(_ version: TripVersion, content: String?) {
        (self.version, self.content) = (version, content)
    }

    /// Creates the tag of a value of `If-Match`, or of an `ETag`; `nil` for any other text.
    package init?(_ text: some StringProtocol) {
        guard let version = TripVersion(entityTag: text) else { return nil }
        let content = text.dropFirst().dropLast().drop { $0 != "-" }.dropFirst().prefix { $0 != "." }
        self.init(version, content: content.isEmpty ? nil : String(content))
    }

    /// The text without quotation marks, in an answer with that digest.
    package func text(answer: String) -> String { "\(version)-\(content ?? "").\(answer)" }

    /// Whether `trip` is what the tag is about.
    package func matches(_ trip: RecordedTrip) -> Bool {
        version == trip.version && (content.map { $0 == trip.contentDigest } ?? true)
    }
}

extension TripQuery {
    /// The query of a URL that asks for this page, such as `region=busan&limit=20`: the text of the criteria, the cursor
    /// as `after`, and the limit. The viewer is not in it.
    package var text: String {
        let criteria = criteria.text.isEmpty ? [] : [criteria.text]
        return (criteria + (cursor.map { ["after=\($0.text)"] } ?? []) + ["limit=\(limit)"]).joined(separator: "&")
    }

    /// Creates the query of a URL for `viewer`; `limit` is 20 when it is missing.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` for a cursor or a limit that is none; a ``TravelJSONError`` for other
    ///   criteria than those of `TripCriteria`.
    package init(text: some StringProtocol, viewer: User.ID?) throws {
        var criteria: [Substring] = []
        var cursor: TripCursor?
        var limit: Int?
        for pair in Substring(text).split(separator: "&", omittingEmptySubsequences: false) where !text.isEmpty {
            if pair.hasPrefix("after="), cursor == nil {
                guard let value = String(percentEncoded: pair.dropFirst(6)), let read = TripCursor(text: value) else {
                    throw TravelError.invalid(.init(.cursor, .malformed(expected: "the cursor of a page")))
                }
                cursor = read
            } else if pair.hasPrefix("limit="), limit == nil {
                guard let read = Int(pair.dropFirst(6)) else {
                    throw TravelError.invalid(.init(.limit, .malformed(expected: "a whole number")))
                }
                limit = read
            } else {
                criteria.append(pair)
            }
        }
        guard let criteria = TripCriteria(text: criteria.joined(separator: "&")) else {
            throw TravelJSONError(.unexpected(expected: "a search such as region=busan,jeju&sort=mostLiked"))
        }
        try self.init(criteria, viewer: viewer, after: cursor, limit: limit ?? 20)
    }
}

extension ImageFormat {
    /// The media type (IANA).
    package var mediaType: String { "image/\(rawValue.lowercased())" }
}
