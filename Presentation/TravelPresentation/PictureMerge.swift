/// The merge of the pictures of an entry, one by one: those that either side has added or removed, and what either side has
/// changed of a picture. A picture that the other side has removed stays removed, because its image was deleted with it. The order
/// is that of the side that has moved pictures; that of the user where both have.
extension EntryDraft {
    public static func parts(mine: EntryDraft, theirs: EntryDraft) -> [Part] {
        let ids = theirs.pictures.map(\.id) + mine.pictures.map(\.id).filter { theirs.picture($0) == nil }
        let pictures = ids.flatMap { id -> [Part] in
            mine.picture(id) == nil || theirs.picture(id) == nil
                ? [.picture(id)] : [.pictureText(id), .pictureTime(id), .picturePosition(id)]
        }
        return [.day, .time, .title, .text, .place] + pictures + [.pictureOrder]
    }

    public func origin(of part: Part, beside theirs: EntryDraft, since base: EntryDraft?) -> PartOrigin {
        switch part {
        case .picture(let id) where theirs.picture(id) == nil:
            return picture(id)?.isStored == true ? .theirs : .mine
        case .pictureOrder:
            let origin = byComparison(of: part, beside: theirs, since: base)
            return origin == .both ? .mine : origin
        default: return byComparison(of: part, beside: theirs, since: base)
        }
    }

    private func picture(_ id: TripImage.ID) -> DraftPicture? { pictures.first { $0.id == id } }

    /// The pictures that `other` has as well, in their order here.
    private func common(with other: EntryDraft) -> [TripImage.ID] {
        pictures.map(\.id).filter { other.picture($0) != nil }
    }

    func hasSamePictures(_ part: Part, as other: EntryDraft) -> Bool {
        switch part {
        case .picture(let id): picture(id).map(Content.init) == other.picture(id).map(Content.init)
        case .pictureText(let id): picture(id)?.text == other.picture(id)?.text
        case .pictureTime(let id): picture(id).map(\.taken) == other.picture(id).map(\.taken)
        case .picturePosition(let id): picture(id).map(\.position) == other.picture(id).map(\.position)
        case .pictureOrder: common(with: other) == other.common(with: self)
        case .day, .time, .title, .text, .place: true
        }
    }

    /// What a picture says, wherever its image is.
    private struct Content: Equatable {
        let text: String
        let taken: PhotoDate?
        let position: PicturePosition?

        init(_ picture: DraftPicture) {
            (text, taken, position) = (picture.text, picture.taken, picture.position)
        }
    }

    mutating func takePictures(_ part: Part, from other: EntryDraft) {
        func change(_ id: TripImage.ID, _ body: (inout DraftPicture, DraftPicture) -> Void) {
            guard let index = pictures.firstIndex(where: { $0.id == id }), let picture = other.picture(id) else {
                return
            }
            body(&pictures[index], picture)
        }
        switch part {
        case .picture(let id):
            pictures.removeAll { $0.id == id }
            if let picture = other.picture(id) { insert(picture, as: other) }
        case .pictureText(let id): change(id) { $0.text = $1.text }
        case .pictureTime(let id): change(id) { $0.taken = $1.taken }
        case .picturePosition(let id): change(id) { $0.position = $1.position }
        case .pictureOrder: arrange(as: other)
        case .day, .time, .title, .text, .place: break
        }
    }

    /// Inserts a picture before the one that follows it in `other`; without that, at the end.
    private mutating func insert(_ picture: DraftPicture, as other: EntryDraft) {
        let following = other.pictures.drop { $0.id != picture.id }.dropFirst()
        let next = following.first { self.picture($0.id) != nil }
        let index = pictures.firstIndex { $0.id == next?.id }
        pictures.insert(picture, at: index ?? pictures.endIndex)
    }

    /// Gives the pictures that `other` has as well its order, and leaves the others where they are.
    private mutating func arrange(as other: EntryDraft) {
        let places = pictures.indices.filter { other.picture(pictures[$0].id) != nil }
        let arranged = other.common(with: self).compactMap { picture($0) }
        for (place, picture) in zip(places, arranged) { pictures[place] = picture }
    }

    func pictureText(of part: Part, in language: Language) -> String {
        func time(_ picture: DraftPicture?) -> String { picture?.taken.map { "\($0.day) \($0.time)" } ?? "" }
        func position(_ picture: DraftPicture?) -> String { picture?.position.map { language[$0.sight] } ?? "" }
        switch part {
        case .picture(let id):
            guard let picture = picture(id) else { return "" }
            let facts = [picture.text, time(picture), position(picture)].filter { !$0.isEmpty }
            return facts.isEmpty ? "▣" : "▣ \(facts.joined(separator: " · "))"
        case .pictureText(let id): return picture(id)?.text ?? ""
        case .pictureTime(let id): return time(picture(id))
        case .picturePosition(let id): return position(picture(id))
        case .pictureOrder, .day, .time, .title, .text, .place: return ""
        }
    }
}

extension EntryDraft.Part {
    /// The names before the ID of a picture. None is the beginning of another, followed by an ID.
    private static let names: [(prefix: String, part: @Sendable (TripImage.ID) -> Self)] = [
        ("picture-", { .picture($0) }), ("picture-text-", { .pictureText($0) }),
        ("picture-time-", { .pictureTime($0) }), ("picture-position-", { .picturePosition($0) }),
    ]
    private static let others: [Self] = [.day, .time, .title, .text, .place, .pictureOrder]

    public var name: String {
        switch self {
        case .day: "day"
        case .time: "time"
        case .title: "title"
        case .text: "text"
        case .place: "place"
        case .picture(let id): "picture-\(id)"
        case .pictureText(let id): "picture-text-\(id)"
        case .pictureTime(let id): "picture-time-\(id)"
        case .picturePosition(let id): "picture-position-\(id)"
        case .pictureOrder: "picture-order"
        }
    }

    public init?(name: some StringProtocol) {
        let parts = Self.names.lazy.filter { name.hasPrefix($0.prefix) }
            .compactMap { named in TripImage.ID(name.dropFirst(named.prefix.count)).map(named.part) }
        guard let part = parts.first ?? Self.others.first(where: { $0.name == name }) else { return nil }
        self = part
    }

    /// An order says nothing that is lost.
    public var isTold: Bool { self != .pictureOrder }

    public var picture: TripImage.ID? {
        switch self {
        case .picture(let id), .pictureText(let id), .pictureTime(let id), .picturePosition(let id): id
        case .day, .time, .title, .text, .place, .pictureOrder: nil
        }
    }
}

extension PicturePosition {
    fileprivate var sight: Text {
        switch self {
        case .shown: .positionIsShown
        case .mineOnly: .positionIsMine
        case .withheld: .positionIsWithheld
        }
    }
}

extension Text {
    static let picture = Text("Photo", "사진")
    static let textOfPicture = Text("Photo: what it shows", "사진 설명")
    static let timeOfPicture = Text("Photo: time", "사진 시각")
    static let positionOfPicture = Text("Photo: position", "사진 위치")
    fileprivate static let positionIsShown = Text("position shown", "위치 공개")
    fileprivate static let positionIsMine = Text("position only for you", "위치는 나만")
    fileprivate static let positionIsWithheld = Text("position withheld", "위치 비공개")
}
