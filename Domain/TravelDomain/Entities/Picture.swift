/// A picture of an entry: the image that it shows, and what is known of it.
///
/// ```swift
/// let picture = Picture(photo.id, text: try PictureText("해 질 녘의 등대"), position: .mineOnly(lighthouse))
/// let entry = try TimelineEntry(day: 1, time: time, title: title, text: text, pictures: [picture])
/// ```
public struct Picture: Hashable, Sendable, Identifiable {
    /// The image that it shows.
    public let id: TripImage.ID
    /// What it shows, in words, for people who do not see it; `nil` if its author has not described it.
    public var text: PictureText?
    /// When it was taken, by the clock of the camera.
    public var taken: PhotoDate?
    /// Where it was taken.
    public var position: PicturePosition?
}

extension Picture {
    // By the memberwise initializer, which the compiler creates in place: a value that an initializer assigns property by property
    // is copied and destroyed once more, which takes most of the time of reading a picture (Swift 6.3).
    public init(
        _ image: TripImage.ID, text: PictureText? = nil, taken: PhotoDate? = nil, position: PicturePosition? = nil
    ) {
        self.init(id: image, text: text, taken: taken, position: position)
    }
}

/// Where a picture was taken, and who sees it.
///
/// A camera writes the position into the file, often at home: it is the author's alone until they show it.
public enum PicturePosition: Hashable, Sendable {
    /// Whoever sees the trip sees the position.
    case shown(Coordinate)
    /// Only the author sees the position.
    case mineOnly(Coordinate)
    /// There is a position, which its author has not shown: what everyone else sees of ``mineOnly(_:)``.
    ///
    /// An edit that has this value does not change the position that is stored.
    case withheld

    /// The position, if the viewer sees it.
    public var coordinate: Coordinate? {
        switch self {
        case .shown(let coordinate), .mineOnly(let coordinate): coordinate
        case .withheld: nil
        }
    }

    /// The position as everyone but the author sees it.
    var asOthersSeeIt: PicturePosition {
        if case .mineOnly = self { .withheld } else { self }
    }
}

extension Picture {
    /// The picture with the position of `before`, if this one is withheld.
    fileprivate func keepingPosition(of before: Picture?) -> Picture {
        guard position == .withheld else { return self }
        var picture = self
        picture.position = before?.position
        return picture
    }
}

extension [TimelineEntry] {
    /// The timeline as its author sees it, or as everyone else does, from whom the positions of pictures are withheld that
    /// the author has not shown (``PicturePosition``).
    ///
    /// A store returns timelines by this rule.
    public func seen(byAuthor isAuthor: Bool) -> [TimelineEntry] {
        guard !isAuthor, positionsOfAuthor > 0 else { return self }
        return map { entry in
            entry.withPictures { picture in picture.position = picture.position?.asOthersSeeIt }
        }
    }

    /// The number of pictures whose position only the author sees.
    public var positionsOfAuthor: Int {
        reduce(0) { count, entry in
            count + entry.pictures.count { if case .mineOnly = $0.position { true } else { false } }
        }
    }

    /// The timeline with the positions of all pictures shown to everyone who sees the trip.
    public var showingPositions: [TimelineEntry] {
        map { entry in
            entry.withPictures { picture in
                if case .mineOnly(let coordinate) = picture.position { picture.position = .shown(coordinate) }
            }
        }
    }

    /// Whether a position is withheld from whoever sees the timeline.
    package var withholdsPositions: Bool { contains { $0.pictures.contains { $0.position == .withheld } } }

    /// The timeline with the positions that `before` has wherever this one withholds them.
    package func keepingPositions(of before: [TimelineEntry]) -> [TimelineEntry] {
        guard withholdsPositions else { return self }
        let known = Dictionary(before.flatMap(\.pictures).map { ($0.id, $0) }) { first, _ in first }
        return map { entry in entry.withPictures { $0 = $0.keepingPosition(of: known[$0.id]) } }
    }
}

extension [TimelineEntry] {
    /// The timeline of a device that knows of one picture an entry, with those that it could not know: the pictures behind the
    /// first one of the same entry in `before`.
    ///
    /// A picture that the device left is the one of `before`, with its description, its time and its position; one
    /// that it replaced or removed is replaced or removed, and the others stay behind it.
    package func keepingFurtherPictures(of before: [TimelineEntry]) throws(TravelError) -> [TimelineEntry] {
        let entries = Dictionary(before.map { ($0.id, $0.pictures) }) { first, _ in first }
        let known = Dictionary(before.flatMap(\.pictures).map { ($0.id, $0) }) { first, _ in first }
        return try map { entry throws(TravelError) in
            let first = entry.pictures.first.map { known[$0.id] ?? $0 }
            let others = entries[entry.id, default: []].dropFirst().filter { $0.id != first?.id }
            return try entry.with(pictures: (first.map { [$0] } ?? []) + others)
        }
    }
}

/// The description of a picture: one line of 1–300 characters.
///
/// ```swift
/// try PictureText(" 해 질 녘의 등대 ").text    // "해 질 녘의 등대"
/// ```
public struct PictureText: Hashable, Sendable {
    public let text: String

    /// The allowed number of characters (extended grapheme clusters).
    public static let length = TextLimits.pictureText.length

    /// Trims `text` and validates it. White space and invisible characters count as blanks.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when the trimmed text is empty, is too long, or contains a control
    ///   character or a line break.
    public init(_ text: some StringProtocol) throws(TravelError) {
        self.text = try TextRules.validated(text, as: .pictureText, .pictureText, lines: .one)
    }

    /// A text that a store has, of any size.
    package init(stored text: String) throws(TravelError) {
        self.text = try TextRules.validated(text, as: .pictureText, .pictureText, lines: .one, from: .store)
    }
}

extension PictureText: CustomStringConvertible {
    public var description: String { text }
}
