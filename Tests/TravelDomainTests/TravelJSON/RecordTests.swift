import Foundation
import TestConcurrency
import Testing
import TravelDomainTesting
import TravelJSON

@Suite("Records of trips and users", .limitedConcurrency)
struct RecordTests {
    /// The value that is read from the JSON of `value`, after a check that its bytes are written again.
    private func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
        let data = try JSONCoding.data(for: value)
        let read = try JSONCoding.value(Value.self, in: data)
        #expect(try JSONCoding.data(for: read) == data)
        // Files are written by an encoder of Foundation, from the same members.
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(try encoder.encode(value) == data)
        return read
    }

    /// All texts as scalars: `==` of text does not see whether accents are composed.
    private func scalars(_ trip: RecordedTrip) -> [[Unicode.Scalar]] {
        let texts = trip.timeline.flatMap {
            [$0.title.text, $0.text.text, $0.place?.name ?? "", $0.place?.address ?? ""]
        }
        return ([trip.content.title.text, trip.author.nickname.text] + texts).map { Array($0.unicodeScalars) }
    }

    private static let seeds: [UInt64] = Array(0..<60)

    @Test(
        "the pictures of an entry are read exactly as they were written, and its first image is named for older readers"
    )
    func pictures() throws {
        var samples = TripGenerator(seed: 3)
        let pictures = try (0..<30).map { try samples.picture(.init(seed: $0)) }
        var withheld = pictures[0]
        withheld.position = .withheld
        for pictures in [[], [Picture(.init(seed: 1))], pictures, [withheld]] {
            let entry = try TimelineEntry(seed: 1).with(pictures: pictures)
            #expect(try roundTrip(EntryRecord(entry)).entry == entry)
            let text = String(decoding: try JSONCoding.data(for: EntryRecord(entry)), as: UTF8.self)
            #expect(text.contains("\"pictures\"") == !pictures.isEmpty)
            if let first = pictures.first { #expect(text.contains("\"image\":\"\(first.id)\"")) }
        }
    }

    @Test("an entry of an older writer has the one picture that it names")
    func olderEntries() throws {
        let entry = try TimelineEntry(seed: 1, image: .init(seed: 5))
        let text = String(decoding: try JSONCoding.data(for: EntryRecord(entry)), as: UTF8.self)
        let older = text.replacing(/"pictures":\[[^\]]*\],/, with: "")
        try #require(older != text)
        #expect(try JSONCoding.value(EntryRecord.self, in: Data(older.utf8)).entry == entry)
    }

    @Test(
        "a picture that breaks a rule is refused with its place",
        arguments: [
            (#"{"image":"x"}"#, "pictures[0].image"), ("{}", "pictures[0]"),
            (#"{"image":"ID","text":""}"#, "pictures[0].text"),
            (#"{"image":"ID","takenOn":"2024-13-01","takenAt":"09:00"}"#, "pictures[0].takenOn"),
            (#"{"image":"ID","takenOn":"2024-05-01"}"#, "pictures[0]"),
            (#"{"image":"ID","takenOn":"2024-05-01","takenAt":"09:00","utcOffset":841}"#, "pictures[0].utcOffset"),
            (#"{"image":"ID","position":"shown"}"#, "pictures[0]"),
            (#"{"image":"ID","position":"shown","latitude":91,"longitude":0}"#, "pictures[0].latitude"),
            (#"{"image":"ID","position":"everywhere"}"#, "pictures[0].position"),
            (#"{"image":"ID"},{"image":"ID"}"#, "day"),
        ])
    func refusedPictures(text: String, place: String) throws {
        let entry = try TimelineEntry(seed: 1, image: .init(seed: 5))
        let valid = String(decoding: try JSONCoding.data(for: EntryRecord(entry)), as: UTF8.self)
        let pictures = text.replacing("ID", with: "\(TripImage.ID(seed: 5))")
        let changed = valid.replacing(/"pictures":\[[^\]]*\]/, with: "\"pictures\":[\(pictures)]")
        try #require(changed != valid)
        #expect {
            try JSONCoding.value(EntryRecord.self, in: Data(changed.utf8))
        } throws: { error in
            (error as? TravelJSONError)?.path?.hasPrefix(place) ?? false
        }
    }

    @Test("a generated trip is read exactly as it was written", arguments: seeds)
    func generatedTrips(seed: UInt64) throws {
        var samples = TripGenerator(seed: seed)
        let author = try samples.user()
        let trip = try samples.trip(by: [User(id: author.id, nickname: author.nickname, avatar: .init(seed: seed))])
        let read = try roundTrip(RecordedTripRecord(trip)).trip
        #expect(read == trip)
        #expect(read.author.avatar == TripImage.ID(seed: seed))
        #expect(scalars(read) == scalars(trip))
        #expect(bits(read.createdAt) == bits(trip.createdAt))

        let viewed = try Trip(
            id: trip.id, author: trip.author, content: trip.content, createdAt: trip.createdAt,
            updatedAt: trip.createdAt + 0.1, version: #require(TripVersion(number: 1 << 62)),
            likeCount: Int(seed), isLiked: seed.isMultiple(of: 2), isMine: seed.isMultiple(of: 3),
            thumbnail: seed.isMultiple(of: 5) ? nil : TripImage.ID(seed: seed))
        #expect(try roundTrip(ViewedTripRecord(viewed)).trip == viewed)
        let details = TripDetails(trip: viewed, timeline: trip.timeline, track: trip.track)
        #expect(try roundTrip(DetailsRecord(details)).details == details)
        for sort in TripSort.allCases {
            for rank in TripMatch.Rank.allCases {
                let entry = rank == .entry ? trip.timeline.first.map { [viewed.id: MatchedEntry($0)] } : nil
                let page = TripPage(
                    trips: [viewed], matchedEntries: entry ?? [:],
                    next: TripCursor(after: viewed, in: sort, rank: rank))
                #expect(try roundTrip(PageRecord(page)).page == page)
            }
        }
        #expect(try roundTrip(trip.timeline.map(EntryRecord.init)).map(\.entry) == trip.timeline)
        #expect(try roundTrip(trip.track.map(TrackRecord.init))?.track == trip.track?.withoutTimes)
    }

    private func bits(_ date: Date) -> UInt64 { date.timeIntervalSinceReferenceDate.bitPattern }

    @Test("an extreme time and text is read exactly")
    func extremes() throws {
        for time in [-0.1, 1e300, -1e300, .infinity, -.infinity, 0, .leastNonzeroMagnitude, 757_382_400.1.nextUp] {
            var builder = try TripBuilder(seed: 1)
            builder.createdAt = Date(timeIntervalSinceReferenceDate: time)
            builder.title = "\"\\/\u{301} 각 cafe\u{301} \u{1F468}\u{200D}\u{1F469} </script>"
            let trip = try builder.build()
            let read = try roundTrip(RecordedTripRecord(trip)).trip
            #expect(read == trip)
            #expect(scalars(read) == scalars(trip))
            #expect(bits(read.createdAt) == bits(trip.createdAt))
        }
        let last = TripPage(trips: [], next: nil)
        #expect(try roundTrip(PageRecord(last)).page == last)
    }

    @Test("a page of an earlier server is found by titles, and an earlier reader sees the results end at an entry")
    func earlierPages() throws {
        let trip = try TripBuilder(seed: 1).build()
        let viewed = try Trip(
            id: trip.id, author: trip.author, content: trip.content, createdAt: trip.createdAt, likeCount: 0,
            isLiked: false, isMine: false)
        func text(_ page: TripPage) throws -> String {
            String(decoding: try JSONCoding.data(for: PageRecord(page)), as: UTF8.self)
        }
        let titled = TripPage(trips: [viewed], next: TripCursor(after: viewed, in: .newest))
        #expect(try text(titled).contains("\"next\":\"newest."))
        #expect(try !text(titled).contains("ntry\""))
        let entry = MatchedEntry(id: .init(seed: 1), day: 2, title: try Title("등대"), placeName: nil)
        let found = TripPage(
            trips: [viewed], matchedEntries: [viewed.id: entry],
            next: TripCursor(after: viewed, in: .newest, rank: .entry))
        #expect(try text(found).contains("\"nextEntry\":\"entry.newest."))
        #expect(try !text(found).contains("\"next\":"))
    }

    @Test("a file holds no picture of the author, and only versions that every reader of JSON has")
    func files() throws {
        var builder = try TripBuilder(
            seed: 1, author: User(id: .init(seed: 1), nickname: Nickname("Mina"), avatar: .init(seed: 9)))
        builder.version = try #require(TripVersion(number: 1 << 53))
        let data = try JSONCoding.data(for: RecordedTripRecord(builder.build(), as: .file))
        #expect(!String(decoding: data, as: UTF8.self).contains("avatar"))
        #expect(try JSONCoding.value(RecordedTripRecord.self, in: data).trip.version.number == 1 << 53)
        struct FileRecord: Decodable {
            init(from decoder: any Decoder) throws { _ = try RecordedTripRecord(from: decoder, as: .file) }
        }
        #expect(
            throws: TravelJSONError(.unexpected(expected: "a whole number from 1 to 9007199254740991"), at: "version")
        ) {
            _ = try JSONCoding.value(FileRecord.self, in: data)
        }
    }

    /// A trip as JSON, in which one text was replaced by another.
    private func changed(_ text: String, _ replacement: String) throws -> Data {
        let trip = try TripBuilder(seed: 1).with {
            $0.timeline = [
                try TimelineEntry(
                    seed: 1, title: "해운대", text: "파도",
                    place: Place(name: "바다", coordinate: Coordinate(latitude: 35.5, longitude: 129)))
            ]
            $0.track = try TrackGeometry([
                [Coordinate(latitude: 1, longitude: 2), Coordinate(latitude: 3, longitude: 4)]
            ])
        }.build()
        let json = String(decoding: try JSONCoding.data(for: RecordedTripRecord(trip)), as: UTF8.self)
        let changed = json.replacingOccurrences(of: text, with: replacement)
        try #require(changed != json)
        return Data(changed.utf8)
    }

    @Test("the numbers of a track are decimals, and whole numbers have all of their digits")
    func decimals() throws {
        let path = try [(-90, -0.000_001, -0.1), (0.000_001, 179.999_999, 15_000), (10.5, -180, -0.0)].map {
            TrackPoint(coordinate: try Coordinate(latitude: $0, longitude: $1), elevation: $2)
        }
        let track = try TrackGeometry(points: [path])
        let text = "[[[-0.000001,-90,-0.1],[179.999999,0.000001,15000],[-180,10.5,0]]]"
        let data = try JSONCoding.data(for: TrackRecord(track))
        #expect(String(decoding: data, as: UTF8.self) == text)
        #expect(try JSONCoding.value(TrackRecord.self, in: data).track == track)
        let numbers = [0, 7, -10, 1_000_000, .max, .min]
        let list = numbers.map { "\($0)" }.joined(separator: ",")
        #expect(String(decoding: try JSONCoding.data(for: numbers), as: UTF8.self) == "[\(list)]")
    }

    @Test("a position of a track has its elevation as a third number")
    func elevations() throws {
        let path = try [(35.5, 129, 12.5), (36, 130, 100)].map { latitude, longitude, elevation in
            TrackPoint(coordinate: try Coordinate(latitude: latitude, longitude: longitude), elevation: elevation)
        }
        let track = try TrackGeometry(points: [path, path.map { TrackPoint(coordinate: $0.coordinate) }])
        #expect(try roundTrip(TrackRecord(track)).track == track)
        let text = "[[[129,35.5,12.5],[130,36,100]],[[129,35.5],[130,36]]]"
        #expect(String(decoding: try JSONCoding.data(for: TrackRecord(track)), as: UTF8.self) == text)
        let absurd = Data("[[[129,35.5,1e9],[130,36,-32768]]]".utf8)
        #expect(try JSONCoding.value(TrackRecord.self, in: absurd).track.elevations == [[]])
    }

    @Test("the times of a track are a member of their own, which older versions ignore")
    func trackTimes() throws {
        let path = try [0, 7, 15.25].map {
            TrackPoint(
                coordinate: try Coordinate(latitude: $0, longitude: 1),
                time: Date(timeIntervalSince1970: 1_714_521_600 + $0))
        }
        let track = try TrackGeometry(points: [path, path.map { TrackPoint(coordinate: $0.coordinate) }])
        let trip = try TripBuilder(seed: 1).with { $0.track = track }.build()
        let text = String(decoding: try JSONCoding.data(for: RecordedTripRecord(trip)), as: UTF8.self)
        #expect(
            text.contains(
                "\"track\":[[[1,0],[1,7],[1,15.25]],[[1,0],[1,7],[1,15.25]]],\"trackTimes\":[[1714521600,7,8.25],[]],"))
        #expect(try roundTrip(RecordedTripRecord(trip)).trip == trip)
        let old = text.replacingOccurrences(of: "\"trackTimes\":[[1714521600,7,8.25],[]],", with: "")
        #expect(try JSONCoding.value(RecordedTripRecord.self, in: Data(old.utf8)).trip.track == track.withoutTimes)
        for (times, path) in [
            ("[[1,2,3]]", "trackTimes"), ("[[1,2],[]]", "trackTimes"), ("[[1,2,9e11],[]]", "trackTimes"),
            ("[[1,2,1e300],[]]", "trackTimes"), ("[[1,2,null],[]]", "trackTimes[0][2]"), ("7", "trackTimes"),
        ] {
            let data = Data(text.replacingOccurrences(of: "[[1714521600,7,8.25],[]]", with: times).utf8)
            let error = #expect(throws: TravelJSONError.self, "\(times)") {
                try JSONCoding.value(RecordedTripRecord.self, in: data)
            }
            #expect(error?.path == path, "\(times)")
        }
    }

    @Test("the segments of a track are read up to the first one that is refused", arguments: ["[]", "[[129,35.5]]"])
    func refusedSegments(segment: String) throws {
        let data = Data("[\(segment),[[129,\"no latitude\"]]]".utf8)
        let error = #expect(throws: TravelJSONError.self) { try JSONCoding.value(TrackRecord.self, in: data) }
        #expect(error?.problem == .invalid(.init(.track, .empty)))
    }

    @Test("a text that a store had accepted before sizes were limited is read, and not accepted again")
    func storedTexts() throws {
        let large = "e" + String(repeating: "\u{301}\u{316}", count: 2_000)
        let user = User(id: User.ID(seed: 1), nickname: try Nickname(stored: large + "a"))
        let place = try Place(storedName: large, address: large, coordinate: nil)
        let entry = try TimelineEntry(
            day: 1, time: TimeOfDay("09:30"), title: Title(stored: large), text: EntryText(stored: large), place: place)
        let content = TripContent(
            title: try Title(stored: large), region: .jeju,
            days: try DayRange(CalendarDay("2025-05-01"), through: CalendarDay("2025-05-02")))
        let trip = try RecordedTrip(
            author: user, createdAt: Date(timeIntervalSinceReferenceDate: 0), content: content, timeline: [entry])
        let data = try JSONCoding.data(for: RecordedTripRecord(trip))
        #expect(try JSONCoding.value(RecordedTripRecord.self, in: data, isStored: true).trip == trip)
        #expect(throws: TravelJSONError.self) { try JSONCoding.value(RecordedTripRecord.self, in: data) }
        let author = try JSONCoding.data(for: UserRecord(user))
        let violation = Violation(.nickname, .tooLarge(maximumBytes: 2_048))
        #expect(throws: TravelJSONError(.invalid(violation), at: "nickname")) {
            try JSONCoding.value(UserRecord.self, in: author)
        }
    }

    @Test("the interface has the audience with its key, and a trip without one is public and keeps what the server has")
    func audiences() throws {
        for audience in [Audience.onlyMe, .byLink(LinkKey()), .everyone] {
            let trip = try TripBuilder(seed: 1).with { $0.audience = audience }.build()
            let read = try roundTrip(RecordedTripRecord(trip))
            #expect(read.trip == trip && read.hasAudience)
        }
        let earlier = try changed("\"audience\":\"everyone\",", "")
        let read = try JSONCoding.value(RecordedTripRecord.self, in: earlier)
        #expect(read.trip.content.audience == .everyone && !read.hasAudience)
    }

    @Test("a trip says whether its writer knows of several pictures an entry, by its pictures or by its audience")
    func knowledgeOfPictures() throws {
        for images in [[], [TripImage.ID(seed: 1)], [TripImage.ID(seed: 1), .init(seed: 2)]] {
            let trip = try TripBuilder(seed: 1).with {
                $0.timeline = [
                    try TimelineEntry(seed: 1, title: "a", text: "b").with(pictures: images.map { Picture($0) })
                ]
            }.build()
            #expect(try roundTrip(RecordedTripRecord(trip)).hasPictures)
            var object = try #require(
                JSONSerialization.jsonObject(with: JSONCoding.data(for: RecordedTripRecord(trip))) as? [String: Any])
            func read() throws -> RecordedTripRecord {
                try JSONCoding.value(
                    RecordedTripRecord.self, in: JSONSerialization.data(withJSONObject: object))
            }
            object["audience"] = nil
            #expect(try read().hasPictures == !images.isEmpty)
            var entry = try #require((object["timeline"] as? [[String: Any]])?.first)
            entry["pictures"] = nil
            object["timeline"] = [entry]
            let earlier = try read()
            #expect(!earlier.hasPictures)
            #expect(earlier.trip.timeline.flatMap(\.pictures) == images.prefix(1).map { Picture($0) })
        }
    }

    @Test("a file has no key: a trip that is shared by link is its author's alone there, as one of an earlier file is")
    func audiencesOfFiles() throws {
        struct FileRecord: Decodable {
            let audience: Audience
            init(from decoder: any Decoder) throws {
                audience = try RecordedTripRecord(from: decoder, as: .file).trip.content.audience
            }
        }
        func read(_ data: Data) throws -> Audience {
            let record: FileRecord = try JSONCoding.value(FileRecord.self, in: data)
            return record.audience
        }
        let key = LinkKey()
        for (audience, kept) in [(Audience.onlyMe, Audience.onlyMe), (.byLink(key), .onlyMe), (.everyone, .everyone)] {
            let trip = try TripBuilder(seed: 1).with { $0.audience = audience }.build()
            let data = try JSONCoding.data(for: RecordedTripRecord(trip, as: .file))
            #expect(!String(decoding: data, as: UTF8.self).contains(key.text))
            #expect(try read(data) == kept)
        }
        #expect(try read(changed("\"audience\":\"everyone\",", "")) == .onlyMe)
    }

    @Test("digests of public trips are those of programs that do not know of audiences, and tell audiences apart")
    func digestsOfAudiences() throws {
        let key = LinkKey()
        let digests = try [Audience.onlyMe, .byLink(key), .byLink(LinkKey()), .everyone].map { audience in
            try TripBuilder(seed: 1).with { $0.audience = audience }.build().contentDigest
        }
        #expect(Set(digests).count == 4)
        #expect(digests[3] == "e85ad112246bbaeece37cf82670289a1")
    }

    @Test("an audience that nobody has is refused with its place")
    func malformedAudiences() throws {
        for text in ["", "link", "link:", "link:abc", "link:AAAAAAAAAAAAAAAAAAAAAB", "Everyone", "public"] {
            let data = try changed("\"audience\":\"everyone\"", "\"audience\":\"\(text)\"")
            #expect(throws: TravelJSONError.self, "\(text)") {
                _ = try JSONCoding.value(RecordedTripRecord.self, in: data)
            }
        }
    }

    @Test("unknown keys are ignored")
    func unknownKeys() throws {
        let data = try changed("{\"audience\"", "{\"another\":[{}],\"audience\"")
        #expect(try JSONCoding.value(RecordedTripRecord.self, in: data).trip.id == Trip.ID(seed: 1))
    }

    @Test(
        "a value that the domain does not have is refused with its path",
        arguments: [
            ("\"day\":1", "\"day\":2", "timeline: The day is out of range: a day of the trip, 1…1."),
            ("\"day\":1", "\"day\":0", "timeline[0].day: The day is out of range: a day of the trip, starting at 1."),
            ("\"day\":1", "\"day\":1.5", "The text is not JSON, or has a number of the wrong kind."),
            ("\"day\":1,", "", "timeline[0]: The value \"day\" is missing."),
            ("\"09:00\"", "\"9\"", "timeline[0].time: The time of day is not a time such as 09:30."),
            ("\"해운대\"", "7", "timeline[0].title: The value is not text in quotation marks."),
            ("\"해운대\"", "\"\"", "timeline[0].title: The title needs at least 1 character."),
            (
                "35.5", "95",
                "timeline[0].place: The coordinate is out of range: latitude -90…90, longitude -180…180."
            ),
            ("35.5", "null", "timeline[0].place.latitude: The value is not a number."),
            ("[2,1]", "[2,91]", "track[0][0]: The coordinate is out of range: latitude -90…90, longitude -180…180."),
            ("[[[2,1],[4,3]]]", "[[[2,1]]]", "track: The track is empty."),
            (
                "\"lastDay\":\"2024", "\"lastDay\":\"2023",
                "lastDay: The dates are in the wrong order: the last day is before the first."
            ),
            (
                "\"themes\":[]", "\"themes\":[\"sleep\"]",
                "themes: The value is not one of healing, activity, camping, food, art, mood, nature, shopping, familyDuty."
            ),
            (
                "\"nickname\":\"Person 1\"", "\"nickname\":\"P\"",
                "author.nickname: The nickname needs at least 2 characters."
            ),
            ("\"author\"", "\"editor\"", "The value \"author\" is missing."),
            (
                "\"version\":1", "\"version\":0",
                "version: The value is not a whole number from 1 to 4611686018427387904."
            ),
            (
                "\"createdAt\":\"20", "\"createdAt\":\"on 20",
                "createdAt: The value is not a time such as 2024-05-01T09:30:00Z."
            ),
            ("{", "[", "The text is not JSON, or has a number of the wrong kind."),
        ])
    func refused(text: String, replacement: String, description: String) throws {
        let data = try changed(text, replacement)
        let error = #expect(throws: TravelJSONError.self) { try JSONCoding.value(RecordedTripRecord.self, in: data) }
        #expect(error?.description == description)
    }

    @Test("an entry that occurs twice is refused")
    func duplicates() throws {
        let id = TimelineEntry.ID(seed: 1).description
        let data = try changed(
            "\"timeline\":[",
            "\"timeline\":[{\"id\":\"\(id)\",\"day\":1,\"time\":\"01:00\",\"title\":\"a\",\"text\":\"b\"},")
        #expect(throws: TravelJSONError(.duplicate(id), at: "timeline")) {
            try JSONCoding.value(RecordedTripRecord.self, in: data)
        }
    }

    @Test("nesting of any depth is refused", arguments: [600, 1_000_000])
    func depth(depth: Int) {
        let data = Data(("{\"themes\":" + String(repeating: "[", count: depth)).utf8)
        #expect(throws: TravelJSONError(.malformed)) { try JSONCoding.value(RecordedTripRecord.self, in: data) }
    }
}
