/// Who may see a trip besides its author.
///
/// ```swift
/// let key = LinkKey()
/// Audience.byLink(key).admits(nil)     // false
/// Audience.byLink(key).admits(key)     // true
/// Audience.onlyMe.admits(key)          // false
/// ```
///
/// ``Visibility`` is the whole rule, with reports and blocks.
public enum Audience: Hashable, Sendable {
    /// Nobody.
    case onlyMe
    /// Everyone who has the key of the trip's link. Lists, searches and suggestions of others do not have it.
    case byLink(LinkKey)
    /// Everyone, without a key. Lists, searches and suggestions have it.
    case everyone

    /// Whether the trip is shown to someone other than its author, who presents `key`.
    public func admits(_ key: LinkKey?) -> Bool {
        switch self {
        case .onlyMe: false
        case .byLink(let link): key.map(link.matches) ?? false
        case .everyone: true
        }
    }

    /// The key of the link; `nil` for a trip that has none.
    public var key: LinkKey? {
        if case .byLink(let key) = self { key } else { nil }
    }
}

extension Audience {
    /// An audience without its key, such as an author chooses it.
    public enum Level: String, CaseIterable, Hashable, Sendable {
        case onlyMe = "me"
        case byLink = "link"
        case everyone
    }

    public var level: Level {
        switch self {
        case .onlyMe: .onlyMe
        case .byLink: .byLink
        case .everyone: .everyone
        }
    }

    /// This audience if it has that level, and otherwise a new one of that level: a link that is withdrawn never opens the
    /// trip again, because another one has another key.
    ///
    /// ```swift
    /// let shared = Audience.onlyMe.changed(to: .byLink)
    /// shared.changed(to: .byLink) == shared                           // true
    /// shared.changed(to: .onlyMe).changed(to: .byLink) == shared      // false
    /// ```
    public func changed(to level: Level, newKey: @autoclosure () -> LinkKey = LinkKey()) -> Audience {
        guard level != self.level else { return self }
        return switch level {
        case .onlyMe: .onlyMe
        case .byLink: .byLink(newKey())
        case .everyone: .everyone
        }
    }
}

extension Audience {
    /// `"me"`, `"everyone"`, or `"link:"` and the text of the key: the form of stores and of the interface, which holds the
    /// secret.
    package var text: String {
        switch self {
        case .onlyMe, .everyone: level.rawValue
        case .byLink(let key): Self.linkPrefix + key.text
        }
    }

    private static let linkPrefix = "link:"

    /// Creates the audience with that ``text``.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` for any other text.
    package init(text: String) throws(TravelError) {
        switch text {
        case Level.onlyMe.rawValue: self = .onlyMe
        case Level.everyone.rawValue: self = .everyone
        default:
            guard text.hasPrefix(Self.linkPrefix), let key = LinkKey(text.dropFirst(Self.linkPrefix.utf8.count)) else {
                throw .invalid(.init(.audience, .malformed(expected: "me, everyone, or link: with a key")))
            }
            self = .byLink(key)
        }
    }
}

/// The key of a link to a trip: 128 random bits. Who has it sees the trip, as long as its audience has the same key.
public struct LinkKey: Secret, Hashable, Sendable {
    /// The bits in the URL-safe alphabet of base 64 (RFC 4648, section 5), without padding: 22 characters.
    public let text: String

    /// The number of bytes.
    public static let size = 16

    /// Creates a key from the random numbers of the system.
    public init() {
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }

    /// Creates a key from the numbers of `generator`, which nobody can foretell.
    public init(using generator: inout some RandomNumberGenerator) {
        self.init(unchecked: (0..<Self.size).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// Creates a key from the text in a link; `nil` for any text that is not the ``text`` of a key.
    public init?(_ text: some StringProtocol) {
        let standard = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }) + "=="
        // The length first: 16 bytes in base 64, without padding.
        guard text.utf8.count == 22, let bytes = Data(base64Encoded: standard), bytes.count == Self.size else {
            return nil
        }
        self.init(unchecked: Array(bytes))
        // The last character has four bits that no byte has.
        guard self.text == text else { return nil }
    }

    private init(unchecked bytes: [UInt8]) {
        text = String(Data(bytes).base64EncodedString().dropLast(2).map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    }

    /// Whether both keys are equal, in a time that tells nothing of where they differ.
    public func matches(_ other: LinkKey) -> Bool {
        zip(text.utf8, other.text.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
