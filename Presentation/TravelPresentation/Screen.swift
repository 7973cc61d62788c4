/// A screen of the app with its parameters: the value with which the app opens, links to and restores screens.
public enum Screen: Hashable, Sendable {
    case home
    case search(TripCriteria)
    /// A trip, opened on a day (1-based).
    case trip(Trip.ID, day: Int = 1)
    /// The map of a day (1-based) of a trip.
    case map(Trip.ID, day: Int)
    case entry(TimelineEntry.ID, in: Trip.ID)
    /// The editor of a new trip, which needs a signed-in user.
    case newTrip
    /// The editor of a stored trip, which needs its author.
    case tripEditor(Trip.ID)
    /// The editor of a new entry, on a day (1-based) of a trip.
    case newEntry(in: Trip.ID, day: Int)
    /// The editor of a stored entry, which needs its author.
    case entryEditor(TimelineEntry.ID, in: Trip.ID)
    /// The page of the signed-in user; without one, an invitation to sign in.
    case myPage
    case myTrips
    case likedTrips
    case profile
    case blocked
    case settings
    /// What waits between this device and its server.
    case changes
    case signIn
    /// The form for signing in to the server again, because the session there has ended.
    case signInAgain
    /// The form for deleting the account on the server.
    case accountDeletion

    /// Whether the screen needs a signed-in user.
    public var needsUser: Bool {
        switch self {
        case .newTrip, .tripEditor, .newEntry, .entryEditor, .myTrips, .likedTrips, .profile, .blocked,
            .accountDeletion:
            true
        case .home, .search, .trip, .map, .entry, .myPage, .settings, .changes, .signIn, .signInAgain: false
        }
    }
}

extension Screen {
    /// The trip that the screen shows or changes; `nil` for a screen of no stored trip.
    public var tripID: Trip.ID? {
        switch self {
        case .trip(let id, _), .map(let id, _), .entry(_, let id), .tripEditor(let id), .newEntry(let id, _),
            .entryEditor(_, let id):
            id
        default: nil
        }
    }

    /// Whether the screen is a form, which may have unsaved changes.
    var isEditor: Bool {
        switch self {
        case .newTrip, .tripEditor, .newEntry, .entryEditor: true
        default: false
        }
    }
}

/// The result that a screen returns to the one below when it closes.
public enum ScreenResult: Hashable, Sendable {
    case savedTrip(Trip.ID)
    case removedTrip(Trip.ID)
    case savedEntry(TimelineEntry.ID, day: Int)
    case removedEntry(TimelineEntry.ID)
    case signedIn
    /// The user has changed their nickname.
    case renamed(User)
}

/// A short message that appears once, without a language.
public enum Notice: Hashable, Sendable {
    case done(Text)
    /// Something was deleted that ``AppRun/undo(_:)`` brings back.
    case deleted(Text, UndoableDeletion)
    case failed(ScreenFailure)

    public func text(in language: Language) -> String {
        switch self {
        case .done(let text), .deleted(let text, _): language[text]
        case .failed(let failure): failure.text(in: language)
        }
    }

    /// The deletion that the message offers to undo.
    public var deletion: UndoableDeletion? {
        if case .deleted(_, let deletion) = self { deletion } else { nil }
    }
}

/// A request of a screen to the app: the event type of every screen.
public enum ScreenEvent: Hashable, Sendable {
    case open(Screen)
    case close(ScreenResult?)
    case notice(Notice)
}

extension Screen {
    public static let scheme = "traveline"

    /// The link to the screen: `traveline://trip/6f1c…`. ``init(link:)`` reads it.
    public var link: String {
        let path =
            switch self {
            case .home: "home"
            case .search(let criteria): criteria.text.isEmpty ? "search" : "search?\(criteria.text)"
            case .trip(let id, day: 1): "trip/\(id)"
            case .trip(let id, let day): "trip/\(id)/day/\(day)"
            case .map(let id, let day): "trip/\(id)/day/\(day)/map"
            case .entry(let entry, in: let id): "trip/\(id)/entry/\(entry)"
            case .tripEditor(let id): "trip/\(id)/edit"
            case .newTrip: "trip/new"
            case .entryEditor(let entry, in: let id): "trip/\(id)/entry/\(entry)/edit"
            case .newEntry(in: let id, let day): "trip/\(id)/day/\(day)/new"
            case .myPage: "me"
            case .myTrips: "me/trips"
            case .likedTrips: "me/likes"
            case .profile: "me/profile"
            case .blocked: "me/blocked"
            case .settings: "settings"
            case .changes: "changes"
            case .signIn: "signin"
            case .signInAgain: "changes/signin"
            case .accountDeletion: "settings/delete-account"
            }
        return "\(Self.scheme)://\(path)"
    }

    /// Creates the screen of a link; `nil` for text that is not a link to a screen.
    ///
    /// Letter case of the scheme and of the IDs does not matter, and neither do surrounding white space and a slash at
    /// the end.
    public init?(link: some StringProtocol) {
        let words = link.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, let text = words.first, let colon = text.firstIndex(of: ":"),
            text[..<colon].lowercased() == Self.scheme
        else { return nil }
        let rest = text[text.index(after: colon)...]
        guard rest.hasPrefix("//") else { return nil }
        let query = rest.dropFirst(2).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var parts = query[0].split(separator: "/", omittingEmptySubsequences: false)[...]
        if parts.last == "" { parts.removeLast() }
        if parts == ["search"] {
            guard let criteria = TripCriteria(text: query.count == 2 ? query[1] : "") else { return nil }
            self = .search(criteria)
        } else if query.count == 1 {
            self.init(path: parts)
        } else {
            return nil
        }
    }

    /// The screens without parameters.
    private static let plain: [Screen] = [
        .home, .newTrip, .myPage, .myTrips, .likedTrips, .profile, .blocked, .settings, .changes, .signIn,
        .signInAgain, .accountDeletion,
    ]

    private init?<Part: StringProtocol>(path: ArraySlice<Part>) {
        let parts = path.map { String($0) }
        let link = "\(Self.scheme)://\(parts.joined(separator: "/"))"
        if let screen = Self.plain.first(where: { $0.link == link }) {
            self = screen
        } else if parts.count > 1, parts[0] == "trip", let id = Trip.ID(parts[1]) {
            self.init(trip: id, path: Array(parts.dropFirst(2)))
        } else {
            return nil
        }
    }

    private init?(trip id: Trip.ID, path: [String]) {
        func day(_ text: String) -> Int? {
            let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
            return isNumber ? Int(text).flatMap { $0 >= 1 ? $0 : nil } : nil
        }
        switch (path.first, path.count) {
        case (nil, _): self = .trip(id)
        case ("edit", 1): self = .tripEditor(id)
        case ("day", 2):
            guard let day = day(path[1]) else { return nil }
            self = .trip(id, day: day)
        case ("day", 3):
            guard let day = day(path[1]) else { return nil }
            switch path[2] {
            case "map": self = .map(id, day: day)
            case "new": self = .newEntry(in: id, day: day)
            default: return nil
            }
        case ("entry", 2):
            guard let entry = TimelineEntry.ID(path[1]) else { return nil }
            self = .entry(entry, in: id)
        case ("entry", 3):
            guard let entry = TimelineEntry.ID(path[1]), path[2] == "edit" else { return nil }
            self = .entryEditor(entry, in: id)
        default: return nil
        }
    }
}
