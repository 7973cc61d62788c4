/// Makes a trip of photos and recorded tracks, and stores it; or adds what is new to the trip that has the others, or to one
/// that the traveller names.
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
///   photos, are left out and named, and so are tracks more than seven days from the others. Around a trip that is named, its
///   own days count.
/// - **Entries**: a track has those of ``ImportTrack``. Photos that follow each other within an hour, at most 300 metres apart,
///   are one stop: they are the pictures of an entry of the track that was there then, or else of a new one, of at most 30
///   pictures. Its title is the name of the known place within a kilometre. The positions of photos are their author's alone
///   (``PicturePosition``), so that a new entry has no place of its own.
/// - **A trip that is named** gets what it does not have. It keeps its title, its region and its entries, also those that were
///   written by hand; its days grow to those of the files. What another trip of the author has is not added a second time.
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
        /// The title of a new trip; `nil` for the name of a track, or else for what the wording calls it.
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
    ///   - target: The trip to which they are added; `nil` for the one that has some of them, or else a new one.
    ///   - choices: What the traveller decides.
    ///   - progress: Called with the number of photos that are stored.
    ///   - willStore: Called before each write with the trip as it is stored, `nil` before a new one is added, and as it is
    ///     going to be: to undo an import that ends early. The trip is not written if it throws.
    ///   - image: Returns the picture of a photo, with the given ID and without metadata; `nil` to leave it out.
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; ``TravelError/invalid(_:)`` with
    ///   ``Violation/Field/image`` and ``Violation/Rule/empty`` when there is neither a track nor a photo with a time; the
    ///   errors of ``ImportTrack`` about a track; ``TravelError/conflict(_:)`` when no trip is named, and one of other days has
    ///   some of the photos; ``TravelError/forbidden(_:)`` when the named trip is somebody else's, and
    ///   ``TravelError/notFound(_:)`` when the user does not see it;
    ///   the errors of `image`, of `willStore` and of the review; other errors of the repositories; `CancellationError`. What was
    ///   stored before stays.
    @concurrent
    public func callAsFunction(
        _ photos: [PhotoFile], tracks files: [Track] = [], into target: Trip.ID? = nil,
        _ choices: Choices = Choices(),
        progress: @Sendable (Int) -> Void = { _ in },
        willStore: @Sendable (_ stored: RecordedTrip?, _ planned: RecordedTrip) async throws -> Void = { _, _ in },
        image: @Sendable (PhotoFile, TripImage.ID) async throws -> TripImage?
    ) async throws -> ImportedPhotos {
        let author = try await users.user(session.requireUser())
        let now = now()
        let named: RecordedTrip? = if let target { try await trip(target, of: author.id) } else { nil }
        let files = ImportedFiles(
            photos: photos.identified(by: author.id),
            tracks: try await journeys(of: files, by: author.id, at: now, choices))
        return try await importFiles(files, into: named, of: author, choices, at: now, progress, willStore, image)
    }

    private func importFiles(
        _ all: ImportedFiles, into named: RecordedTrip?, of author: User, _ choices: Choices, at now: Date,
        _ progress: @Sendable (Int) -> Void,
        _ willStore: @Sendable (RecordedTrip?, RecordedTrip) async throws -> Void,
        _ image: @Sendable (PhotoFile, TripImage.ID) async throws -> TripImage?
    ) async throws -> ImportedPhotos {
        var files = all
        var elsewhere: [(trip: Trip, count: Int)] = []
        if let named { elsewhere = try await removeFiles(of: otherTrips(than: named), from: &files) }
        let plan = PhotoPlan(
            files.photos, steps: files.tracks.flatMap(\.journey.timed.steps).sortedStably { $0.time < $1.time },
            trackDays: Set(files.tracks.flatMap(\.journey.timeline.days.all)), tripDays: named?.content.days,
            offsets: choices.cameraOffsets, clock: LocalClock(zones, given: choices.timeZone))
        let (near, far) = files.tracks.parted { plan.days.contains($0.journey.timeline.days.first) }
        let journeys = near.map(\.journey)
        var report = ImportedPhotos(plan)
        report.elsewhere = elsewhere
        guard
            let days = DayRange(
                of: plan.stops.map(\.day) + journeys.flatMap { [$0.timeline.days.first, $0.timeline.days.last] })
        else {
            // There are files, but none of these days that the trip does not have.
            guard let named, !far.isEmpty || !elsewhere.isEmpty || plan.outside.contains(where: { $0.taken != nil })
            else { throw TravelError.invalid(.init(.image, .empty)) }
            (report.trip, report.before) = (named, named)
            report.recognize(named, far)
            return report
        }

        let id = plan.tripID(journeys, by: author.id)
        let known: RecordedTrip? =
            if let named { named } else { try await knownTrip(id, of: author.id, in: days, plan, journeys) }
        if named == nil, let known, try await !removeFiles(of: otherTrips(than: known), from: &files).isEmpty {
            // Some are those of yet another trip, which keeps them.
            return try await importFiles(all, into: known, of: author, choices, at: now, progress, willStore, image)
        }
        report.before = known
        report.recognize(known, far)
        let trip: RecordedTrip
        if let known {
            trip = try await extend(known, by: plan.stops, journeys, report: &report, at: now, willStore)
        } else {
            trip = try await newTrip(id, by: author, in: days, plan, journeys, choices, report: &report, at: now)
        }
        let stored = try await add(
            plan.stops, to: trip, isNew: known == nil, journeys, report: &report, at: now, progress, willStore, image)
        report.trip = stored
        report.tracks = journeys.map {
            ImportedTrack(trip: stored ?? trip, $0, regionOrigin: report.regionOrigin, shortenedTexts: $0.cuts)
        }
        return report
    }

    /// The days and entries of the tracks, in the order of their days.
    private func journeys(
        of files: [Track], by author: User.ID, at now: Date, _ choices: Choices
    ) async throws -> [ImportedFiles.NumberedJourney] {
        var journeys: [ImportedFiles.NumberedJourney] = []
        for (number, track) in files.enumerated() where !track.isEmpty {
            let journey = try await tracks.journey(
                of: track, by: author, at: now, timeZone: choices.timeZone, day: track.hasTimes ? nil : choices.day)
            journeys.append((number, journey))
        }
        return journeys.sortedStably { $0.journey.timeline.days.first < $1.journey.timeline.days.first }
    }

    // MARK: The trip

    private func trip(_ id: Trip.ID, of author: User.ID) async throws -> RecordedTrip {
        let trip = try await trips.details(of: id, viewer: author).recorded
        guard trip.author.id == author else { throw TravelError.forbidden(.trip(id)) }
        return trip
    }

    private func allTrips(of author: User.ID) async throws -> [Trip] {
        var all: [Trip] = []
        var cursor: TripCursor?
        repeat {
            let page = try await trips.search(
                TripQuery(
                    TripCriteria(author: author), viewer: author, after: cursor, limit: TripQuery.limits.upperBound))
            all += page.trips
            cursor = page.next
        } while cursor != nil
        return all
    }

    private func otherTrips(than trip: RecordedTrip) async throws -> [Trip] {
        try await allTrips(of: trip.author.id).filter { $0.id != trip.id }
    }

    /// Removes the files that these trips have, and returns those that have some, with their number.
    private func removeFiles(
        of others: [Trip], from files: inout ImportedFiles
    ) async throws -> [(trip: Trip, count: Int)] {
        var found: [(trip: Trip, count: Int)] = []
        let days = DayRange(
            of: files.tracks.flatMap { [$0.journey.timeline.days.first, $0.journey.timeline.days.last] })
        for trip in others where files.count > 0 {
            // Photos may have come to a trip of any days, by the clocks of their cameras.
            let mayHave = !files.photos.isEmpty || days.map(trip.isNear) == true
            let timeline = mayHave ? try await trips.timeline(of: trip.id, viewer: trip.author.id) : []
            let (entries, images) = (Set(timeline.map(\.id)), Set(timeline.flatMap { $0.pictures.map(\.id) }))
            let count = files.count
            files.photos.removeAll { images.contains($0.image) }
            files.tracks.removeAll { $0.journey.isOf(trip.id, with: entries) }
            if files.count < count { found.append((trip, count - files.count)) }
        }
        return found
    }

    /// The trip of the author that has one of the photos, or one of the tracks, or from which all were removed.
    ///
    /// - Throws: ``TravelError/conflict(_:)`` with the trip when its days are others: its photos were imported by other clocks.
    private func knownTrip(
        _ id: Trip.ID, of author: User.ID, in days: DayRange, _ plan: PhotoPlan, _ journeys: [ImportedJourney]
    ) async throws -> RecordedTrip? {
        let (near, far) = try await allTrips(of: author).parted { $0.isNear(days) }
        let images = Set(plan.stops.flatMap { $0.photos.map(\.image) })
        func isKnown(_ trip: Trip) async throws -> Bool {
            if trip.id == id { return true }
            let timeline = try await trips.timeline(of: trip.id, viewer: author)
            let entries = Set(timeline.map(\.id))
            return journeys.contains { $0.isOf(trip.id, with: entries) }
                || timeline.contains { $0.pictures.contains { images.contains($0.id) } }
        }
        for trip in near where try await isKnown(trip) {
            return try await trips.details(of: trip.id, viewer: author).recorded
        }
        // What a track has is of its own days.
        for trip in far where try await images.isEmpty ? trip.id == id : isKnown(trip) {
            throw TravelError.conflict(.trip(trip.id))
        }
        return nil
    }

    /// A trip with the tracks and without photos, which is not stored yet.
    private func newTrip(
        _ id: Trip.ID, by author: User, in days: DayRange, _ plan: PhotoPlan, _ journeys: [ImportedJourney],
        _ choices: Choices,
        report: inout ImportedPhotos, at now: Date
    ) async throws -> RecordedTrip {
        var cuts = 0
        let unnamed = journeys.isEmpty ? wording.tripTitle(ofPhotosOn: days) : wording.tripTitle
        let title = try Title(shortening: choices.title, else: unnamed, cuts: &cuts)
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
        report.addedTracks = journeys.count
        return try RecordedTrip(
            id: id, author: author, createdAt: now,
            content: TripContent(title: title, region: region, days: days),
            timeline: journeys.flatMap { try $0.entries(since: days.first) }, track: try journeys.geometry(after: nil))
    }

    /// Adds days to the trip for what it does not have, and the tracks that it does not have.
    private func extend(
        _ trip: RecordedTrip, by stops: [PhotoPlan.Stop], _ journeys: [ImportedJourney],
        report: inout ImportedPhotos, at now: Date, _ willStore: (RecordedTrip?, RecordedTrip) async throws -> Void
    ) async throws -> RecordedTrip {
        let new = journeys.filter { !$0.isPart(of: trip) }
        let images = Set(trip.images)
        var days = new.flatMap { [$0.timeline.days.first, $0.timeline.days.last] }
        days += stops.filter { !$0.photos.allSatisfy { images.contains($0.image) } }.map(\.day)
        days += [trip.content.days.first, trip.content.days.last]
        let whole = DayRange(of: days) ?? trip.content.days
        report.addedTracks = new.count
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
    /// The number of tracks that the trip has now, and did not have before.
    public internal(set) var addedTracks = 0
    /// The photos that were left out, because their days are not those of the trip, or no photo has a time.
    public internal(set) var outside: [PhotoFile]
    /// The places, in the list of tracks, of those that were left out, because their days are not those of the trip.
    public internal(set) var outsideTracks: [Int] = []
    /// The other trips of the author that have some of the photos and tracks, and how many: none of these was added to the
    /// trip.
    public internal(set) var elsewhere: [(trip: Trip, count: Int)] = []
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

    /// Names the tracks of other days, but those that the trip has already; and counts its photos of other days, which it has
    /// by a clock that was corrected when they were imported.
    fileprivate mutating func recognize(_ trip: RecordedTrip?, _ far: [ImportedFiles.NumberedJourney]) {
        outsideTracks = far.filter { track in trip.map(track.journey.isPart) != true }.map(\.number).sorted()
        guard let trip else { return }
        let images = Set(trip.images)
        let others = outside.filter {
            !images.contains(TrackFingerprint(ofFile: $0.digest, by: trip.author.id).image)
        }
        alreadyThere += outside.count - others.count
        outside = others
    }

    init(_ plan: PhotoPlan) {
        (outside, undated, clocks, uncertain) = (plan.outside, plan.undated, plan.clocks, plan.uncertain)
    }
}

/// What is imported together: the photos with their IDs, each once, and the days and entries of the tracks.
private struct ImportedFiles {
    /// A track with its place in the list of files.
    typealias NumberedJourney = (number: Int, journey: ImportedJourney)

    var photos: [(file: PhotoFile, image: TripImage.ID)]
    var tracks: [NumberedJourney]

    var count: Int { photos.count + tracks.count }
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

extension Trip {
    /// Whether no more than ``PhotoPlan/pause`` days are between its days and these.
    fileprivate func isNear(_ others: DayRange) -> Bool {
        days.first.adding(days: -PhotoPlan.pause) <= others.last
            && others.first <= days.last.adding(days: PhotoPlan.pause)
    }
}

extension Sequence {
    /// The elements that satisfy a condition, and the others, both in their order.
    fileprivate func parted(by condition: (Element) -> Bool) -> ([Element], [Element]) {
        var (matching, others): ([Element], [Element]) = ([], [])
        for element in self { if condition(element) { matching.append(element) } else { others.append(element) } }
        return (matching, others)
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

    var all: [CalendarDay] { (0..<count).map { first.adding(days: $0) } }
}

extension ImportedJourney {
    /// The entries in a trip that begins on that day.
    fileprivate func entries(since first: CalendarDay) throws(TravelError) -> [TimelineEntry] {
        let shift = first.days(until: timeline.days.first)
        return try entries.map { entry throws(TravelError) in try entry.moved(byDays: shift) }
    }

    /// Whether the trip has one of the entries, or the path: that of a trip stays when the entries of the import are removed.
    fileprivate func isPart(of trip: RecordedTrip) -> Bool {
        let known = Set(trip.timeline.map(\.id))
        if entries.contains(where: { known.contains($0.id) }) { return true }
        guard let track = trip.track, let geometry else { return false }
        return geometry.segments.allSatisfy(track.segments.contains)
    }

    /// Whether a trip with these entries is the one that the track has become, or has one of its entries.
    fileprivate func isOf(_ trip: Trip.ID, with known: Set<TimelineEntry.ID>) -> Bool {
        trip == fingerprint.trip || entries.contains { known.contains($0.id) }
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
