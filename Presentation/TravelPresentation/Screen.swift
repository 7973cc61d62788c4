/// A screen of the app with its parameters: the value with which the app opens, links to and restores screens.
///
/// ```swift
/// Screen.travel(id, day: 2).needsPerson    // false
/// Screen.newTravel.needsPerson             // true
/// ```
public enum Screen: Hashable, Sendable {
    /// The list of everyone's travels, with search and filters.
    case home
    /// A list of travels that meet criteria, above the screen that opens it.
    case search(TravelCriteria)
    /// A travel, opened on a day (1-based).
    case travel(Travel.ID, day: Int = 1)
    /// The map of a day (1-based) of a travel.
    case map(Travel.ID, day: Int)
    /// One entry of a travel, with its text and its image.
    case entry(TimelineEntry.ID, in: Travel.ID)
    /// The editor of a new travel, which needs a signed-in person.
    case newTravel
    /// The editor of a stored travel, which needs its author.
    case travelEditor(Travel.ID)
    /// The editor of a new entry, on a day (1-based) of a travel.
    case newEntry(in: Travel.ID, day: Int)
    /// The editor of a stored entry, which needs its author.
    case entryEditor(TimelineEntry.ID, in: Travel.ID)
    /// The page of the signed-in person; without one, an invitation to sign in.
    case myPage
    /// All travels that the person has recorded.
    case myTravels
    /// All travels that the person likes, as a list.
    case likedTravels
    /// The form in which the person changes their nickname.
    case profile
    /// The authors that the person has blocked.
    case blocked
    /// The settings of the app, such as its language.
    case settings
    /// The form for signing in, with a nickname.
    case signIn

    /// Whether the screen needs a signed-in person.
    public var needsPerson: Bool {
        switch self {
        case .newTravel, .travelEditor, .newEntry, .entryEditor, .myTravels, .likedTravels, .profile, .blocked: true
        case .home, .search, .travel, .map, .entry, .myPage, .settings, .signIn: false
        }
    }
}

extension Screen {
    /// Whether the screen is a form, which may have unsaved changes.
    var isEditor: Bool {
        switch self {
        case .newTravel, .travelEditor, .newEntry, .entryEditor: true
        default: false
        }
    }
}

/// The result that a screen returns to the one below when it closes.
///
/// ```swift
/// ScreenEvent.close(.savedTravel(id))    // closes the editor; the screen below shows the travel
/// ```
public enum ScreenResult: Hashable, Sendable {
    /// The travel with that ID was recorded or changed.
    case savedTravel(Travel.ID)
    /// A travel was deleted, or its author blocked: it is no longer visible.
    case removedTravel(Travel.ID)
    /// The entry with that ID was added or changed.
    case savedEntry(TimelineEntry.ID, day: Int)
    /// The entry with that ID was deleted.
    case removedEntry(TimelineEntry.ID)
    /// A person signed in on the screen that closed.
    case signedIn
}

/// A short message that appears once, without a language.
///
/// ```swift
/// Notice.failed(ScreenFailure(error)).text(in: .english)    // why it failed, in English
/// ```
public enum Notice: Hashable, Sendable {
    /// A confirmation of something that was done.
    case done(Text)
    /// Something failed, for the reason in the value.
    case failed(ScreenFailure)

    /// Returns the message in a language, as one sentence.
    public func text(in language: Language) -> String {
        switch self {
        case .done(let text): language[text]
        case .failed(let failure): failure.message(in: language).text
        }
    }
}

/// A request of a screen to the app: the event type of every screen.
///
/// ```swift
/// let event = ScreenEvent.open(.travel(id))    // the coordinator puts that screen above this one
/// ```
public enum ScreenEvent: Hashable, Sendable {
    /// Opens another screen above the one that raises the event.
    case open(Screen)
    /// Closes this screen, with a result for the one below.
    case close(ScreenResult?)
    /// Shows a short message, while the screen stays.
    case notice(Notice)
}

extension Screen {
    /// The scheme of the links, before `://`.
    public static let scheme = "traveline"

    /// The link to the screen: `traveline://travel/6f1c…`. ``init(link:)`` reads it.
    public var link: String {
        let path =
            switch self {
            case .home: "home"
            case .search(let criteria): criteria.text.isEmpty ? "search" : "search?\(criteria.text)"
            case .travel(let id, day: 1): "travel/\(id)"
            case .travel(let id, let day): "travel/\(id)/day/\(day)"
            case .map(let id, let day): "travel/\(id)/day/\(day)/map"
            case .entry(let entry, in: let id): "travel/\(id)/entry/\(entry)"
            case .travelEditor(let id): "travel/\(id)/edit"
            case .newTravel: "travel/new"
            case .entryEditor(let entry, in: let id): "travel/\(id)/entry/\(entry)/edit"
            case .newEntry(in: let id, let day): "travel/\(id)/day/\(day)/new"
            case .myPage: "me"
            case .myTravels: "me/travels"
            case .likedTravels: "me/likes"
            case .profile: "me/profile"
            case .blocked: "me/blocked"
            case .settings: "settings"
            case .signIn: "signin"
            }
        return "\(Self.scheme)://\(path)"
    }

    /// Creates the screen of a link; `nil` for text that is not a link to a screen.
    ///
    /// Letter case of the scheme and of the IDs does not matter, and neither do surrounding white space and a slash at
    /// the end.
    ///
    /// ```swift
    /// Screen(link: "traveline://travel/6F1C…/day/2")    // .travel(6f1c…, day: 2)
    /// Screen(link: "https://example.org")               // nil
    /// ```
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
            guard let criteria = TravelCriteria(text: query.count == 2 ? query[1] : "") else { return nil }
            self = .search(criteria)
        } else if query.count == 1 {
            self.init(path: parts)
        } else {
            return nil
        }
    }

    private init?<Part: StringProtocol>(path: ArraySlice<Part>) {
        let parts = path.map { String($0) }
        switch parts.count {
        case 1:
            switch parts[0] {
            case "home": self = .home
            case "me": self = .myPage
            case "settings": self = .settings
            case "signin": self = .signIn
            default: return nil
            }
        case 2...:
            switch (parts[0], parts[1]) {
            case ("me", "travels") where parts.count == 2: self = .myTravels
            case ("me", "likes") where parts.count == 2: self = .likedTravels
            case ("me", "profile") where parts.count == 2: self = .profile
            case ("me", "blocked") where parts.count == 2: self = .blocked
            case ("travel", "new") where parts.count == 2: self = .newTravel
            case ("travel", let text):
                guard let id = Travel.ID(text) else { return nil }
                self.init(travel: id, path: Array(parts.dropFirst(2)))
            default: return nil
            }
        default: return nil
        }
    }

    private init?(travel id: Travel.ID, path: [String]) {
        func day(_ text: String) -> Int? {
            let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
            return isNumber ? Int(text).flatMap { $0 >= 1 ? $0 : nil } : nil
        }
        switch (path.first, path.count) {
        case (nil, _): self = .travel(id)
        case ("edit", 1): self = .travelEditor(id)
        case ("day", 2):
            guard let day = day(path[1]) else { return nil }
            self = .travel(id, day: day)
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
