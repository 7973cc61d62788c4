#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

import TravelDomain

extension SampleTrips {
    /// The trips written in `text`: for each a line that begins with `#`, then one line an entry.
    ///
    ///     # 202 | 2박3일 in 부산 | 2023-10-06 ~ 2023-10-08 | art mood | friends | 3 | from10to50 |
    ///       publicTransport | g | 2023-10-10 21:30 | abefhl
    ///     1 13:20 | 부산역 | 드디어 도착 | 광장에 내리자마자 짠내가 났다. 초량 밀면부터 먹고 시작.
    ///
    /// The first line, here in two, has the number of the trip, which is its identity; the title; the first and
    /// the last day, or one day; themes; companions; how many travelled; budget; transportation; the letter of
    /// the author; when it was recorded, in Korean time; and the letters of those who like it. `-` stands where
    /// there is nothing to tell. An entry has its day and time, a place of `places` by its Korean name, the title
    /// and the text.
    ///
    /// - Throws: ``MalformedLine`` for the first line that is not of this form.
    static func trips(in region: Region, from text: String, places: Gazetteer) throws(MalformedLine) -> [SampleTrip] {
        var trips: [SampleTrip] = []
        var lines = TextLine.lines(of: text)[...]
        while let line = lines.popFirst() {
            let header = try Header(line, region: region)
            var timeline: [TimelineEntry] = []
            while let line = lines.first, !line.text.hasPrefix("#") {
                lines.removeFirst()
                let id = entryID(trip: header.number, position: timeline.count + 1)
                timeline.append(try entry(line, id: id, places: places))
            }
            trips.append(
                SampleTrip(
                    travel: try line.parse("trip") { () throws(TravelError) in
                        try RecordedTravel(
                            id: travelID(header.number), author: header.author, createdAt: header.createdAt,
                            content: header.content, timeline: timeline)
                    },
                    likedBy: header.likedBy))
        }
        return trips
    }

    private static func entry(
        _ line: TextLine, id: TimelineEntry.ID, places: Gazetteer
    ) throws(MalformedLine) -> TimelineEntry {
        let fields = try line.fields(4)
        let dayAndTime = fields[0].split(separator: " ")
        guard dayAndTime.count == 2, let day = Int(dayAndTime[0]) else {
            throw line.error("not a day and a time: \(fields[0])")
        }
        guard let known = places.place(named: fields[1]) else { throw line.error("no known place: \(fields[1])") }
        return try line.parse("entry") { () throws(TravelError) in
            try TimelineEntry(
                id: id, day: day, time: TimeOfDay(dayAndTime[1]), title: Title(fields[2]),
                text: EntryText(fields[3]), place: known.place)
        }
    }

    /// The trips of a region, in the form that ``trips(in:from:places:)`` reads.
    static func text(of region: Region) -> String {
        switch region {
        case .seoul: seoul
        case .busan: busan
        case .daegu: daegu
        case .incheon: incheon
        case .gwangju: gwangju
        case .daejeon: daejeon
        case .ulsan: ulsan
        case .sejong: sejong
        case .gyeonggi: gyeonggi
        case .gangwon: gangwon
        case .chungbuk: chungbuk
        case .chungnam: chungnam
        case .jeonbuk: jeonbuk
        case .jeonnam: jeonnam
        case .gyeongbuk: gyeongbuk
        case .gyeongnam: gyeongnam
        case .jeju: jeju
        }
    }
}
