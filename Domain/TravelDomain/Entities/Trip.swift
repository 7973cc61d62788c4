/// A recorded trip as one particular viewer sees it.
public struct Trip: Hashable, Sendable, Identifiable {
    public let id: Identifier<Trip>
    /// The user who recorded it, and who alone edits it.
    public let author: User
    public let content: TripContent
    public let createdAt: Date
    /// The time of the last change of the content or the timeline; ``createdAt`` if there was none.
    public let updatedAt: Date
    public let version: TripVersion
    public let likeCount: Int
    /// Whether the viewer likes it; `false` without a viewer.
    public let isLiked: Bool
    /// Whether the viewer is its author; `false` without a viewer.
    public let isMine: Bool
    /// The image that represents the trip: the one its author chose, or else the first one in the timeline.
    public let thumbnail: TripImage.ID?
    /// Whether the viewer is its author, and nobody else sees it: it was reported, or hidden by the owner of the store.
    public let isHidden: Bool

    /// Creates a trip from its parts. `updatedAt` is by default `createdAt`.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when the number of likes is negative, or when a time is not a number
    ///   (NaN).
    public init(
        id: ID, author: User, content: TripContent, createdAt: Date, updatedAt: Date? = nil,
        version: TripVersion = .first, likeCount: Int, isLiked: Bool, isMine: Bool, thumbnail: TripImage.ID? = nil,
        isHidden: Bool = false
    ) throws(TravelError) {
        try createdAt.requireMoment()
        try updatedAt?.requireMoment()
        guard likeCount >= 0 else { throw .invalid(.init(.likeCount, .outOfRange("0 or more"))) }
        self.id = id
        self.author = author
        self.content = content
        self.createdAt = createdAt
        self.updatedAt = updatedAt ?? createdAt
        self.version = version
        self.likeCount = likeCount
        self.isLiked = isLiked
        self.isMine = isMine
        self.thumbnail = thumbnail
        self.isHidden = isHidden
    }

    public var title: Title { content.title }
    public var region: Region { content.region }
    public var days: DayRange { content.days }
}

/// A trip with its timeline and track, as one viewer sees them. All belong to the same version of the trip.
public struct TripDetails: Hashable, Sendable, Identifiable {
    public let trip: Trip
    /// The timeline, ordered by day and then by time.
    public let timeline: [TimelineEntry]
    /// The path of the recorded track from which the trip was imported, if it was.
    public let track: TrackGeometry?

    public init(trip: Trip, timeline: [TimelineEntry], track: TrackGeometry? = nil) {
        self.trip = trip
        self.timeline = timeline
        self.track = track
    }

    /// The trip as it is stored, without likes.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` never when the parts are those of one stored trip.
    public var recorded: RecordedTrip {
        get throws(TravelError) {
            try RecordedTrip(
                id: trip.id, author: trip.author, createdAt: trip.createdAt, updatedAt: trip.updatedAt,
                version: trip.version, content: trip.content, timeline: timeline, track: track)
        }
    }

    public var id: Trip.ID { trip.id }
}

/// The part of a trip that its author edits: everything except its ID, timeline and likes.
///
/// ```swift
/// var content = TripContent(title: try Title("부산 밤바다"), region: .busan, days: DayRange(first, days: 2))
/// content.themes = [.nature]
/// content.days.period    // .oneNight
/// ```
public struct TripContent: Hashable, Sendable {
    public var title: Title
    public var region: Region
    public var days: DayRange
    public var themes: Set<Theme>
    public var companions: Set<Companion>
    public var headcount: Headcount?
    public var budget: Budget?
    public var transportation: Transportation?
    /// The image that the author chose to represent the trip; `nil` for the first image of the timeline.
    public var thumbnail: TripImage.ID?
    /// Who may see the trip besides its author.
    public var audience: Audience

    /// Creates content from its parts, each of which is valid by itself; nothing is checked between them. Only the author
    /// sees it, unless it says otherwise.
    public init(
        title: Title, region: Region, days: DayRange, themes: Set<Theme> = [], companions: Set<Companion> = [],
        headcount: Headcount? = nil, budget: Budget? = nil, transportation: Transportation? = nil,
        thumbnail: TripImage.ID? = nil, audience: Audience = .onlyMe
    ) {
        self.title = title
        self.region = region
        self.days = days
        self.themes = themes
        self.companions = companions
        self.headcount = headcount
        self.budget = budget
        self.transportation = transportation
        self.thumbnail = thumbnail
        self.audience = audience
    }
}

/// The rule that decides which trips a viewer sees.
///
/// Its author sees every trip. Others see it if its ``Audience`` admits them, unless it has more than five reports that count
/// (``ReportStanding``), or they have blocked its author. Someone who follows a link presents its key when they look up the
/// trip, its parts and its images; searches and suggestions are made without one, and so have only trips that are public, and
/// those of the viewer.
///
/// ```swift
/// let visibility = Visibility(viewer: mina, blocked: [])
/// visibility.shows(tripBy: jun, to: .everyone, reports: 5)     // true
/// visibility.shows(tripBy: jun, to: .everyone, reports: 6)     // false
/// visibility.shows(tripBy: jun, to: .byLink(key), reports: 0)  // false; true of Visibility(viewer: …, key: key)
/// visibility.shows(tripBy: mina, to: .onlyMe, reports: 6)      // true: her own
/// ```
public struct Visibility: Sendable {
    /// The largest number of reports at which a trip stays visible.
    public static let toleratedReports = 5

    private let viewer: User.ID?
    private let blocked: Set<User.ID>
    private let key: LinkKey?

    public init(viewer: User.ID?, blocked: Set<User.ID>, key: LinkKey? = nil) {
        self.viewer = viewer
        self.blocked = blocked
        self.key = key
    }

    public func shows(tripBy author: User.ID, to audience: Audience, reports: Int) -> Bool {
        author == viewer
            || (audience.admits(key) && reports <= Self.toleratedReports && !blocked.contains(author))
    }
}

/// The rule that decides whether a report counts towards ``Visibility/toleratedReports``.
///
/// A report counts when the account of its user is older than a day at that moment, and its user has made at most five
/// reports within a day, this one included. Whether a report counts is decided once, when it is made, and its user does not
/// learn it: new accounts are made by the dozen.
///
/// ```swift
/// ReportStanding(accountSince: yesterday, otherReports: 0).counts(at: now)    // true, if that was more than a day ago
/// ReportStanding(accountSince: now, otherReports: 0).counts(at: now)          // false
/// ReportStanding(accountSince: nil, otherReports: 5).counts(at: now)          // false
/// ```
public struct ReportStanding: Hashable, Sendable {
    /// The age of an account beyond which its reports count, and the period of ``reportsPerDay``, in seconds.
    public static let day: TimeInterval = 24 * 60 * 60
    /// The largest number of reports within a day that count.
    public static let reportsPerDay = 5

    private let accountSince: Date?
    private let otherReports: Int

    /// - Parameters:
    ///   - accountSince: When the account of the user was created; `nil` for a user without an account, such as that of a
    ///     device, and for an account that is older than the store's record of it.
    ///   - otherReports: The number of other reports that the user has made within the ``day`` before, whether or not they
    ///     count.
    public init(accountSince: Date?, otherReports: Int) {
        (self.accountSince, self.otherReports) = (accountSince, otherReports)
    }

    public func counts(at time: Date) -> Bool {
        otherReports < Self.reportsPerDay && accountSince.map { time.timeIntervalSince($0) > Self.day } ?? true
    }
}
