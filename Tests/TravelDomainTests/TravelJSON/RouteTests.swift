import Foundation
import TestConcurrency
import Testing
import TravelDomainTesting
import TravelJSON

@Suite("Routes", .limitedConcurrency)
struct RouteTests {
    @Test("the path of a route has its argument, percent-encoded", arguments: Route.allCases)
    func targets(route: Route) {
        let parts = route.target("a/b %é?").split(separator: "/", omittingEmptySubsequences: false)
        let template = route.template.split(separator: "/", omittingEmptySubsequences: false)
        #expect(parts.count == template.count)
        for (part, expected) in zip(parts, template) {
            #expect(part == (expected.hasPrefix("{") ? "a%2Fb%20%25%C3%A9%3F" : expected))
        }
    }

    @Test("no two routes have the same method and path")
    func uniqueness() {
        #expect(Set(Route.allCases.map { "\($0.method) \($0.template)" }).count == Route.allCases.count)
    }

    @Test("every write needs a user, apart from signing in", arguments: Route.allCases)
    func writesNeedUsers(route: Route) {
        let opensSession: Set<Route> = [.signUp, .signIn, .refresh]
        if route.method != .get, !opensSession.contains(route) { #expect(route.access == .user) }
        if route.method == .get { #expect(route.body == .none) }
    }

    @Test("a generated search is read exactly from its query", arguments: 0..<200 as Range<UInt64>)
    func queries(seed: UInt64) throws {
        var samples = TripGenerator(seed: seed)
        let author = try samples.user()
        let criteria = samples.criteria()
        let trip = try samples.trip(by: [author])
        let viewed = try Trip(
            id: trip.id, author: author, content: trip.content, createdAt: trip.createdAt, likeCount: 3,
            isLiked: false, isMine: false)
        let query = try TripQuery(
            criteria, viewer: author.id, after: seed % 2 == 0 ? nil : TripCursor(after: viewed, in: criteria.sort),
            limit: Int(seed % 100) + 1)
        #expect(try TripQuery(text: query.text, viewer: author.id) == query)
    }

    @Test("a query without parts is the first page of all trips")
    func emptyQuery() throws {
        #expect(try TripQuery(text: "", viewer: nil) == TripQuery(TripCriteria(), viewer: nil))
    }

    @Test("a query with other parts is refused with its field")
    func wrongQueries() {
        func error(_ text: String) -> TravelError? {
            #expect(throws: TravelError.self) { try TripQuery(text: text, viewer: nil) }
        }
        #expect(error("after=yesterday") == .invalid(.init(.cursor, .malformed(expected: "the cursor of a page"))))
        #expect(error("limit=many") == .invalid(.init(.limit, .malformed(expected: "a whole number"))))
        #expect(error("limit=101") == .invalid(.init(.limit, .outOfRange("1…100"))))
        for text in ["region=atlantis", "limit=1&limit=2", "viewer=me", "&", "region"] {
            #expect(throws: TravelJSONError.self, "\(text)") { try TripQuery(text: text, viewer: nil) }
        }
    }

    @Test("an entity tag of a trip is about a number alone, or about the content of its version as well")
    func contentTags() throws {
        let trip = try TripBuilder(seed: 1).build()
        let digest = trip.contentDigest
        #expect(digest.utf8.count == 32)
        for (text, matches) in [
            ("1", true), ("1-.09ab", true), ("1-\(digest)", true), ("1-\(digest).09ab", true),
            ("1-\(digest).09ab-gzip", true), ("2", false), ("2-\(digest)", false), ("1-6f1c", false),
            ("1-6f1c.09ab", false),
        ] {
            #expect(try #require(TripTag("\"\(text)\"")).matches(trip) == matches, "\(text)")
        }
        let tag = TripTag(.first, content: digest)
        #expect(TripTag("\"\(tag.text(answer: "09ab"))\"") == tag)
    }

    @Test("the digest of a content is that of its JSON, without the version, the times and the name of the author")
    func contentDigests() throws {
        let trip = try TripBuilder(seed: 1).build()
        let read = try JSONCoding.value(
            RecordedTripRecord.self, in: JSONCoding.data(for: RecordedTripRecord(trip))
        ).trip
        #expect(read.contentDigest == trip.contentDigest)
        let renamed = try trip.with(author: User(id: trip.author.id, nickname: Nickname("Other")))
        #expect(renamed.contentDigest == trip.contentDigest)
        let next = try RecordedTrip(
            id: trip.id, author: trip.author, createdAt: trip.createdAt,
            updatedAt: trip.updatedAt.addingTimeInterval(60), version: trip.version.next, content: trip.content,
            timeline: trip.timeline)
        #expect(next.contentDigest == trip.contentDigest)
        var content = trip.content
        content.title = try Title("Another title")
        #expect(try trip.with(content).contentDigest != trip.contentDigest)
        // An older version of a device does not know the times of the track.
        let points = try (0..<2).map {
            TrackPoint(
                coordinate: try Coordinate(latitude: Double($0), longitude: 1), time: Date(timeIntervalSince1970: 0))
        }
        let track = try TrackGeometry(points: [points])
        let timed = try TripBuilder(seed: 1).with { $0.track = track }.build()
        let untimed = try TripBuilder(seed: 1).with { $0.track = track.withoutTimes }.build()
        #expect(timed.contentDigest == untimed.contentDigest && timed.contentDigest != trip.contentDigest)
    }

    @Test("the digest of a content leaves out positions that only the author sees, and no other part of a picture")
    func digestsOfPictures() throws {
        let (image, sea) = (TripImage.ID(seed: 7), try Coordinate(latitude: 35.1, longitude: 129.1))
        func digest(_ pictures: [Picture]) throws -> String {
            try TripBuilder(seed: 1).with { $0.timeline = [try TimelineEntry(seed: 1).with(pictures: pictures)] }
                .build().contentDigest
        }
        let bare = try digest([Picture(image)])
        #expect(try digest([Picture(image, position: .mineOnly(sea))]) == bare)
        #expect(try digest([Picture(image, position: .withheld)]) == bare)
        let taken = PhotoDate(day: try CalendarDay("2024-05-01"), time: try TimeOfDay(hour: 9))
        let others = try [
            [], [Picture(image, position: .shown(sea))], [Picture(image, text: try PictureText("sea"))],
            [Picture(image, taken: taken)], [Picture(image), Picture(.init(seed: 8))],
            [Picture(.init(seed: 8)), Picture(image)],
        ].map { try digest($0) }
        #expect(Set(others + [bare]).count == others.count + 1)
    }

    @Test("a version is read from its entity tag and from that of a trip")
    func entityTags() {
        for number in [1, 42, 1 << 62] {
            let version = TripVersion(number: number)
            #expect(version.flatMap { TripVersion(entityTag: $0.entityTag) } == version)
            #expect(TripVersion(entityTag: "\"\(number)-6f1c\"") == version)
        }
        for text in [
            "", "\"", "\"\"", "1", "\"0\"", "\"-1\"", "\"+1\"", "W/\"1\"", "*", "\"99999999999999999999\"",
            "\"1-6f1c\", \"2-6f1c\"",
        ] {
            #expect(TripVersion(entityTag: text) == nil, "\(text)")
        }
    }
}
