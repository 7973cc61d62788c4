extension Text {
    /// The text in English.
    var english: String {
        switch self {
        // General
        case .retry: "Retry"
        case .cancel: "Cancel"
        case .close: "Close"
        case .back: "Back"
        case .save: "Save"
        case .delete: "Delete"
        case .edit: "Edit"
        case .loading: "Loading…"
        case .saving: "Saving…"
        case .help: "Help"
        case .quit: "Quit"
        case .none: "None"
        // Home
        case .homeTitle: "Trips"
        case .searchPlaceholder: "Search titles"
        case .recentKeywords: "Recent searches"
        case .suggestions: "Suggestions"
        case .noRecentKeywords: "No recent searches"
        case .noSuggestions: "No matching titles"
        case .forgetKeyword: "Remove"
        case .nothingFound: "No trips found."
        case .nothingFoundHint: "Try another keyword or fewer filters."
        case .filters: "Filters"
        case .applyFilters: "Apply"
        case .clearFilters: "Clear all"
        case .sort: "Sort"
        case .refresh: "Refresh"
        case .loadingMore: "Loading more…"
        case .endOfList: "That is all."
        case .writeTrip: "New trip"
        // Trip
        case .like: "Like"
        case .unlike: "Unlike"
        case .report: "Report"
        case .reportQuestion: "Report this trip? Trips with more than five reports are hidden."
        case .reported: "Reported. Thank you."
        case .alreadyReported: "You have already reported this trip."
        case .block: "Block author"
        case .blockQuestion: "Block this author? You will no longer see their trips."
        case .blocked: "Author blocked."
        case .editTrip: "Edit trip"
        case .deleteTrip: "Delete trip"
        case .deleteTripQuestion: "Delete this trip with all its entries?"
        case .tripDeleted: "Trip deleted."
        case .tripGone: "This trip no longer exists, or you cannot see it."
        case .map: "Map"
        case .noPlaces: "No places on the map of this day."
        // Entries
        case .addEntry: "Add entry"
        case .noEntries: "Nothing recorded on this day."
        case .editEntry: "Edit entry"
        case .deleteEntry: "Delete entry"
        case .deleteEntryQuestion: "Delete this entry?"
        case .entryDeleted: "Entry deleted."
        case .entryGone: "This entry no longer exists."
        // Forms
        case .title: "Title"
        case .firstDay: "First day"
        case .lastDay: "Last day"
        case .text: "Text"
        case .day: "Day"
        case .time: "Time"
        case .place: "Place"
        case .image: "Photo"
        case .imagePath: "Path of a photo"
        case .placePlaceholder: "Type a name, or search places"
        case .noPlaceFound: "No known place; the name is kept."
        case .removePlace: "Remove place"
        case .removeImage: "Remove photo"
        case .chooseRegion: "Choose a region."
        case .malformedDay: "Enter a day such as 2024-05-01."
        case .malformedTime: "Enter a time such as 09:30."
        case .saved: "Saved."
        case .discardQuestion: "Discard your changes?"
        case .discard: "Discard"
        case .keepEditing: "Keep editing"
        case .conflictTitle: "This trip was changed elsewhere meanwhile."
        case .mine: "Your version"
        case .theirs: "Stored version"
        case .keepMine: "Keep mine"
        case .takeTheirs: "Take theirs"
        case .entryWasDeleted: "The entry was deleted elsewhere."
        // Account
        case .myPage: "My page"
        case .myTrips: "My trips"
        case .likedTrips: "Liked trips"
        case .seeAll: "See all"
        case .noTrips: "You have not recorded a trip yet."
        case .noLikedTrips: "You have not liked a trip yet."
        case .profile: "Profile"
        case .settings: "Settings"
        case .language: "Language"
        case .nickname: "Nickname"
        case .nicknameAvailable: "This nickname is available."
        case .nicknameUnchanged: "This is your nickname already."
        case .nicknameTaken: "Someone else has this nickname."
        case .nicknameControl: "A nickname has one line of visible characters."
        case .checking: "Checking…"
        case .signIn: "Sign in"
        case .signInHint: "Sign in to record and like trips."
        case .signedIn: "Signed in."
        case .signOut: "Sign out"
        case .signedOut: "Signed out."
        case .blockedPeople: "Blocked people"
        case .nobodyBlocked: "You have not blocked anyone."
        case .unblock: "Unblock"
        case .unblocked: "Unblocked."
        case .withdraw: "Delete account"
        case .withdrawQuestion: "Delete your account with all your trips, photos and likes? This cannot be undone."
        case .withdrawn: "Your account was deleted."
        case .brokenLink: "This link does not lead anywhere."
        }
    }
}

extension Region {
    var english: String {
        switch self {
        case .seoul: "Seoul"
        case .busan: "Busan"
        case .daegu: "Daegu"
        case .incheon: "Incheon"
        case .gwangju: "Gwangju"
        case .daejeon: "Daejeon"
        case .ulsan: "Ulsan"
        case .sejong: "Sejong"
        case .gyeonggi: "Gyeonggi"
        case .gangwon: "Gangwon"
        case .chungbuk: "Chungbuk"
        case .chungnam: "Chungnam"
        case .jeonbuk: "Jeonbuk"
        case .jeonnam: "Jeonnam"
        case .gyeongbuk: "Gyeongbuk"
        case .gyeongnam: "Gyeongnam"
        case .jeju: "Jeju"
        case .abroad: "Abroad"
        }
    }
}

extension Theme {
    var english: String {
        switch self {
        case .healing: "Healing"
        case .activity: "Activity"
        case .camping: "Camping"
        case .food: "Food"
        case .art: "Art"
        case .mood: "Mood"
        case .nature: "Nature"
        case .shopping: "Shopping"
        case .familyDuty: "Family duty"
        }
    }
}

extension Companion {
    var english: String {
        switch self {
        case .family: "Family"
        case .friends: "Friends"
        case .partner: "Partner"
        case .pets: "Pets"
        }
    }
}

extension Season {
    var english: String {
        switch self {
        case .spring: "Spring"
        case .summer: "Summer"
        case .autumn: "Autumn"
        case .winter: "Winter"
        }
    }
}

extension Period {
    var english: String {
        switch self {
        case .dayTrip: "Day trip"
        case .oneNight: "1 night"
        case .twoNights: "2 nights"
        case .threeNightsOrMore: "3 nights+"
        case .weekOrMore: "A week+"
        case .monthOrMore: "A month+"
        }
    }
}

extension Headcount {
    var english: String {
        switch self {
        case .one: "1 person"
        case .two, .three, .four: "\(rawValue) people"
        case .fiveOrMore: "5+ people"
        }
    }
}

extension Budget {
    var english: String {
        switch self {
        case .under10: "Up to ₩100k"
        case .from10to50: "₩100k–500k"
        case .from50to100: "₩500k–1M"
        case .over100: "Over ₩1M"
        }
    }
}

extension Transportation {
    var english: String {
        switch self {
        case .publicTransport: "Public transport"
        case .ownCar: "Own car"
        }
    }
}

extension TravelSort {
    var english: String {
        switch self {
        case .newest: "Newest"
        case .mostLiked: "Most liked"
        case .tripDate: "Date of trip"
        }
    }
}

extension FilterKind {
    var english: String {
        switch self {
        case .region: "Region"
        case .theme: "Theme"
        case .companion: "Company"
        case .season: "Season"
        case .period: "Length"
        case .headcount: "People"
        case .budget: "Budget"
        case .transportation: "Transport"
        }
    }
}

extension Weekday {
    var english: String {
        switch self {
        case .monday: "Mon"
        case .tuesday: "Tue"
        case .wednesday: "Wed"
        case .thursday: "Thu"
        case .friday: "Fri"
        case .saturday: "Sat"
        case .sunday: "Sun"
        }
    }
}

extension Phrase {
    /// The phrase in English.
    var english: String {
        switch self {
        case .trips(let count): count == 1 ? "1 trip" : "\(count) trips"
        case .shown(let count, let total): "\(count) of \(total)"
        case .likes(let count): count == 1 ? "1 like" : "\(count) likes"
        case .entries(let count): count == 1 ? "1 entry" : "\(count) entries"
        case .day(let day): "Day \(day)"
        case .characters(let count, let maximum): "\(count)/\(maximum)"
        case .andMore(let first, let others): "\(first) +\(others)"
        case .tooShort(let minimum): minimum == 1 ? "Enter a text." : "Enter at least \(minimum) characters."
        case .tooLong(let maximum): "Enter at most \(maximum) characters."
        case .entriesInTheWay(let count):
            count == 1
                ? "1 entry lies after the last day: move or delete it first."
                : "\(count) entries lie after the last day: move or delete them first."
        case .hello(let name): "Hello, \(name)"
        case .dayOutOfRange(let last): last == 1 ? "The trip has 1 day." : "Choose a day from 1 to \(last)."
        }
    }
}

extension ScreenFailure {
    /// The message in English.
    var english: String {
        switch self {
        case .travel(let error): error.english
        case .unknown: "Something went wrong. Try again."
        }
    }
}

extension TravelError {
    /// The message in English, without identifiers.
    fileprivate var english: String {
        switch self {
        case .notFound(.travel): Text.tripGone.english
        case .notFound(.entry): Text.entryGone.english
        case .notFound(.user): "This person no longer has an account."
        case .notFound(.image): "This photo no longer exists."
        case .forbidden(.user): "This account may not do that."
        case .forbidden: "Only the author of a trip may do this."
        case .conflict(.travel): "This trip already exists, or it was changed elsewhere."
        case .conflict(.entry): "This entry already exists in another trip."
        case .conflict(.user): "Someone else has this nickname."
        case .conflict(.image): "This photo already exists in another trip."
        case .refused: "This photo may not be published. Choose another one."
        case .outdated: Text.conflictTitle.english
        case .signedOut: Text.signInHint.english
        case .invalid(let violation): violation.english
        case .unavailable(let outage): outage.canRetry ? "\(outage.reason) Try again." : outage.reason
        }
    }
}

extension Violation {
    /// The message in English.
    var english: String {
        switch (field, rule) {
        case (.date, .malformed): Text.malformedDay.english
        case (.time, .malformed): Text.malformedTime.english
        case (_, .entriesInTheWay(let entries)): Phrase.entriesInTheWay(entries.count).english
        default: description
        }
    }
}

/// The English words of imported tracks: what an import writes where the traveller has noted nothing.
///
/// ```swift
/// EnglishTrackWording().text(of: arrival)    // "Arrived after 12.3 km. 38 m above sea level."
/// ```
public struct EnglishTrackWording: TrackWording {
    /// Creates the wording, which has no state: all are equal.
    public init() {}

    /// The title of a travel whose track and file have no name.
    public var travelTitle: String { "Recorded trip" }

    /// A word for the kind of moment.
    public func title(of moment: JourneyMoment) -> String {
        switch moment.kind {
        case .departure: "Departure"
        case .arrival: "Arrival"
        case .stay: moment.stayed > 0 ? "Stop" : "On the way"
        case .mark: "Marked place"
        }
    }

    /// The known facts as sentences: duration, distance and elevation.
    public func text(of moment: JourneyMoment) -> String {
        var sentences: [String] = []
        if moment.stayed >= 60 { sentences.append("Stayed for \(Self.duration(moment.stayed)).") }
        switch (moment.kind, moment.distance.map(Self.length)) {
        case (.arrival, let way?): sentences.append("Arrived after \(way).")
        case (_, let way?): sentences.append("\(way) on this day.")
        case (.departure, nil): sentences.append("The first record of this day.")
        case (.arrival, nil): sentences.append("The last record of this day.")
        case (.mark, nil), (.stay, nil):
            if sentences.isEmpty { sentences.append(moment.isPassed ? "Passed here." : "Marked on the map.") }
        }
        if let elevation = moment.elevation, (-500...9_000).contains(elevation) {
            sentences.append("\(Int(elevation.rounded())) m above sea level.")
        }
        return sentences.joined(separator: " ")
    }

    /// `"35 minutes"`, `"1 hour"`, `"2 hours 5 minutes"`.
    private static func duration(_ seconds: Double) -> String {
        let minutes = Int((seconds / 60).rounded())
        func part(_ count: Int, _ unit: String) -> String? {
            count == 0 ? nil : "\(count) \(unit)\(count == 1 ? "" : "s")"
        }
        return [part(minutes / 60, "hour"), part(minutes % 60, "minute")].compactMap(\.self).joined(separator: " ")
    }

    /// `"850 m"`, `"12.3 km"`.
    private static func length(_ metres: Double) -> String {
        if metres < 999.5 { return "\(Int(metres.rounded())) m" }
        let hundreds = Int((metres / 100).rounded())
        return "\(hundreds / 10).\(hundreds % 10) km"
    }
}
