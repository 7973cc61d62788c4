/// What the file of a photo says, without the picture.
///
/// ```swift
/// let photo = PhotoFile(name: "DSC_0042.jpg", digest: digest, taken: taken, camera: "NIKON D90")
/// ```
public struct PhotoFile: Hashable, Sendable {
    public let name: String
    /// A digest of the whole file: photos with equal ones are the same.
    public let digest: UInt128
    /// When it was taken, by the clock of the camera.
    public let taken: PhotoDate?
    /// Where it was taken.
    public let coordinate: Coordinate?
    /// The name of the camera.
    public let camera: String?

    public init(
        name: String, digest: UInt128, taken: PhotoDate? = nil, coordinate: Coordinate? = nil, camera: String? = nil
    ) {
        self.name = name
        self.digest = digest
        self.taken = taken
        self.coordinate = coordinate
        self.camera = camera
    }
}

/// How the clock of a camera is corrected.
public struct CameraClock: Hashable, Sendable {
    /// The camera; `nil` for photos that do not name theirs.
    public let camera: String?
    /// The minutes by which its clock is behind: they are added to its times.
    public let offset: Int
    /// Whether the offset follows from positions of its photos on the track; otherwise it was given.
    public let isEstimated: Bool
    /// The number of photos that it corrects.
    public let photos: Int

    public init(camera: String?, offset: Int, isEstimated: Bool, photos: Int) {
        self.camera = camera
        self.offset = offset
        self.isEstimated = isEstimated
        self.photos = photos
    }
}

/// Days and stops of photos, before any of them is stored.
struct PhotoPlan {
    /// A photo at the local day and time of where it was taken.
    struct Placed {
        let file: PhotoFile
        let image: TripImage.ID
        var day: CalendarDay
        var minutes: Int
        /// Its own position, or else that of the track at its time.
        var coordinate: Coordinate?
        /// `nil` if the time is that of the photo before it.
        var taken: PhotoDate?
    }

    /// Photos that were taken at one place, one after the other.
    struct Stop {
        var photos: [Placed]

        var day: CalendarDay { photos[0].day }
        var minutes: Int { photos[0].minutes }
        var coordinate: Coordinate? { photos.lazy.compactMap(\.coordinate).first }
    }

    /// The stops, by day and time.
    private(set) var stops: [Stop] = []
    /// The days from the first to the last of the trip that has the stops; of what is not among them, nothing belongs to it.
    private(set) var days: ClosedRange<CalendarDay>
    /// Photos that were taken more than ``pause`` days from the others, and from the tracks.
    private(set) var outside: [PhotoFile] = []
    /// The number of photos without a time, each of which is where the photo before it is.
    private(set) var undated = 0
    private(set) var clocks: [CameraClock] = []
    /// The numbers of photos by cameras that do not say their zone, and whose clock nothing corrects.
    private(set) var uncertain: [String?: Int] = [:]

    /// The number of days without a photo and without a track that ends a trip.
    static let pause = 7
    /// The minutes without a photo that end a stop.
    static let stay = 60
    /// The distance in metres from the first photo of a stop that ends it.
    static let reach = 300.0
    /// The distance in metres between a photo and the track at which the photo tells the time of the track.
    static let nearTrack = 100.0

    /// - Parameters:
    ///   - photos: The photos, each once, in the order of their names.
    ///   - steps: The steps of the tracks, in the order of time.
    ///   - trackDays: The local days of the tracks.
    ///   - tripDays: The days of the trip to which the photos are added; `nil` for a new one.
    ///   - offsets: The minutes to add to the clocks of cameras; `nil` is every camera without a known zone.
    init(
        _ photos: [(file: PhotoFile, image: TripImage.ID)], steps: [TimedTrack.Step], trackDays: Set<CalendarDay>,
        tripDays: DayRange?, offsets: [String?: Int], clock: LocalClock
    ) {
        let track = TrackTimes(steps)
        let corrections = Self.corrections(of: photos.map(\.file), on: track, given: offsets, clock: clock)
        clocks = corrections.values.filter { $0.offset != 0 }.sorted { ($0.camera ?? "") < ($1.camera ?? "") }
        let unknown = photos.map(\.file).filter { $0.taken != nil && $0.taken?.utcOffset == nil }
        uncertain = Dictionary(unknown.map { ($0.camera, 1) }, uniquingKeysWith: +)
            .filter { corrections[$0.key] == nil }
        var placed: [Placed] = []
        var waiting: [(PhotoFile, TripImage.ID)] = []
        for (file, image) in photos {
            guard let taken = file.taken else {
                undated += 1
                if let last = placed.last {
                    placed.append(
                        Placed(
                            file: file, image: image, day: last.day, minutes: last.minutes, coordinate: file.coordinate)
                    )
                } else {
                    waiting.append((file, image))
                }
                continue
            }
            // A time with a zone is wrong only if its camera was named.
            let named = file.camera.flatMap { offsets[$0] }
            let offset = named ?? (taken.utcOffset == nil ? corrections[file.camera]?.offset : nil)
            let corrected = taken.adding(minutes: offset ?? 0)
            let position = file.coordinate ?? track.position(at: corrected.instant(at: track.start, clock))
            placed.append(
                Placed(
                    file: file, image: image, day: corrected.day, minutes: corrected.time.minutes, coordinate: position,
                    taken: corrected))
        }
        if let first = placed.first {
            placed.insert(
                contentsOf: waiting.map {
                    Placed(file: $0, image: $1, day: first.day, minutes: first.minutes, coordinate: $0.coordinate)
                }, at: 0)
        } else {
            outside = waiting.map(\.0)
        }
        let days = Self.mainDays(of: placed, and: trackDays, around: tripDays)
        self.days = days
        outside += placed.filter { !days.contains($0.day) }.map(\.file)
        let inside = placed.filter { days.contains($0.day) }
            .sortedStably { ($0.day, $0.minutes) < ($1.day, $1.minutes) }
        for photo in inside {
            if let last = stops.indices.last, stops[last].takes(photo) {
                stops[last].photos.append(photo)
            } else {
                stops.append(Stop(photos: [photo]))
            }
        }
    }

    /// The days of the trip: its own with the photos and tracks around them, or else those of the tracks with the photos around
    /// them, or else of most photos; ``pause`` days without any end it.
    private static func mainDays(
        of photos: [Placed], and tracks: Set<CalendarDay>, around trip: DayRange?
    ) -> ClosedRange<CalendarDay> {
        let days = Set(photos.map(\.day)).union(tracks).union(trip?.all ?? []).sorted()
        let groups = days.chunked { $0.days(until: $1) <= pause }
        let counts = Dictionary(photos.map { ($0.day, 1) }, uniquingKeysWith: +)
        func weight(_ group: [CalendarDay]) -> (Int, Int) {
            (group.count { tracks.contains($0) }, group.reduce(0) { $0 + (counts[$1] ?? 0) })
        }
        var best: [CalendarDay]?
        for group in groups where best.map({ weight(group) > weight($0) }) ?? true { best = group }
        if let trip { best = groups.first { $0.contains(trip.first) } }
        guard let best, let first = best.first, let last = best.last else {
            return CalendarDay(daysSince1970: 0)...CalendarDay(daysSince1970: 0)
        }
        return first...last
    }

    // MARK: Clocks

    /// The corrections by camera: what was given, or else, for a camera whose photos have positions on the track, the median
    /// difference between the times of both, if half of the photos agree with it to ten minutes.
    private static func corrections(
        of photos: [PhotoFile], on track: TrackTimes, given: [String?: Int], clock: LocalClock
    ) -> [String?: CameraClock] {
        var corrections: [String?: CameraClock] = [:]
        for (camera, photos) in Dictionary(grouping: photos.filter { $0.taken != nil }, by: \.camera) {
            if let camera, let offset = given[camera] {
                corrections[camera] = CameraClock(
                    camera: camera, offset: offset, isEstimated: false, photos: photos.count)
                continue
            }
            let unknown = photos.filter { $0.taken?.utcOffset == nil }
            if let offset = given[nil] {
                corrections[camera] = CameraClock(
                    camera: camera, offset: offset, isEstimated: false, photos: unknown.count)
            } else if let offset = estimate(unknown, on: track, clock) {
                corrections[camera] = CameraClock(
                    camera: camera, offset: offset, isEstimated: true, photos: unknown.count)
            }
        }
        return corrections.filter { $0.value.photos > 0 }
    }

    private static func estimate(_ photos: [PhotoFile], on track: TrackTimes, _ clock: LocalClock) -> Int? {
        let differences = photos.compactMap { photo -> Double? in
            guard let taken = photo.taken, let position = photo.coordinate,
                let time = track.time(near: position, within: nearTrack)
            else { return nil }
            return (time - taken.instant(at: position, clock)) / 60
        }.sorted()
        guard differences.count >= 3 else { return nil }
        let median = differences[differences.count / 2]
        let agreeing = differences.count { abs($0 - median) <= 10 }
        guard agreeing * 2 >= differences.count, abs(median) >= 3 else { return nil }
        return Int(median.rounded())
    }
}

extension PhotoPlan.Stop {
    /// Whether a photo, which is not earlier, belongs to the stop.
    fileprivate func takes(_ photo: PhotoPlan.Placed) -> Bool {
        guard let last = photos.last, photo.day == day, photo.minutes - last.minutes <= PhotoPlan.stay,
            photos.count < TimelineEntry.maximumPictureCount
        else { return false }
        guard let here = coordinate, let there = photo.coordinate else { return true }
        return here.distance(to: there) <= PhotoPlan.reach
    }
}

extension PhotoDate {
    /// The date on a clock that is so many minutes ahead.
    fileprivate func adding(minutes: Int) -> PhotoDate {
        let total = time.minutes + minutes
        return PhotoDate(
            day: day.adding(days: total.flooredQuotient(1_440)), time: TimeOfDay(minutesSinceMidnight: total),
            utcOffset: utcOffset)
    }

    /// The seconds since 1970 at which it was taken: by its own zone, or else by that at `place`.
    fileprivate func instant(at place: Coordinate?, _ clock: LocalClock) -> TimeInterval {
        let seconds = Double(time.minutes * 60)
        if let utcOffset { return Double(day.daysSince1970) * 86_400 + seconds - Double(utcOffset * 60) }
        guard let place else { return Double(day.daysSince1970) * 86_400 + seconds }
        return clock.instant(day, seconds, at: place)
    }
}

/// Where the traveller was at a time, and when they were at a place.
private struct TrackTimes {
    private let steps: [TimedTrack.Step]
    private let nearest: NearestPoint?

    init(_ steps: [TimedTrack.Step]) {
        self.steps = steps
        nearest = steps.isEmpty ? nil : NearestPoint(steps.map(\.coordinate))
    }

    var start: Coordinate? { steps.first?.coordinate }

    /// The position at a time, in seconds since 1970; `nil` if the track has none within 15 minutes.
    func position(at time: TimeInterval) -> Coordinate? {
        let next = steps.partitioningIndex { $0.time.timeIntervalSince1970 >= time }
        let around = [next - 1, next].filter(steps.indices.contains)
        let closest = around.min {
            abs(steps[$0].time.timeIntervalSince1970 - time) < abs(steps[$1].time.timeIntervalSince1970 - time)
        }
        guard let closest, abs(steps[closest].time.timeIntervalSince1970 - time) <= 15 * 60 else { return nil }
        return steps[closest].coordinate
    }

    /// The time in seconds since 1970 at which the track is nearest to a place.
    func time(near place: Coordinate, within meters: Double) -> TimeInterval? {
        guard let index = nearest?.nearest(to: place), steps[index].coordinate.distance(to: place) <= meters else {
            return nil
        }
        return steps[index].time.timeIntervalSince1970
    }
}
