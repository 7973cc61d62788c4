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
