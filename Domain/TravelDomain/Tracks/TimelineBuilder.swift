/// Selects the moments of a track that become entries, on the days of the trip.
///
/// Every recorded day has its departure, its arrival and the stays between them; every mark has its moment. A moment
/// that a mark covers is merged into it.
package struct TimelineBuilder {
    /// The days of the trip: the first through the last local day that has a point.
    package let days: DayRange
    /// The moments, ordered by day and time.
    package let moments: [JourneyMoment]
    /// The moments that were omitted on days with too many, ordered by day and time.
    package let omitted: [JourneyMoment]
    /// The zones of the times, in the order of the journey.
    package let zones: [LocalClock.Zone]

    /// The maximum number of moments per day. On journeys of many days it is less, so that all days fit in a timeline.
    package static let momentsADay = 30

    /// Selects the moments of `track`.
    package init(_ track: TimedTrack) {
        let (days, zones) = Self.days(of: track)
        self.zones = zones
        let first = days[0].day
        var omitted: [JourneyMoment] = []
        let maximum = RecordedTrip.maximumEntryCount
        let most = track.isExported ? maximum : min(Self.momentsADay, maximum / days.count)
        self.moments = days.flatMap { day in
            let all = day.moments(
                number: first.days(until: day.day) + 1, isTimed: track.isTimed, isExported: track.isExported)
            let kept = Self.mostRelevant(all, atMost: most)
            omitted += all.indices.filter { !kept.contains($0) }.map { all[$0] }
            return kept.sorted().map { all[$0] }
        }
        self.days = DayRange(first, days: first.days(until: days[days.count - 1].day) + 1)
        self.omitted = omitted
    }

    /// The local days that have a point, in order; at least one. A track without times of its own keeps the zone of its
    /// first point, and a mark with a time of its own that is not beside a track with times has that of its place.
    private static func days(of track: TimedTrack) -> ([JourneyDay], [LocalClock.Zone]) {
        var clock = track.clock
        var days: [CalendarDay: JourneyDay] = [:]
        let start = track.isTimed ? nil : track.steps[0].coordinate
        // Marks and steps are read in chronological order together, so that both use the same zone.
        var marks = track.marks[...]
        func readMarks(until isReached: (TimedTrack.Mark) -> Bool) {
            while let mark = marks.first, !isReached(mark) {
                let (day, time) =
                    mark.isInZoneOfTrack
                    ? clock.read(mark.time, at: start ?? mark.waypoint.coordinate)
                    : clock.readApart(mark.time, at: mark.waypoint.coordinate)
                days[day, default: JourneyDay(day)].add(mark, at: time, mayRepeat: track.isExported)
                marks.removeFirst()
            }
        }
        // A way from one day to the next is a part of the day of its end.
        var legs = (track.path?.legs ?? [])[...]
        for step in track.steps {
            readMarks { $0.time >= step.time }
            let (day, time) = clock.read(step.time, at: start ?? step.coordinate)
            days[day, default: JourneyDay(day)].add(step, at: time)
            // The path has whole milliseconds.
            while let leg = legs.first, leg.end.map({ $0.timeIntervalSince(step.time) < 0.001 }) ?? true {
                days[day, default: JourneyDay(day)].add(leg.length)
                legs.removeFirst()
            }
        }
        readMarks { _ in false }
        return (days.values.sorted { $0.day < $1.day }, clock.used)
    }

    /// The indices of the `maximum` moments of a day that are kept. Priority: departure and arrival, then marks spread evenly
    /// over the day, then the longest stays.
    private static func mostRelevant(_ moments: [JourneyMoment], atMost maximum: Int) -> Set<Int> {
        if moments.count <= maximum { return Set(moments.indices) }
        var ends: [Int] = []
        var marks: [Int] = []
        var stays: [Int] = []
        for (index, moment) in moments.enumerated() {
            switch moment.kind {
            case .departure, .arrival: ends.append(index)
            case .mark: marks.append(index)
            case .stay: stays.append(index)
            }
        }
        let room = max(maximum - ends.count, 0)
        if marks.count > room { marks = (0..<room).map { marks[$0 * marks.count / room] } }
        stays.sort { (moments[$0].stayed, $1) > (moments[$1].stayed, $0) }
        return Set((ends + marks + stays).prefix(maximum))
    }
}

/// The title, text and place of an imported entry.
package struct ImportedEntry {
    package let title: Title
    package let text: EntryText
    package let place: Place
    /// The number of texts that did not fit and were cut.
    package let cuts: Int

    /// The maximum distance in metres at which a known place provides the title.
    package static let nearby = SearchPlaces.nearby

    /// Creates the entry of `moment`, with the nearest known place, if there is one.
    ///
    /// The title is the name of the mark, or else that of a known place ``nearby``, or else that of `wording`. The text
    /// is the note of the mark, or else that of `wording`.
    package init(_ moment: JourneyMoment, near known: KnownPlace?, wording: some TrackWording) throws {
        let known = known.flatMap { $0.coordinate.distance(to: moment.coordinate) <= Self.nearby ? $0 : nil }
        var cuts = 0
        let own = moment.waypoint?.name.flatMap { name in
            TextRules.shortened(name, to: .placeName, lines: .one, cuts: &cuts)
        }
        let name = own ?? known?.place.name
        self.title = try Title(shortening: name, else: wording.title(of: moment), cuts: &cuts)
        self.text =
            try moment.note.flatMap { EntryText(shortening: $0, cuts: &cuts) }
            ?? EntryText(shortening: wording.text(of: moment), cuts: &cuts) ?? EntryText("")
        self.cuts = cuts
        let place = moment.waypoint?.place
        self.place = try Place(
            name: place?.name ?? name ?? moment.coordinate.written,
            address: place?.address ?? known?.place.address ?? "", coordinate: moment.coordinate)
    }
}

extension Title {
    /// Creates a title from as much as fits of the first text that is not blank, and counts in `cuts` whether it was
    /// cut.
    init(shortening text: (some StringProtocol)?, else other: String, cuts: inout Int) throws(TravelError) {
        if let title = text.flatMap({ Title(shortening: $0, cuts: &cuts) }) ?? Title(shortening: other, cuts: &cuts) {
            self = title
        } else {
            try self.init(other)
        }
    }
}

extension JourneyMoment {
    fileprivate var waypoint: Waypoint? {
        if case .mark(let waypoint) = kind { waypoint } else { nil }
    }

    /// The traveller's note, unless it repeats the name. The text of an entry is a note in any case.
    fileprivate var note: String? {
        waypoint?.description.flatMap { $0 == waypoint?.name && waypoint?.place == nil ? nil : $0 }
    }
}

extension Coordinate {
    /// Both degrees with four decimals, a resolution of about ten metres: `"37.5796, 126.9770"`.
    fileprivate var written: String { "\(Self.fourDecimals(latitude)), \(Self.fourDecimals(longitude))" }

    private static func fourDecimals(_ degrees: Double) -> String {
        let units = Int((abs(degrees) * 10_000).rounded())
        return "\(degrees < 0 && units > 0 ? "-" : "")\(units / 10_000).\((units % 10_000).padded(to: 4))"
    }
}

/// Derives IDs from a track and its author, so that the same import always has the same IDs.
///
/// The IDs contain the 128-bit FNV-1a hash (Fowler, Noll, Vo) of the author's ID and of the whole content of the track,
/// formatted as UUIDs of version 8 (RFC 9562). The hash is not cryptographic: accidental collisions are improbable,
/// deliberate ones are possible.
package struct TrackFingerprint: Hashable {
    private var hash: UInt128

    /// Hashes `track` and the ID of `author`.
    package init(of track: Track, by author: User.ID) {
        self.init(of: [])
        author.withBytes { add($0) }
        add(track.name)
        add(track.time)
        for waypoints in [track.waypoints] + track.routes {
            add(UInt64(waypoints.count))
            for point in waypoints {
                add(point.coordinate, point.time, point.elevation)
                add(point.name)
                add(point.description)
                // What was imported before files told places has the IDs of then.
                if let place = point.place {
                    add(place.name)
                    add(place.address)
                }
            }
        }
        for points in track.segments {
            add(UInt64(points.count))
            for point in points { add(point.coordinate, point.time, point.elevation) }
        }
    }

    /// Hashes the digest of a file and the ID of `author`.
    package init(ofFile digest: UInt128, by author: User.ID) {
        self.init(of: [])
        author.withBytes { add($0) }
        withUnsafeBytes(of: digest.littleEndian) { add($0) }
    }

    /// The FNV-1a hash of `bytes`.
    package init(of bytes: [UInt8]) {
        hash = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
        bytes.withUnsafeBytes { add($0) }
    }

    package var value: UInt128 { hash }

    package var trip: Trip.ID { id(of: hash) }
    package var image: TripImage.ID { id(of: hash) }

    /// The ID of the entry with that number. Within one trip, IDs are ordered by number, so that entries of the same
    /// minute keep their order.
    package func entry(_ number: Int) -> TimelineEntry.ID {
        var bytes = self
        bytes.add(UInt64.max)
        return id(of: bytes.hash & ~0xff_ffff | UInt128(number & 0xff_ffff))
    }

    /// Whether ``entry(_:)`` makes that ID for some number.
    package func isEntry(_ id: TimelineEntry.ID) -> Bool {
        // The last three bytes are the number.
        let first = entry(0)
        return id.high == first.high && id.low >> 24 == first.low >> 24
    }

    private func id<Entity>(of hash: UInt128) -> Identifier<Entity> {
        let version: UInt128 = 8 << 76
        let variant: UInt128 = 0b10 << 62
        let bits = hash & ~(0xf << 76) & ~(0b11 << 62) | version | variant
        return Identifier(high: UInt64(bits >> 64), low: UInt64(truncatingIfNeeded: bits))
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes { hash = (hash ^ UInt128(byte)) &* 0x0100_0000_0000_0000_0000_013b }
    }

    private mutating func add(_ number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { add($0) }
    }

    private mutating func add(_ text: String?) {
        let text = Array((text ?? "").utf8)
        add(UInt64(text.count))
        text.withUnsafeBytes { add($0) }
    }

    private mutating func add(_ date: Date?) {
        add((date?.timeIntervalSince1970 ?? .nan).bitPattern)
    }

    private mutating func add(_ coordinate: Coordinate, _ time: Date?, _ elevation: Double?) {
        add(coordinate.latitude.bitPattern)
        add(coordinate.longitude.bitPattern)
        add(time)
        add((elevation ?? .nan).bitPattern)
    }
}
