import Foundation

/// A travel without its timeline as JSON holds it.
struct TravelRecord: Codable {
    let id: Travel.ID
    let author: User
    let createdAt: Date
    let updatedAt: Date
    let version: TravelVersion
    let content: TravelContent

    private enum Key: String, CodingKey {
        case id, author, createdAt, updatedAt, version, title, region, firstDay, lastDay, themes, companions, headcount,
            budget
        case transportation, thumbnail
    }

    private enum AuthorKey: String, CodingKey { case id, nickname }

    /// The record of `travel`; a file without images leaves the chosen image out.
    init(_ travel: RecordedTravel, withThumbnail: Bool) {
        id = travel.id
        author = travel.author
        createdAt = travel.createdAt
        updatedAt = travel.updatedAt
        version = travel.version
        var content = travel.content
        if !withThumbnail { content.thumbnail = nil }
        self.content = content
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let author = try values.nestedContainer(keyedBy: AuthorKey.self, forKey: .author)
        id = try values.id(.id)
        self.author = User(
            id: try author.id(.id),
            nickname: try author.value(.nickname, as: String.self) { text throws(TravelError) in try Nickname(text) })
        createdAt = try values.date(.createdAt)
        updatedAt = try values.contains(.updatedAt) ? values.date(.updatedAt) : createdAt
        version = try values.version(.version)
        let first = try values.value(.firstDay, as: String.self) { text throws(TravelError) in try CalendarDay(text) }
        let last = try values.value(.lastDay, as: String.self) { text throws(TravelError) in try CalendarDay(text) }
        content = TravelContent(
            title: try values.value(.title, as: String.self) { text throws(TravelError) in try Title(text) },
            region: try values.choice(.region),
            days: try values.checked(.lastDay) { () throws(TravelError) in try DayRange(first, through: last) },
            themes: try values.choices(.themes), companions: try values.choices(.companions),
            headcount: try values.optionalChoice(.headcount), budget: try values.optionalChoice(.budget),
            transportation: try values.optionalChoice(.transportation), thumbnail: try values.optionalID(.thumbnail))
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        var author = values.nestedContainer(keyedBy: AuthorKey.self, forKey: .author)
        try author.encode(self.author.id.description, forKey: .id)
        try author.encode(self.author.nickname.text, forKey: .nickname)
        try values.encode(id.description, forKey: .id)
        try values.encode(ExactTime.text(for: createdAt), forKey: .createdAt)
        try values.encode(ExactTime.text(for: updatedAt), forKey: .updatedAt)
        try values.encode(version.number, forKey: .version)
        try values.encode(content.title.text, forKey: .title)
        try values.encode(content.region.rawValue, forKey: .region)
        try values.encode(content.days.first.description, forKey: .firstDay)
        try values.encode(content.days.last.description, forKey: .lastDay)
        try values.encode(content.themes.map(\.rawValue).sorted(), forKey: .themes)
        try values.encode(content.companions.map(\.rawValue).sorted(), forKey: .companions)
        try values.encodeIfPresent(content.headcount?.rawValue, forKey: .headcount)
        try values.encodeIfPresent(content.budget?.rawValue, forKey: .budget)
        try values.encodeIfPresent(content.transportation?.rawValue, forKey: .transportation)
        try values.encodeIfPresent(content.thumbnail?.description, forKey: .thumbnail)
    }

    /// The travel with that timeline and track.
    func travel(_ timeline: [TimelineEntry], track: TrackGeometry?) throws(TravelError) -> RecordedTravel {
        try RecordedTravel(
            id: id, author: author, createdAt: createdAt, updatedAt: updatedAt, version: version, content: content,
            timeline: timeline, track: track)
    }
}
