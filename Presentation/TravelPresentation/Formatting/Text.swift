/// The texts of the screens that have no parameters. `Language.korean[.retry]` is one of them; ``Phrase`` has those
/// with parameters.
///
/// ```swift
/// Language.english[.retry] == Language.korean[.retry]    // false
/// ```
public enum Text: String, CaseIterable, Hashable, Sendable {
    // MARK: General

    /// The label of a button that repeats the failed action.
    case retry
    /// A button that closes a dialog without an effect.
    case cancel
    /// A button that closes a screen or a panel.
    case close
    /// A button that returns to the previous screen.
    case back
    /// The label of a button that saves a form.
    case save
    /// The label of a button that deletes.
    case delete
    /// The label of a button that opens an editor.
    case edit
    /// The text that is shown while something loads.
    case loading
    /// Shown while a form is being saved.
    case saving
    /// The title at the top of the help.
    case help
    /// The label of a button that ends the app.
    case quit
    /// The label of the option without a value.
    case none

    // MARK: Home

    /// The title at the top of the home screen.
    case homeTitle
    /// The text in the search field while it is empty.
    case searchPlaceholder
    /// The heading above the recent keywords.
    case recentKeywords
    /// The heading of the suggestions while typing.
    case suggestions
    /// The text in place of recent keywords, when there are none.
    case noRecentKeywords
    /// The text in place of suggestions, when there are none.
    case noSuggestions
    /// A button that removes a recent keyword.
    case forgetKeyword
    /// The title at the top of an empty result.
    case nothingFound
    /// The advice below an empty result.
    case nothingFoundHint
    /// The title at the top of the filter sheet.
    case filters
    /// A button that applies the filters of the sheet.
    case applyFilters
    /// The label of a button that removes all filters.
    case clearFilters
    /// The label beside the field for the sort order.
    case sort
    /// A button that loads the list again.
    case refresh
    /// Shown below the rows while the next page loads.
    case loadingMore
    /// The text that is shown below the last row.
    case endOfList
    /// A button that opens the editor of a new trip.
    case writeTrip

    // MARK: Trip

    /// The label of a button that likes a trip.
    case like
    /// A button that removes a like.
    case unlike
    /// The label of a button that reports a trip.
    case report
    /// The question that is asked before a report.
    case reportQuestion
    /// The notice that confirms a report.
    case reported
    /// The notice that answers a second report.
    case alreadyReported
    /// The label of a button that blocks an author.
    case block
    /// The question before an author is blocked.
    case blockQuestion
    /// The notice that confirms a block.
    case blocked
    /// A button that opens the editor of a trip.
    case editTrip
    /// The label of a button that deletes a trip.
    case deleteTrip
    /// The question before a trip is deleted.
    case deleteTripQuestion
    /// The confirmation that a trip was deleted.
    case tripDeleted
    /// Shown instead of a trip that no longer exists.
    case tripGone
    /// The title of the map of a day.
    case map
    /// Shown instead of a map without stops.
    case noPlaces

    // MARK: Entries

    /// A button that opens the editor of a new entry.
    case addEntry
    /// The text that is shown on a day without entries.
    case noEntries
    /// A button that opens the editor of an entry.
    case editEntry
    /// The label of a button that deletes an entry.
    case deleteEntry
    /// The question before an entry is deleted.
    case deleteEntryQuestion
    /// The confirmation that an entry was deleted.
    case entryDeleted
    /// Shown instead of an entry that no longer exists.
    case entryGone

    // MARK: Forms

    /// The label beside the field for the title.
    case title
    /// The label of the first day of a trip.
    case firstDay
    /// The label of the last day of a trip.
    case lastDay
    /// The label of the text of an entry.
    case text
    /// The label of the day of an entry.
    case day
    /// The label of the time of an entry.
    case time
    /// The label of the place of an entry.
    case place
    /// The label beside the field for the image.
    case image
    /// The placeholder of the path of an image.
    case imagePath
    /// The placeholder of the search for a place.
    case placePlaceholder
    /// The text that is shown when no place matches.
    case noPlaceFound
    /// A button that removes the place of an entry.
    case removePlace
    /// The label of a button that removes the image.
    case removeImage
    /// The text that is shown when no region was chosen.
    case chooseRegion
    /// Shown for text that is not a day.
    case malformedDay
    /// Shown for text that is not a time.
    case malformedTime
    /// The notice that confirms a saved form.
    case saved
    /// The question before unsaved changes are discarded.
    case discardQuestion
    /// The label of a button that discards changes.
    case discard
    /// A button that returns to the form.
    case keepEditing
    /// The title of a conflict between two versions.
    case conflictTitle
    /// The heading of the version of the form.
    case mine
    /// The heading above the stored version.
    case theirs
    /// A button that saves the version of the form.
    case keepMine
    /// A button that takes the stored version into the form.
    case takeTheirs
    /// Shown when the edited entry was deleted elsewhere.
    case entryWasDeleted

    // MARK: Account

    /// The title of the page of the person.
    case myPage
    /// The heading of the person's own trips.
    case myTrips
    /// The heading of the trips that the person likes.
    case likedTrips
    /// A button that opens the whole list.
    case seeAll
    /// The text in place of own trips, when there are none.
    case noTrips
    /// The text in place of liked trips, when there are none.
    case noLikedTrips
    /// The title at the top of the profile.
    case profile
    /// The title at the top of the settings.
    case settings
    /// The label beside the field for the language.
    case language
    /// The label beside the field for the nickname.
    case nickname
    /// A nickname that the person can take.
    case nicknameAvailable
    /// A nickname that the person already has.
    case nicknameUnchanged
    /// The text beside a nickname that someone else has.
    case nicknameTaken
    /// The text beside a nickname that contains a control character.
    case nicknameControl
    /// Shown while a nickname is being checked.
    case checking
    /// The label of a button that signs in.
    case signIn
    /// Shown where the screen needs a signed-in person and there is none.
    case signInHint
    /// The notice that confirms a sign-in.
    case signedIn
    /// The label of a button that signs out.
    case signOut
    /// The notice that confirms a sign-out.
    case signedOut
    /// The title of the list of blocked authors.
    case blockedPeople
    /// The text in place of blocked authors, when there are none.
    case nobodyBlocked
    /// A button that shows the trips of an author again.
    case unblock
    /// The confirmation that an author was unblocked.
    case unblocked
    /// The label of a button that deletes the account.
    case withdraw
    /// The question before the account is deleted.
    case withdrawQuestion
    /// The confirmation that the account was deleted.
    case withdrawn
    /// The answer to a link that names no screen.
    case brokenLink
}

extension DayRange {
    /// The first and last day, `2024-05-01 – 2024-05-03`; for a day trip, the one day.
    public var text: String {
        count == 1 ? "\(first)" : "\(first) – \(last)"
    }
}

/// A day of the week, Monday first, as ISO 8601 numbers them.
///
/// ```swift
/// Weekday(of: try CalendarDay("2024-05-01"))    // .wednesday
/// ```
public enum Weekday: Int, CaseIterable, Hashable, Sendable {
    /// Monday, the first day of a week by ISO 8601.
    case monday = 1
    /// Tuesday, the second day of a week by ISO 8601.
    case tuesday
    /// Wednesday, the third day of a week by ISO 8601.
    case wednesday
    /// Thursday, the fourth day of a week by ISO 8601.
    case thursday
    /// Friday, the fifth day of a week by ISO 8601.
    case friday
    /// Saturday, the sixth day of a week by ISO 8601.
    case saturday
    /// Sunday, the seventh day of a week by ISO 8601.
    case sunday

    /// The day of the week of a calendar day.
    public init(of day: CalendarDay) {
        // 1 January 1970 was a Thursday.
        let sinceMonday = (day.daysSince1970 + 3) % 7
        self = Self.allCases[sinceMonday < 0 ? sinceMonday + 7 : sinceMonday]
    }
}

extension CalendarDay {
    /// The day of the month and of the week: `"05 Fri"`, `"05 금"`.
    public func tabText(in language: Language) -> String {
        "\(day < 10 ? "0" : "")\(day) \(Weekday(of: self).name(in: language))"
    }
}

/// The texts of the screens that have parameters.
///
/// ```swift
/// Language.english[.likes(1)]    // "1 like"
/// Language.korean[.day(2)]       // "2일차"
/// ```
public enum Phrase: Hashable, Sendable {
    /// The number of trips in a list.
    case trips(Int)
    /// The shown part of a longer list: `20 of 79`.
    case shown(Int, of: Int)
    /// The number of likes, which agrees with its noun.
    case likes(Int)
    /// The number of entries, which agrees with its noun.
    case entries(Int)
    /// A day of a trip by its number, 1-based.
    case day(Int)
    /// The number of characters in a field, and how many it may have.
    case characters(Int, maximum: Int)
    /// Several chosen values: the first, and the number of the others.
    case andMore(String, Int)
    /// A nickname, or another text, that is shorter than it may be.
    case tooShort(minimum: Int)
    /// A nickname, or another text, that is longer than it may be.
    case tooLong(maximum: Int)
    /// Entries after the last day of a trip whose dates shrink.
    case entriesInTheWay(Int)
    /// A greeting of the signed-in person.
    case hello(String)
    /// The days that an entry may have: 1 through the parameter.
    case dayOutOfRange(last: Int)
}
