/// Creates a trip with a timeline from a recorded track, and stores it.
///
/// ```swift
/// let importTrack = ImportTrack(
///     trips: trips, users: users, places: places, session: session, wording: KoreanWording(),
///     now: { clock.now })
/// let imported = try await importTrack(track, fileName: "북한산.gpx")
/// imported.trip.content.title.text    // the name of the recording, or else "북한산"
/// ```
///
/// - **Days** follow the local time of the traveller: that of the zone that is given, or else UTC+9 around South Korea,
///   elsewhere the zone that the directory names, or else the nautical one of the longitude. A mark away from the track has
///   that of its own place. The trip spans the first through the last day that has a point.
/// - **Times** that are missing or impossible are estimated from neighbouring times. A track without times becomes a
///   walk that starts at 09:00 on the day that is given, or else on the day of a mark or of the file.
/// - **Entries** are the marked places and, for each day, the departure, the arrival and each stay of at least 15
///   minutes within 100 metres, unless a marked place covers it: at most 30 entries per day, and fewer on journeys of
///   more than 33 days. An entry takes its title from the mark or from a known place within one kilometre, and its text
///   from the mark; the wording has others. Texts that do not fit are shortened and counted.
/// - **The region** is that in which most entries lie, by the directory of regions, or else by the nearest known places;
///   outside of South Korea it is ``Region/abroad``.
/// - **Errors** of the receiver are ignored: a jump that no vehicle can make does not count as distance, and a mark
///   more than one kilometre from the route does not count as passed.
/// - **The track** of the trip is the path of the recorded segments, or else of the planned routes, simplified to one
///   metre, with its elevations and times; ``TrackGeometry/length`` defines its length.
/// - **An export** of a trip (``Track/isExported``) becomes the same trip again: its entries are those of the file.
/// - **IDs** are derived from the author and the content of the track: importing the same track again is a conflict.
public struct ImportTrack: Sendable {
    /// The maximum distance in metres at which a known place determines the region.
    public static let regionDistance = 30_000.0

    private let trips: any TripRepository & TripEditingRepository
    private let users: any UserRepository
    private let places: any PlaceRepository
    private let session: any SessionRepository
    private let wording: any TrackWording
    private let regions: any RegionDirectory
    private let zones: any TimeZoneDirectory
    private let now: @Sendable () -> Date

    public init(
        trips: any TripRepository & TripEditingRepository, users: any UserRepository, places: any PlaceRepository,
        session: any SessionRepository, wording: any TrackWording, regions: any RegionDirectory = NoRegions(),
        zones: any TimeZoneDirectory = NoTimeZones(),
        now: @escaping @Sendable () -> Date
    ) {
        self.trips = trips
        self.users = users
        self.places = places
        self.session = session
        self.wording = wording
        self.regions = regions
        self.zones = zones
        self.now = now
    }

    /// Creates a trip from `track`, stores it, and returns it.
    ///
    /// - Parameters:
    ///   - track: The recorded track.
    ///   - fileName: The title, without `.gpx`, if the track has no name.
    ///   - region: The destination; `nil` for the region of most entries.
    ///   - timeZone: The IANA name of the zone of all local times; `nil` for that of the coordinates.
    ///   - day: The day of a track without times; `nil` for that of its marks or its file.
    ///   - replaces: Whether a trip that the author has imported from this track gets these entries in place of those of that
    ///     import. Its title, its other entries and its likes stay, and so does its region unless another one is given.
    ///   - willStore: Called with the new trip before it is stored, even if it turns out to be there already: to undo an import
    ///     that ends early. Nothing is stored if it throws.
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; ``TravelError/invalid(_:)`` when the track has no
    ///   points or takes longer than a year; when it has no times and its day is neither given nor known
    ///   (``Violation/Field/date`` and ``Violation/Rule/empty``), or has times and `day` is given; and when there is no
    ///   such time zone (``Violation/Field/timeZone``); ``TravelError/conflict(_:)`` when this author has already imported it;
    ///   ``TravelError/notFound(_:)`` when the signed-in user has no account; errors of `willStore` and of the repositories;
    ///   `CancellationError`. Nothing is stored in any of these cases.
    @concurrent
    public func callAsFunction(
        _ track: Track, fileName: String, region: Region? = nil, timeZone: String? = nil, day: CalendarDay? = nil,
        replaces: Bool = false, willStore: @Sendable (RecordedTrip) async throws -> Void = { _ in }
    ) async throws -> ImportedTrack {
        let author = try await users.user(session.requireUser())
        let now = now()
        let journey = try await journey(of: track, by: author.id, at: now, timeZone: timeZone, day: day)
        var cuts = journey.cuts
        let title = try title(of: track, fileName: fileName, cuts: &cuts)
        let (tripRegion, origin) =
            if let region { (region, ImportedTrack.RegionOrigin.given) } else {
                try await self.region(of: journey.regions, else: journey.moments[0].coordinate)
            }
        let trip = try RecordedTrip(
            id: journey.fingerprint.trip, author: author, createdAt: now,
            content: TripContent(title: title, region: tripRegion, days: journey.timeline.days),
            timeline: journey.entries, track: journey.geometry)
        try await willStore(trip)
        do {
            try await trips.add([trip])
        } catch TravelError.conflict(.trip(trip.id)) where replaces {
            return ImportedTrack(
                trip: try await replaced(by: trip, journey, region: region), journey,
                regionOrigin: region == nil ? .given : origin, shortenedTexts: cuts)
        }
        return ImportedTrack(trip: trip, journey, regionOrigin: origin, shortenedTexts: cuts)
    }

    /// The trip of an earlier import with the days, entries and track of this one.
    private func replaced(
        by imported: RecordedTrip, _ journey: ImportedJourney, region: Region?
    ) async throws -> RecordedTrip {
        try await trips.edit(imported.id, expecting: nil, by: imported.author.id) { trip throws(TravelError) in
            var content = trip.content
            let rest = trip.timeline.filter { !journey.fingerprint.isEntry($0.id) }
            let dates = rest.map { trip.content.days.first.adding(days: $0.day - 1) }
            let days = imported.content.days
            content.days = try DayRange(
                min(days.first, dates.min() ?? days.first), through: max(days.last, dates.max() ?? days.last))
            if let region { content.region = region }
            var timeline: [TimelineEntry] = []
            for (entry, date) in zip(rest, dates) {
                timeline.append(try entry.moved(toDay: content.days.first.days(until: date) + 1))
            }
            let shift = content.days.first.days(until: days.first)
            for entry in imported.timeline { timeline.append(try entry.moved(toDay: entry.day + shift)) }
            return try RecordedTrip(
                id: trip.id, author: trip.author, createdAt: trip.createdAt, updatedAt: imported.createdAt,
                version: trip.version, content: content, timeline: timeline, track: imported.track)
        } isDone: { _ in
            false
        }
    }

    /// The days and entries of a track.
    ///
    /// - Throws: As ``callAsFunction(_:fileName:region:timeZone:day:)``, but for a conflict.
    func journey(
        of track: Track, by author: User.ID, at now: Date, timeZone: String?, day: CalendarDay?
    ) async throws -> ImportedJourney {
        if let timeZone, zones.offset(of: timeZone, at: now) == nil {
            throw TravelError.invalid(.init(.timeZone, .malformed(expected: "a zone such as Europe/Lisbon")))
        }
        let timed = try TimedTrack(track, now: now, day: day, clock: LocalClock(zones, given: timeZone))
        let timeline = TimelineBuilder(timed)
        var journey = ImportedJourney(
            fingerprint: TrackFingerprint(of: track, by: author), timed: timed, timeline: timeline)
        for (number, moment) in timeline.moments.enumerated() {
            try Task.checkCancellation()
            let known = try await places.nearest(to: moment.coordinate, within: Self.regionDistance)
            if let region = region(at: moment.coordinate, near: known) { journey.regions.append(region) }
            let entry = try ImportedEntry(moment, near: known, wording: wording)
            journey.cuts += entry.cuts
            journey.entries.append(
                try TimelineEntry(
                    id: journey.fingerprint.entry(number), day: moment.day, time: moment.time, title: entry.title,
                    text: entry.text, place: entry.place))
        }
        return journey
    }

    /// The region at `coordinate`; a place of Korea may be near a coast of Japan.
    func region(at coordinate: Coordinate, near known: KnownPlace?) -> Region? {
        coordinate.isInKorea ? regions.region(at: coordinate) ?? known?.region : .abroad
    }

    /// The region of most entries, and of the earliest entry among ties. Without any, the region of the known place
    /// nearest to `coordinate`, which is in Korea, at any distance.
    func region(
        of regions: [Region], else coordinate: Coordinate
    ) async throws -> (Region, ImportedTrack.RegionOrigin) {
        let counts = Dictionary(regions.map { ($0, 1) }, uniquingKeysWith: +)
        let most = counts.values.max()
        if let region = regions.first(where: { counts[$0] == most }) { return (region, .entries) }
        let nearest = try await places.nearest(to: coordinate, within: .infinity)
        return (nearest?.region ?? .seoul, .guess)
    }

    private func title(of track: Track, fileName: String, cuts: inout Int) throws -> Title {
        let isNamed = fileName.lowercased().hasSuffix(".gpx")
        let name = isNamed ? fileName.dropLast(4) : fileName[...]
        return try track.name.flatMap { Title(shortening: $0, cuts: &cuts) }
            ?? Title(shortening: name, else: wording.tripTitle, cuts: &cuts)
    }
}

/// What a track becomes in a trip: its days, its moments, and an entry for each of them.
struct ImportedJourney {
    let fingerprint: TrackFingerprint
    let timed: TimedTrack
    let timeline: TimelineBuilder
    /// The entries of the moments; their days are those of the track.
    var entries: [TimelineEntry] = []
    /// The regions of the moments that have one.
    var regions: [Region] = []
    /// The number of texts that were cut.
    var cuts = 0

    var moments: [JourneyMoment] { timeline.moments }
    var geometry: TrackGeometry? { timed.path }
}

extension ImportedTrack {
    init(
        trip: RecordedTrip, _ journey: ImportedJourney, regionOrigin: RegionOrigin, shortenedTexts: Int
    ) {
        let timeline = journey.timeline
        self.init(
            trip: trip, regionOrigin: regionOrigin, dayOrigin: journey.timed.dayOrigin,
            timeZones: timeline.zones.map(\.name),
            timeZoneOrigin: timeline.zones.map(\.origin).max { $0.rawValue < $1.rawValue } ?? .korea,
            estimatedTimes: journey.timed.estimatedTimes, omittedEntries: timeline.omitted.count,
            omittedMarks: timeline.omitted.compactMap {
                if case .mark(let mark) = $0.kind { mark.name ?? mark.description } else { nil }
            },
            shortenedTexts: shortenedTexts)
    }
}

extension LocalClock.Zone {
    fileprivate var name: String {
        switch self {
        case .given(let name), .named(let name): name
        case .korea: "Asia/Seoul"
        case .nautical(let hours): hours == 0 ? "UTC" : "UTC\(hours < 0 ? "-" : "+")\(abs(hours))"
        }
    }

    fileprivate var origin: ImportedTrack.TimeZoneOrigin {
        switch self {
        case .given: .given
        case .korea: .korea
        case .named: .coordinates
        case .nautical: .longitude
        }
    }
}

/// The result of an import, with the facts that the traveller should know.
///
/// ```swift
/// let imported = try await importTrack(track, fileName: "북한산.gpx")
/// if imported.regionOrigin == .guess { askForTheRegion(of: imported.trip) }
/// if imported.estimatedTimes > 0 { tell("\(imported.estimatedTimes) times were estimated") }
/// ```
public struct ImportedTrack: Hashable, Sendable {
    public let trip: RecordedTrip
    public let regionOrigin: RegionOrigin
    public let dayOrigin: DayOrigin
    /// The time zones of the timeline, in the order of the journey, such as `Europe/Lisbon` or `UTC-1`.
    public let timeZones: [String]
    /// How the time zones were determined; of several, the least certain.
    public let timeZoneOrigin: TimeZoneOrigin
    /// The number of points whose time was missing or impossible and therefore estimated.
    public let estimatedTimes: Int
    /// The number of moments that were omitted on days with more than 30.
    public let omittedEntries: Int
    /// The names of the marked places among them, or else their notes, in the order of the journey.
    public let omittedMarks: [String]
    /// The number of names and notes of the track that did not fit and were shortened, with `…` at their ends.
    public let shortenedTexts: Int

    /// How the day of an imported trip was determined, to show if it was guessed.
    public enum DayOrigin: Hashable, Sendable {
        case recorded
        /// The caller specified the day of a track without times.
        case given
        /// No point of the track has a time; it is the day of the first mark.
        case marks
        /// No point of the track has a time; it is the day on which the file was written.
        case file
    }

    /// How the time zones of an imported trip were determined, to show if they were guessed.
    public enum TimeZoneOrigin: Int, Hashable, Sendable {
        case given
        case korea
        /// It is the zone that a ``TimeZoneDirectory`` names for the coordinates.
        case coordinates
        /// The directory names none; it is that of the longitude, without daylight saving time: a guess.
        case longitude
    }

    /// How the region of an imported trip was determined.
    public enum RegionOrigin: Hashable, Sendable {
        case given
        /// It is the region of the known places near most entries, or most are abroad.
        case entries
        /// All entries are in Korea, and none is near a known place; it is the region of the nearest one.
        case guess
    }
}

/// The words that ``ImportTrack`` writes where neither the traveller nor the map has any, in the language of the
/// reader.
///
/// Texts that are too long are cut; an import with an empty text throws ``TravelError/invalid(_:)``.
///
/// ```swift
/// struct EnglishWording: TrackWording {
///     let tripTitle = "Recorded trip"
///     let photosTitle = "Photos"
///     func text(ofPhotos count: Int) -> String { count == 1 ? "1 photo." : "\(count) photos." }
///     func title(of moment: JourneyMoment) -> String { moment.kind == .departure ? "Departure" : "Stop" }
///     func text(of moment: JourneyMoment) -> String { "At \(moment.time)." }
/// }
/// ```
public protocol TrackWording: Sendable {
    /// The title of a trip whose track and file have no name.
    var tripTitle: String { get }

    /// The title of a trip of photos on those days without a name of its own; by default ``tripTitle``.
    func tripTitle(ofPhotosOn days: DayRange) -> String

    /// The title of an entry of photos whose place has no name.
    var photosTitle: String { get }

    /// The text of an entry of `count` photos.
    func text(ofPhotos count: Int) -> String

    /// The title of an entry whose place has no name.
    func title(of moment: JourneyMoment) -> String

    /// The text of an entry without a note by the traveller: the data of the track about the moment.
    func text(of moment: JourneyMoment) -> String
}

extension TrackWording {
    public func tripTitle(ofPhotosOn days: DayRange) -> String { tripTitle }
}
