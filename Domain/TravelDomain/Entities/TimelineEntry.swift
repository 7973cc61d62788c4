/// One entry in the timeline of a trip, on one of its days.
///
/// ```swift
/// let entry = try TimelineEntry(
///     day: 1, time: TimeOfDay("09:30"), title: Title("출발"), text: EntryText("비가 왔다."))
/// ```
public struct TimelineEntry: Hashable, Sendable, Identifiable {
    public let id: Identifier<TimelineEntry>
    /// The number of the day of the trip, 1-based.
    public let day: Int
    public let time: TimeOfDay
    public let title: Title
    public let text: EntryText
    public let place: Place?
    /// The pictures in their order, each of another image.
    public let pictures: [Picture]

    public static let maximumPictureCount = 30

    /// Creates an entry from its parts.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when `day` is below 1, when there are more than ``maximumPictureCount``
    ///   pictures, or when two of them show the same image.
    public init(
        id: ID = ID(), day: Int, time: TimeOfDay, title: Title, text: EntryText, place: Place? = nil,
        pictures: [Picture] = []
    ) throws(TravelError) {
        guard day >= 1 else { throw .invalid(.init(.day, .outOfRange("a day of the trip, starting at 1"))) }
        guard pictures.count <= Self.maximumPictureCount else {
            throw .invalid(.init(.pictures, .tooMany(maximum: Self.maximumPictureCount)))
        }
        guard !Self.repeatsImage(pictures) else {
            throw .invalid(.init(.pictures, .repeated))
        }
        self.id = id
        self.day = day
        self.time = time
        self.title = title
        self.text = text
        self.place = place
        self.pictures = pictures
    }

    /// Whether two pictures show the same image.
    private static func repeatsImage(_ pictures: [Picture]) -> Bool {
        // A bit for each value of the last six bits of an ID: a picture is compared with those before it only if its bit is set.
        var seen: UInt64 = 0
        for index in pictures.indices {
            let id = pictures[index].id
            let bit: UInt64 = 1 << (id.low & 63)
            if seen & bit != 0, pictures[..<index].contains(where: { $0.id == id }) { return true }
            seen |= bit
        }
        return false
    }

    /// An entry whose parts are those of `entry`, but for the pictures, which show the same images.
    private init(_ entry: TimelineEntry, pictures: [Picture]) {
        (id, day, time, title, text, place) = (
            entry.id, entry.day, entry.time, entry.title, entry.text, entry.place
        )
        self.pictures = pictures
    }
}

extension TimelineEntry {
    /// The location of the entry on the map: that of its place, or else where the first of its pictures was taken whose
    /// position the viewer sees.
    public var coordinate: Coordinate? {
        place?.coordinate ?? pictures.lazy.compactMap { $0.position?.coordinate }.first
    }

    /// The image of its first picture.
    public var image: TripImage.ID? { pictures.first?.id }

    /// Returns a copy with other pictures.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when there are more than ``maximumPictureCount``, or when two of them show the
    ///   same image.
    public func with(pictures: [Picture]) throws(TravelError) -> TimelineEntry {
        try TimelineEntry(
            id: id, day: day, time: time, title: title, text: text, place: place, pictures: pictures)
    }

    /// Returns a new entry with the same content for another trip, whose pictures show the images that stand for theirs there;
    /// pictures without one are left out, as are withheld positions.
    package func copied(showing images: [TripImage.ID: TripImage.ID]) throws(TravelError) -> TimelineEntry {
        try TimelineEntry(
            day: day, time: time, title: title, text: text, place: place,
            pictures: pictures.compactMap { picture in
                images[picture.id].map { image in
                    Picture(
                        image, text: picture.text, taken: picture.taken,
                        position: picture.position == .withheld ? nil : picture.position)
                }
            })
    }

    /// Returns a copy in which `change` has changed what is known of each picture.
    func withPictures(_ change: (inout Picture) -> Void) -> TimelineEntry {
        guard !pictures.isEmpty else { return self }
        return TimelineEntry(
            self,
            pictures: pictures.map { picture in
                var changed = picture
                change(&changed)
                return changed
            })
    }

    /// Whether `a` comes before `b` in every timeline: by day, then by time. Of two entries at the same time neither does:
    /// they stand in the order of the timeline, that in which they were written, until they are moved.
    public static func precedes(_ a: TimelineEntry, _ b: TimelineEntry) -> Bool {
        (a.day, a.time) < (b.day, b.time)
    }

    /// Where an entry is moved to: directly before or after another one of the same day and time.
    public enum Placement: Hashable, Sendable {
        case before(TimelineEntry.ID)
        case after(TimelineEntry.ID)

        /// The other entry.
        public var neighbor: TimelineEntry.ID {
            switch self {
            case .before(let id), .after(let id): id
            }
        }
    }
}

extension [TimelineEntry] {
    /// Where the entry goes when it moves up by one, before the previous entry of its day and time; `nil` if it is the first
    /// of them, or not in the timeline.
    public func placementAbove(_ entry: TimelineEntry.ID) -> TimelineEntry.Placement? {
        neighbor(of: entry, at: -1).map { .before($0) }
    }

    /// Where the entry goes when it moves down by one, after the next entry of its day and time; `nil` if it is the last of
    /// them, or not in the timeline.
    public func placementBelow(_ entry: TimelineEntry.ID) -> TimelineEntry.Placement? {
        neighbor(of: entry, at: 1).map { .after($0) }
    }

    private func neighbor(of entry: TimelineEntry.ID, at distance: Int) -> TimelineEntry.ID? {
        guard let index = firstIndex(where: { $0.id == entry }), indices.contains(index + distance) else { return nil }
        let other = self[index + distance]
        return other.day == self[index].day && other.time == self[index].time ? other.id : nil
    }

    /// The timeline with `entry` in the place of the one with its ID if its day and time are the same, or else after all that
    /// do not come later.
    func saving(_ entry: TimelineEntry) -> [TimelineEntry] {
        var result = self
        if let index = firstIndex(where: { $0.id == entry.id }) {
            guard self[index].day != entry.day || self[index].time != entry.time else {
                result[index] = entry
                return result
            }
            result.remove(at: index)
        }
        result.append(entry)
        return result
    }
}

/// The text of a timeline entry: 1–5,000 characters, line breaks included.
///
/// ```swift
/// try EntryText("  바다를 걸었다 ").text    // "바다를 걸었다"
/// try EntryText(" \n ")                   // throws TravelError.invalid: only blanks
/// ```
public struct EntryText: Hashable, Sendable {
    public let text: String

    /// The allowed number of characters (extended grapheme clusters).
    public static let length = TextLimits.entryText.length
    /// The maximum size in UTF-8 bytes. A character may have at most 32 code points.
    public static let maximumSize = TextLimits.entryText.size

    /// Trims `text` and validates it. White space and invisible characters count as blanks.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when the trimmed text is empty, is too long, or contains a control
    ///   character other than a line break or a tab.
    public init(_ text: some StringProtocol) throws(TravelError) {
        self.text = try TextRules.validated(text, as: .text, .entryText, lines: .many)
    }

    /// A text that a store has, of any size.
    package init(stored text: String) throws(TravelError) {
        self.text = try TextRules.validated(text, as: .text, .entryText, lines: .many, from: .store)
    }

    /// Creates a text from as much of `text` as fits, with `…` where it is cut; `nil` when only white space remains.
    /// Counts in `cuts` whether it was cut.
    package init?(shortening text: some StringProtocol, cuts: inout Int) {
        guard let text = TextRules.shortened(text, to: .entryText, lines: .many, cuts: &cuts) else { return nil }
        self.text = text
    }
}

extension EntryText: CustomStringConvertible {
    public var description: String { text }
}
