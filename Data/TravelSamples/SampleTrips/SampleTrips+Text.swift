#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

import TravelDomain

extension SampleTrips {
    /// Parses the trips in `text`: each has a header line that begins with `#`, followed by one line per entry.
    ///
    ///     # 202 | 2박3일 in 부산 | 2023-10-06 ~ 2023-10-08 | art mood | friends | 3 | from10to50 |
    ///       publicTransport | g | 2023-10-10 21:30 | abefhl
    ///     1 13:20 | 부산역 | 드디어 도착 | 광장에 내리자마자 짠내가 났다. 초량 밀면부터 먹고 시작.
    ///
    /// The header, here wrapped into two lines, has the number of the trip, from which its ID is derived; the title;
    /// the first and the last day, or one day; themes; companions; the number of travellers; budget; transportation;
    /// the letter of the author; the time of recording in Korea Standard Time; and the letters of those who like the
    /// trip. `-` marks a missing value. An entry has its day and time, the Korean name of a place in `places`, the
    /// title, and the text.
    ///
    /// - Throws: ``MalformedLine`` for the first malformed line.
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
            throw line.error("expected a day and a time; found '\(fields[0])'")
        }
        guard let known = places.place(named: fields[1]) else { throw line.error("unknown place '\(fields[1])'") }
        return try line.parse("entry") { () throws(TravelError) in
            try TimelineEntry(
                id: id, day: day, time: TimeOfDay(dayAndTime[1]), title: Title(fields[2]),
                text: EntryText(fields[3]), place: known.place)
        }
    }

    /// The trips of a region as text for ``trips(in:from:places:)``.
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
        case .abroad: ""
        }
    }
}
