/// Makes a trip of photos and recorded tracks, and stores it; or adds what is new to the trip that has the others.
///
/// ```swift
/// var choices = ImportPhotos.Choices()
/// choices.title = "부산"
/// let imported = try await importPhotos(photos, tracks: [walk], choices) { photo, id in
///     try TripImage(id: id, bytes: strippedBytes(of: photo))
/// }
/// imported.added     // 212
/// imported.outside   // photos whose clock says another month: they are asked about, not filed
/// ```
///
/// - **Days** are those of the photos and the tracks, by the local time of each: a photo has that of its camera's clock,
///   corrected where that is known to be wrong (``CameraClock``). Photos more than seven days from the tracks, or from most
///   photos, are left out and named.
/// - **Entries**: a track has those of ``ImportTrack``. Photos that follow each other within an hour, at most 300 metres apart,
///   are one stop: they are the pictures of an entry of the track that was there then, or else of a new one, of at most 30
///   pictures. Its title is the name of the known place within a kilometre. The positions of photos are their author's alone
///   (``PicturePosition``), so that a new entry has no place of its own.
/// - **Repeating** an import adds the photos and tracks that the trip does not have: photos are recognised by the digests of
///   their files, tracks by their content. What was imported before an interruption stays. A new trip is stored with its first
///   photos; without a track and without a picture that can be stored, there is none.
public struct ImportPhotos: Sendable {
    private let trips: any TripRepository & TripEditingRepository
    private let users: any UserRepository
    private let places: any PlaceRepository
    private let session: any SessionRepository
    private let wording: any TrackWording
    private let zones: any TimeZoneDirectory
    private let review: any ImageReview
    private let now: @Sendable () -> Date
    private let tracks: ImportTrack

    public init(
        trips: any TripRepository & TripEditingRepository, users: any UserRepository, places: any PlaceRepository,
        session: any SessionRepository, wording: any TrackWording, regions: any RegionDirectory = NoRegions(),
        zones: any TimeZoneDirectory = NoTimeZones(), review: any ImageReview = .everyImage,
        now: @escaping @Sendable () -> Date
    ) {
        self.trips = trips
        self.users = users
        self.places = places
        self.session = session
        self.wording = wording
        self.zones = zones
        self.review = review
        self.now = now
        tracks = ImportTrack(
            trips: trips, users: users, places: places, session: session, wording: wording, regions: regions,
            zones: zones, now: now)
    }

    /// What the traveller decides about an import; everything has a default.
    public struct Choices: Hashable, Sendable {
        /// The title of a new trip; `nil` for the name of a track.
        public var title: String?
        /// The region of a new trip; `nil` for that of most places.
        public var region: Region?
        /// The IANA name of the zone of a track's local times; `nil` for that of its coordinates.
        public var timeZone: String?
        /// The day of tracks without times.
        public var day: CalendarDay?
        /// The minutes to add to the clocks of cameras, by their names; those of `nil` count for all other cameras whose photos
        /// do not say their zone.
        public var cameraOffsets: [String?: Int] = [:]

        public init() {}
    }

    /// The number of images that are stored together, and their size in bytes.
    private static let batch = (images: 24, bytes: 48 << 20)

    /// Imports the photos and tracks.
    ///
    /// - Parameters:
    ///   - photos: The photos, in the order of their names; of equal ones, the first counts.
    ///   - files: The recorded tracks.
    ///   - choices: What the traveller decides.
    ///   - progress: Called with the number of photos that are stored.
    ///   - willStore: Called before each write with the trip as it is stored, `nil` before a new one is added, and as it is
    ///     going to be: to undo an import that ends early. The trip is not written if it throws.
    ///   - image: Returns the picture of a photo, with the given ID and without metadata; `nil` to leave it out.
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; ``TravelError/invalid(_:)`` with
    ///   ``Violation/Field/image`` and ``Violation/Rule/empty`` when there is neither a track nor a photo with a time; the
    ///   errors of ``ImportTrack`` about a track; ``TravelError/conflict(_:)`` when a trip of other days has some of the photos;
    ///   the errors of `image`, of `willStore` and of the review; other errors of the repositories; `CancellationError`. What was
    ///   stored before stays.
    @concurrent
    public func callAsFunction(
        _ photos: [PhotoFile], tracks files: [Track] = [], _ choices: Choices = Choices(),
        progress: @Sendable (Int) -> Void = { _ in },
        willStore: @Sendable (_ stored: RecordedTrip?, _ planned: RecordedTrip) async throws -> Void = { _, _ in },
        image: @Sendable (PhotoFile, TripImage.ID) async throws -> TripImage?
    ) async throws -> ImportedPhotos {
        let author = try await users.user(session.requireUser())
        let now = now()
        var journeys: [ImportedJourney] = []
        for track in files where !track.isEmpty {
            journeys.append(
                try await tracks.journey(
                    of: track, by: author.id, at: now, timeZone: choices.timeZone,
                    day: track.hasTimes ? nil : choices.day))
        }
        journeys.sort { $0.timeline.days.first < $1.timeline.days.first }
        let plan = PhotoPlan(
            photos.identified(by: author.id), steps: journeys.flatMap(\.timed.steps).sortedStably { $0.time < $1.time },
            trackDays: Set(journeys.flatMap(\.timeline.days.all)), offsets: choices.cameraOffsets,
            clock: LocalClock(zones, given: choices.timeZone))
        guard
            let days = DayRange(
                of: plan.stops.map(\.day) + journeys.flatMap { [$0.timeline.days.first, $0.timeline.days.last] })
        else { throw TravelError.invalid(.init(.image, .empty)) }

        let id = plan.tripID(journeys, by: author.id)
        let known = try await knownTrip(id, of: author.id, in: days, plan, journeys)
        var report = ImportedPhotos(plan)
        let trip: RecordedTrip
        if let known {
            trip = try await extend(known, through: days, by: journeys, at: now, willStore)
        } else {
            trip = try await newTrip(id, by: author, in: days, plan, journeys, choices, report: &report, at: now)
        }
        report.before = known
        if let known { report.recognize(known, by: author.id) }
        let stored = try await add(
            plan.stops, to: trip, isNew: known == nil, journeys, report: &report, at: now, progress, willStore, image)
        report.trip = stored
        report.tracks = journeys.map {
            ImportedTrack(trip: stored ?? trip, $0, regionOrigin: report.regionOrigin, shortenedTexts: $0.cuts)
        }
        return report
    }

    // MARK: The trip

    /// The trip of the author that has one of the photos, or one of the tracks, or from which all were removed.
    ///
    /// - Throws: ``TravelError/conflict(_:)`` with the trip when its days are others: its photos were imported by other clocks.
    private func knownTrip(
        _ id: Trip.ID, of author: User.ID, in days: DayRange, _ plan: PhotoPlan, _ journeys: [ImportedJourney]
    ) async throws -> RecordedTrip? {
        var (near, far): ([Trip], [Trip]) = ([], [])
        var cursor: TripCursor?
        repeat {
            let page = try await trips.search(
                TripQuery(
                    TripCriteria(author: author), viewer: author, after: cursor, limit: TripQuery.limits.upperBound))
            for trip in page.trips {
                let isNear =
                    trip.days.first.adding(days: -PhotoPlan.pause) <= days.last
                    && days.first <= trip.days.last.adding(days: PhotoPlan.pause)
                if isNear { near.append(trip) } else { far.append(trip) }
            }
            cursor = page.next
        } while cursor != nil
        let images = Set(plan.stops.flatMap { $0.photos.map(\.image) })
        let entries = Set(journeys.flatMap { $0.entries.map(\.id) })
        func isKnown(_ trip: Trip) async throws -> Bool {
            if trip.id == id { return true }
            return try await trips.timeline(of: trip.id, viewer: author).contains { entry in
                entries.contains(entry.id) || entry.pictures.contains { images.contains($0.id) }
            }
        }
        for trip in near where try await isKnown(trip) {
            return try await trips.details(of: trip.id, viewer: author).recorded
        }
        for trip in far where try await isKnown(trip) { throw TravelError.conflict(.trip(trip.id)) }
        return nil
    }

    /// A trip with the tracks and without photos, which is not stored yet.
    private func newTrip(
        _ id: Trip.ID, by author: User, in days: DayRange, _ plan: PhotoPlan, _ journeys: [ImportedJourney],
        _ choices: Choices,
        report: inout ImportedPhotos, at now: Date
    ) async throws -> RecordedTrip {
        var cuts = 0
        let title = try Title(shortening: choices.title, else: wording.tripTitle, cuts: &cuts)
        var regions = journeys.flatMap(\.regions)
        var coordinates = journeys.flatMap { $0.moments.map(\.coordinate) }
        for coordinate in plan.stops.compactMap(\.coordinate) {
            let near = try await places.nearest(to: coordinate, within: ImportTrack.regionDistance)
            coordinates.append(coordinate)
            if let region = tracks.region(at: coordinate, near: near) { regions.append(region) }
        }
        let region: Region
        if let given = choices.region {
            (region, report.regionOrigin) = (given, .given)
        } else if let first = coordinates.first {
            (region, report.regionOrigin) = try await tracks.region(of: regions, else: first)
        } else {
            (region, report.regionOrigin) = (.seoul, .guess)
        }
        return try RecordedTrip(
            id: id, author: author, createdAt: now,
            content: TripContent(title: title, region: region, days: days),
            timeline: journeys.flatMap { try $0.entries(since: days.first) }, track: try journeys.geometry(after: nil))
    }

    /// Adds days to the trip, and the tracks that it does not have.
    private func extend(
        _ trip: RecordedTrip, through days: DayRange, by journeys: [ImportedJourney], at now: Date,
        _ willStore: (RecordedTrip?, RecordedTrip) async throws -> Void
    ) async throws -> RecordedTrip {
        let whole = try DayRange(
            min(trip.content.days.first, days.first), through: max(trip.content.days.last, days.last))
        let known = Set(trip.timeline.map(\.id))
        let new = journeys.filter { journey in
            !journey.isPart(of: trip.track) && !journey.entries.contains { known.contains($0.id) }
        }
        if whole == trip.content.days, new.isEmpty { return trip }
        @Sendable func change(_ trip: RecordedTrip) throws(TravelError) -> RecordedTrip {
            var content = trip.content
            content.days = whole
            let shift = whole.first.days(until: trip.content.days.first)
            var timeline = try trip.timeline.map { entry throws(TravelError) in try entry.moved(byDays: shift) }
            for journey in new { timeline += try journey.entries(since: whole.first) }
            return try RecordedTrip(
                id: trip.id, author: trip.author, createdAt: trip.createdAt, updatedAt: now, version: trip.version,
                content: content, timeline: timeline, track: new.geometry(after: trip.track))
        }
        try await willStore(trip, change(trip))
        return try await trips.edit(trip.id, expecting: trip.version, by: trip.author.id, change) { _ in false }
    }

    // MARK: Photos

    /// Adds the photos that the trip does not have to its entries, in batches; a new trip is stored with the first, or else for
    /// its tracks.
    ///
    /// - Returns: The trip as it is stored; `nil` for a new one without anything to store.
    private func add(
        _ stops: [PhotoPlan.Stop], to trip: RecordedTrip, isNew: Bool, _ journeys: [ImportedJourney],
        report: inout ImportedPhotos, at now: Date, _ progress: @Sendable (Int) -> Void,
        _ willStore: (RecordedTrip?, RecordedTrip) async throws -> Void,
        _ image: @Sendable (PhotoFile, TripImage.ID) async throws -> TripImage?
    ) async throws -> RecordedTrip? {
        let known = Set(trip.images)
        var slots = EntrySlots(trip, journeys)
        var batch: [(entry: TimelineEntry, picture: Picture, image: TripImage)] = []
        var (trip, isNew) = (trip, isNew)
        func store() async throws {
            trip = try await self.store(batch, in: trip, isNew: isNew, at: now, willStore)
            isNew = false
            report.added += batch.count
            progress(report.added)
            batch = []
        }
        for stop in stops {
            let photos = stop.photos.filter { !known.contains($0.image) }
            report.alreadyThere += stop.photos.count - photos.count
            guard !photos.isEmpty else { continue }
            let entry: TimelineEntry
            if let there = slots.take(stop, photos.count) {
                entry = there
            } else {
                entry = try await self.entry(of: stop, photos, in: trip)
                slots.add(entry, stop, photos.count)
            }
            for photo in photos {
                let picture = Picture(
                    photo.image, taken: photo.taken, position: photo.file.coordinate.map { .mineOnly($0) })
                guard let image = try await image(photo.file, photo.image) else {
                    report.unusable.append(photo.file)
                    continue
                }
                try await review.review(image)
                batch.append((entry, picture, image))
                let bytes = batch.reduce(0) { $0 + $1.image.bytes.count }
                if batch.count == Self.batch.images || bytes >= Self.batch.bytes { try await store() }
            }
        }
        if !batch.isEmpty || (isNew && !journeys.isEmpty) { try await store() }
        return isNew ? nil : trip
    }

    /// A new entry of a stop, without its pictures.
    private func entry(
        of stop: PhotoPlan.Stop, _ photos: [PhotoPlan.Placed], in trip: RecordedTrip
    ) async throws -> TimelineEntry {
        var name: String?
        if let coordinate = stop.coordinate {
            name = try await places.nearest(to: coordinate, within: SearchPlaces.nearby)?.place.name
        }
        var cuts = 0
        let text = EntryText(shortening: wording.text(ofPhotos: photos.count), cuts: &cuts)
        return try TimelineEntry(
            id: TrackFingerprint(ofFile: photos[0].file.digest, by: trip.author.id).entry(0),
            day: trip.content.days.first.days(until: stop.day) + 1,
            time: TimeOfDay(minutesSinceMidnight: photos[0].minutes),
            title: Title(shortening: name, else: wording.photosTitle, cuts: &cuts), text: text ?? EntryText(""))
    }

    private func store(
        _ batch: [(entry: TimelineEntry, picture: Picture, image: TripImage)], in trip: RecordedTrip, isNew: Bool,
        at now: Date, _ willStore: (RecordedTrip?, RecordedTrip) async throws -> Void
    ) async throws -> RecordedTrip {
        let pictures = batch.map { (entry: $0.entry, picture: $0.picture) }
        let images = batch.map(\.image)
        @Sendable func change(_ trip: RecordedTrip) throws(TravelError) -> RecordedTrip {
            var trip = trip
            for (entry, picture) in pictures {
                let there = trip.timeline.first { $0.id == entry.id } ?? entry
                guard !there.pictures.contains(where: { $0.id == picture.id }) else { continue }
                trip = try trip.saving(there.with(pictures: there.pictures + [picture]), at: now)
            }
            return trip
        }
        let planned = try change(trip)
        try await willStore(isNew ? nil : trip, planned)
        if isNew {
            try await trips.add([planned], images: images)
            return planned
        }
        return try await trips.edit(trip.id, expecting: nil, by: trip.author.id, adding: images, change) { _ in false }
    }
}

/// The result of an import of photos, with the facts that the traveller should know.
public struct ImportedPhotos: Sendable {
    /// The trip as it is stored now; `nil` if there is neither a track nor a picture to store.
    public internal(set) var trip: RecordedTrip?
    /// The trip as it was before; `nil` for a new one.
    public internal(set) var before: RecordedTrip?
    /// The number of photos that the trip has now, and did not have before.
    public internal(set) var added = 0
    /// The number of photos that the trip had before.
    public internal(set) var alreadyThere = 0
    /// The photos that were left out, because their days are not those of the trip, or no photo has a time.
    public internal(set) var outside: [PhotoFile]
    /// The photos without a picture that can be stored.
    public internal(set) var unusable: [PhotoFile] = []
    /// The number of photos without a time; each is where the photo before it is.
    public let undated: Int
    /// The clocks that were corrected.
    public let clocks: [CameraClock]
    /// The numbers of photos, by their cameras, whose times count as local ones because nothing says otherwise.
    public let uncertain: [String?: Int]
    /// How the region of a new trip was determined.
    public internal(set) var regionOrigin = ImportedTrack.RegionOrigin.given
    /// What is to be known of each track, in the order of their days.
    public internal(set) var tracks: [ImportedTrack] = []

    /// Counts the photos of other days that the trip has already, by a clock that was corrected when they were imported.
    fileprivate mutating func recognize(_ trip: RecordedTrip, by author: User.ID) {
        let images = Set(trip.images)
        let others = outside.filter { !images.contains(TrackFingerprint(ofFile: $0.digest, by: author).image) }
        alreadyThere += outside.count - others.count
        outside = others
    }

    init(_ plan: PhotoPlan) {
        (outside, undated, clocks, uncertain) = (plan.outside, plan.undated, plan.clocks, plan.uncertain)
    }
}

/// The entries that photos may belong to, with the times and places that they cover.
private struct EntrySlots {
    private struct Slot {
        let entry: TimelineEntry
        let day: CalendarDay
        let minutes: ClosedRange<Int>
        let coordinate: Coordinate?
        var pictures: Int
    }

    private var slots: [Slot] = []

    /// The minutes before and after what an entry covers.
    private static let around = 15

    init(_ trip: RecordedTrip, _ journeys: [ImportedJourney]) {
        let stays = Dictionary(
            journeys.flatMap { journey in zip(journey.entries, journey.moments).map { ($0.id, $1.stayed) } },
            uniquingKeysWith: max)
        for entry in trip.timeline {
            let day = trip.content.days.first.adding(days: entry.day - 1)
            let start = entry.time.minutes
            let taken = entry.pictures.compactMap(\.taken).filter { $0.day == day }.map(\.time.minutes)
            let stayed = Int((stays[entry.id] ?? 0) / 60)
            slots.append(
                Slot(
                    entry: entry, day: day, minutes: start...max(start, start + stayed, taken.max() ?? start),
                    coordinate: entry.coordinate, pictures: entry.pictures.count))
        }
    }

    mutating func add(_ entry: TimelineEntry, _ stop: PhotoPlan.Stop, _ count: Int) {
        let last = stop.photos.last?.minutes ?? stop.minutes
        slots.append(
            Slot(
                entry: entry, day: stop.day, minutes: stop.minutes...max(stop.minutes, last),
                coordinate: stop.coordinate, pictures: count))
    }

    /// The entry that was at the place of the stop at its time, and has room for so many pictures: the nearest in time.
    mutating func take(_ stop: PhotoPlan.Stop, _ count: Int) -> TimelineEntry? {
        func distance(_ slot: Slot) -> Int {
            max(0, slot.minutes.lowerBound - stop.minutes, stop.minutes - slot.minutes.upperBound)
        }
        let fitting = slots.indices.filter { index in
            let slot = slots[index]
            guard slot.day == stop.day, distance(slot) <= Self.around,
                slot.pictures + count <= TimelineEntry.maximumPictureCount
            else { return false }
            guard let here = slot.coordinate, let there = stop.coordinate else { return true }
            return here.distance(to: there) <= PhotoPlan.reach
        }
        guard let index = fitting.min(by: { distance(slots[$0]) < distance(slots[$1]) }) else { return nil }
        slots[index].pictures += count
        return slots[index].entry
    }
}

extension PhotoPlan {
    /// The ID of a new trip: that of the first track, or else of the first photo.
    fileprivate func tripID(_ journeys: [ImportedJourney], by author: User.ID) -> Trip.ID {
        if let first = journeys.first { return first.fingerprint.trip }
        // Without a track there is a stop, and a stop has a photo.
        return TrackFingerprint(ofFile: stops.first?.photos.first?.file.digest ?? 0, by: author).trip
    }
}

extension [PhotoFile] {
    /// The photos with their IDs, each once.
    fileprivate func identified(by author: User.ID) -> [(file: PhotoFile, image: TripImage.ID)] {
        var seen: Set<UInt128> = []
        return compactMap { photo in
            seen.insert(photo.digest).inserted
                ? (photo, TrackFingerprint(ofFile: photo.digest, by: author).image) : nil
        }
    }
}

extension Track {
    fileprivate var hasTimes: Bool { segments.contains { $0.contains { $0.time != nil } } }
}

extension DayRange {
    fileprivate init?(of days: [CalendarDay]) {
        guard let first = days.min(), let last = days.max() else { return nil }
        self.init(first, days: first.days(until: last) + 1)
    }

    fileprivate var all: [CalendarDay] { (0..<count).map { first.adding(days: $0) } }
}

extension ImportedJourney {
    /// The entries in a trip that begins on that day.
    fileprivate func entries(since first: CalendarDay) throws(TravelError) -> [TimelineEntry] {
        let shift = first.days(until: timeline.days.first)
        return try entries.map { entry throws(TravelError) in try entry.moved(byDays: shift) }
    }

    /// Whether `track` has its path: that of a trip stays when the entries of the import are removed.
    fileprivate func isPart(of track: TrackGeometry?) -> Bool {
        guard let track, let geometry else { return false }
        return geometry.segments.allSatisfy(track.segments.contains)
    }
}

extension [ImportedJourney] {
    /// The paths of these tracks behind those of `track`.
    fileprivate func geometry(after track: TrackGeometry?) throws(TravelError) -> TrackGeometry? {
        var points = track?.points ?? []
        for journey in self { points += journey.geometry?.points ?? [] }
        return points.isEmpty ? nil : try TrackGeometry(points: points)
    }
}

extension TimelineEntry {
    fileprivate func moved(byDays days: Int) throws(TravelError) -> TimelineEntry { try moved(toDay: day + days) }

    /// The entry on another day of its trip.
    package func moved(toDay day: Int) throws(TravelError) -> TimelineEntry {
        day == self.day
            ? self
            : try TimelineEntry(
                id: id, day: day, time: time, title: title, text: text, place: place, pictures: pictures)
    }
}
