import Foundation
import TestConcurrency
import Testing
import TravelDomain
import TravelDomainTesting
import TravelFileSamples
import TravelTexts

@testable import TravelPages

@Suite("List of trips", .limitedConcurrency)
struct TripListPageTests {
    static let site = PageSite(base: "/log")

    static func trip(
        _ seed: UInt64, title: String = "부산 밤바다", likes: Int = 0, thumbnail: TripImage.ID? = nil
    ) throws -> Trip {
        let recorded = try TripBuilder(seed: seed).with { $0.title = title }.build()
        return try Trip(
            id: recorded.id, author: recorded.author, content: recorded.content, createdAt: recorded.createdAt,
            likeCount: likes, isLiked: false, isMine: false, thumbnail: thumbnail)
    }

    private func page(
        _ trips: [Trip], next: TripCursor? = nil, _ query: TripListQuery = TripListQuery(),
        in language: Language = .english
    ) -> CheckedXML {
        CheckedXML(
            TripListPage(language: language, on: Self.site)
                .data(for: TripPage(trips: trips, next: next), query))
    }

    @Test("the list shows each trip with its cover, title, region, dates, author and likes")
    func items() throws {
        let cover = TripImage.ID(seed: 7)
        let trips = try [Self.trip(1, likes: 1, thumbnail: cover), Self.trip(2, title: "제주", likes: 12)]
        let page = page(trips)
        #expect(page.defects { $0.hasPrefix("/log/") } == [])
        #expect(page.all("h2").map(\.text) == ["부산 밤바다", "제주"])
        #expect(page.all("img").map { $0.attributes["src"] } == ["/log/images/\(cover)?size=small"])
        #expect(page.all("li").count == 2)
        let addresses = page.all("a").compactMap { $0.attributes["href"] }
        #expect(addresses == trips.map { "/log/trips/\($0.id)" })
        let texts = page.all("li")[0].text
        #expect(texts.contains("Seoul · Wed, 1 May 2024"))
        #expect(texts.contains("\(trips[0].author.nickname) · 1 like") && page.all("li")[1].text.contains("12 likes"))
        #expect(self.page(trips, in: .korean).all("li")[1].text.contains("좋아요 12개"))
    }

    @Test("the entry by which a search found a trip is below its title, as it was written")
    func matchedEntries() throws {
        let trips = try [Self.trip(1), Self.trip(2, title: "제주")]
        let entry = MatchedEntry(
            id: TimelineEntry.ID(seed: 1), day: 2, title: try Title("<b>점심</b>"), placeName: "등대 & 식당")
        let found = TripPage(trips: trips, matchedEntries: [trips[1].id: entry], next: nil)
        for (language, text) in [
            (Language.english, "Day 2 · <b>점심</b> · 등대 & 식당"), (.korean, "2일차 · <b>점심</b> · 등대 & 식당"),
        ] {
            let page = CheckedXML(
                TripListPage(language: language, on: Self.site)
                    .data(for: found, TripListQuery(TripCriteria(keyword: Keyword("점심")))))
            #expect(page.defects { $0.hasPrefix("/log/") } == [])
            #expect(page.all("li")[1].text.contains(text) && !page.all("li")[0].text.contains("점심"))
        }
        let next = TripCursor(after: trips[1], in: .newest, rank: .entry)
        #expect(TripListQuery("keyword=등대&after=\(next.text)")?.cursor == next)
        #expect(TripListQuery("after=\(next.text)") == nil, "only a keyword finds entries")
    }

    @Test("the form has the keyword, every filter and the order, with what is chosen")
    func form() throws {
        let criteria = TripCriteria(
            keyword: Keyword("바다"), regions: [.busan, .jeju], seasons: [.summer], headcount: .two,
            author: User.ID(seed: 3),
            sort: .mostLiked)
        let page = page([], TripListQuery(criteria))
        #expect(page.defects { $0.hasPrefix("/log/") } == [])
        #expect(page.all("form").map { $0.attributes["action"] } == ["/log/"])
        #expect(page.all("form").map { $0.attributes["method"] } == ["get"])
        let fields = Set((page.all("input") + page.all("select")).compactMap { $0.attributes["name"] })
        #expect(fields == Set(FilterKind.allCases.map(\.rawValue)).union(["keyword", "sort", "author"]))
        let values = page.elements.filter { $0.attributes["checked"] != nil || $0.attributes["selected"] != nil }
            .compactMap { $0.attributes["value"] }
        let ofOne = FilterKind.allCases.filter { !$0.allowsSeveral }.map { $0 == .headcount ? "2" : "" }
        #expect(values == ["mostLiked", "busan", "jeju", "summer"] + ofOne)
        #expect(page.all("input").first?.attributes["value"] == "바다")
        #expect(page.all("li").map(\.text) == ["Busan", "Jeju", "Summer", "2 people"])
        #expect(page.all("title").first?.text == "바다 – Trips")
        #expect(page.all("p").first?.text == "No trips found.")
        #expect(self.page([]).all("li").isEmpty)
    }

    @Test("what the form sends is what its criteria were", arguments: 0..<50 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func some<Value: CaseIterable>(_ type: Value.Type) -> [Value] {
            Value.allCases.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
        }
        let keywords = ["바다", "50% & more", "a=b+c", "\"><script>", "a,b", "#?/", nil]
        let criteria = TripCriteria(
            keyword: keywords.randomElement(using: &random)?.flatMap { Keyword($0) }, regions: Set(some(Region.self)),
            themes: Set(some(Theme.self)), companions: Set(some(Companion.self)), seasons: Set(some(Season.self)),
            period: some(Period.self).first, headcount: some(Headcount.self).first, budget: some(Budget.self).first,
            transportation: some(Transportation.self).first,
            sort: TripSort.allCases.randomElement(using: &random) ?? .newest)
        let query = TripListQuery(criteria)
        #expect(TripListQuery(query.text) == query)
        // As a browser sends the form: every successful control in order, encoded with + for blanks.
        var controls: [(String, String)] = []
        var select = ""
        for element in page([], query).elements {
            switch element.name {
            case "input" where element.attributes["type"] != "checkbox" || element.attributes["checked"] != nil:
                controls.append((element.attributes["name"] ?? "", element.attributes["value"] ?? ""))
            case "select": select = element.attributes["name"] ?? ""
            case "option" where element.attributes["selected"] != nil:
                controls.append((select, element.attributes["value"] ?? ""))
            default: break
            }
        }
        let sent = controls.map { name, value in
            let allowed = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "\u{0}"..."\u{7F}"))
                .union(CharacterSet(charactersIn: "*-._ "))
            let encoded = value.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
            return name + "=" + encoded.replacingOccurrences(of: " ", with: "+")
        }.joined(separator: "&")
        #expect(TripListQuery(sent)?.criteria == criteria, "\(sent)")
    }

    @Test("pages link to the next, and back to the ones before as far as the first")
    func pages() throws {
        let criteria = TripCriteria(regions: [.busan])
        let cursors = try (0..<30 as Range<UInt64>).map { try TripCursor(after: Self.trip($0), in: .newest) }
        var queries = [TripListQuery(criteria)]
        for cursor in cursors {
            let trips = try [Self.trip(99)]
            let links = page(trips, next: cursor, queries[queries.count - 1]).all("a")
            let next = try #require(links.first { $0.attributes["rel"] == "next" }?.attributes["href"])
            #expect(next.hasPrefix("/log/?region=busan&after="))
            let query = try #require(TripListQuery(next.split(separator: "?")[1]))
            #expect(query.cursor == cursor && query.criteria == criteria)
            let previous = page(trips, query).all("a").first { $0.attributes["rel"] == "prev" }?.attributes["href"]
            let back = try #require(TripListQuery(previous?.split(separator: "?").last ?? ""))
            #expect(back.cursor == queries[queries.count - 1].cursor)
            queries.append(query)
        }
        #expect(queries[30].text.utf8.count < 2_000)
        #expect(page([], TripListQuery(criteria)).all("nav").isEmpty)
    }

    @Test(
        "an address that makes no sense is no query",
        arguments: ["region=atlantis", "keyword=%FF", "after=now", "sort=oldest", "headcount=9"])
    func nonsense(query: String) {
        #expect(TripListQuery(query) == nil)
    }

    @Test("names that others add to a shared address change nothing")
    func foreignNames() {
        let query = TripListQuery("fbclid=IwAR0_x&region=busan&utm_source=%FF&=&ref")
        #expect(query?.text == "region=busan")
    }

    @Test("a cursor of another order is no query, and what is empty counts as missing")
    func odd() throws {
        let cursor = try TripCursor(after: Self.trip(1), in: .newest)
        #expect(TripListQuery("sort=mostLiked&after=\(cursor.text)") == nil)
        #expect(TripListQuery("keyword=+&region=&period=&&sort=newest")?.criteria == TripCriteria())
        #expect(TripListQuery("") == TripListQuery())
        #expect(TripListQuery("keyword=%EB%B0%94%EB%8B%A4+a")?.criteria.keyword?.text == "바다 a")
    }
}

@Suite("Hostile texts in pages", .limitedConcurrency)
struct HostileTextTests {
    static let texts = [
        "<script>alert(1)</script>", "\" onload=\"alert(1)", "' style='color:red", "</style><style>*{display:none}",
        "</title><script>", "javascript:alert(1)", "a\u{202E}drow\u{2066}b", "nul\u{0}l", "&lt;b&gt;&#60;i&#62;&amp;",
        "👩‍👩‍👧‍👦🏳️‍🌈", "]]><![CDATA[<b>", "<svg onload=alert(1)><a xlink:href=\"javascript:1\">x",
        "<!-- --><img src=x onerror=1>",
        String(repeating: "괴", count: 30) + String(repeating: "W", count: 30),
    ]

    /// The elements and attributes of a document, without their texts, and without what yields to the names of a trip:
    /// degrees, and the names of towns.
    private static func skeleton(_ page: CheckedXML) -> String {
        page.elements.filter { $0.attributes["class"] != "small" && !$0.isHidden }
            .map { "\($0.name) \($0.attributes.keys.sorted())" }.joined(separator: "\n")
    }

    private static func trip(_ text: String) throws -> RecordedTrip {
        let place = try Place(name: text, address: text, coordinate: Coordinate(latitude: 35.1, longitude: 129))
        return try TripBuilder(
            seed: 1, author: User(id: User.ID(seed: 1), nickname: Nickname(String(text.prefix(10))))
        )
        .with { builder in
            builder.title = text
            builder.thumbnail = TripImage.ID(seed: 1)
            builder.timeline = [
                try TimelineEntry(seed: 1, title: text, text: text, place: place, image: TripImage.ID(seed: 2))
            ]
        }.build()
    }

    @Test("a text is text in a page, on its map, in its list and in its form, whatever it contains", arguments: texts)
    func escaping(text: String) throws {
        let isControl = text.contains("\u{0}")
        let shown = text.replacingOccurrences(of: "\u{0}", with: "\u{FFFD}")
        let title = try? Title(text)
        #expect((title == nil) == isControl)
        let (trip, plain) = try (Self.trip(isControl ? shown : text), Self.trip("plain"))
        let site = PageSite()

        func written(_ trip: RecordedTrip) -> CheckedXML { CheckedXML(PageWriter().data(for: trip, on: site)) }
        let page = written(trip)
        #expect(page.defects { $0.hasPrefix("/") } == [])
        #expect(Self.skeleton(page) == Self.skeleton(written(plain)))
        #expect(page.all("h1").map(\.text) == [shown] && page.all("h3").map(\.text) == [shown])
        #expect(page.all("p", class: "text").map(\.text) == [shown])
        #expect(page.all("text", class: "num").count == 1)

        let map = CheckedXML(MapWriter().data(for: trip))
        #expect(map.defects == [])
        #expect(Self.skeleton(map) == Self.skeleton(CheckedXML(MapWriter().data(for: plain))))

        func list(_ trip: RecordedTrip, _ keyword: String) throws -> CheckedXML {
            let trip = try Trip(
                id: trip.id, author: trip.author, content: trip.content, createdAt: trip.createdAt,
                likeCount: 0,
                isLiked: false, isMine: false)
            let next = TripCursor(after: trip, in: .newest)
            return CheckedXML(
                TripListPage(on: site).data(
                    for: TripPage(trips: [trip], next: next),
                    TripListQuery(TripCriteria(keyword: Keyword(keyword)))))
        }
        let results = try list(trip, text)
        #expect(results.defects { $0.hasPrefix("/") } == [])
        #expect(Self.skeleton(results) == Self.skeleton(try list(plain, "plain")))
        #expect(results.all("h2").map(\.text) == [shown])
        // A keyword has spaces in place of control characters.
        let keyword = text.replacingOccurrences(of: "\u{0}", with: " ")
        #expect(results.all("input").first?.attributes["value"] == keyword)
    }

    @Test("the preview of a list has its address and what is searched")
    func preview() throws {
        let site = PageSite(origin: SiteOrigin("https://trips.example.org"))
        let query = TripListQuery(TripCriteria(keyword: Keyword("<바다>"), regions: [.busan]))
        let page = CheckedXML(TripListPage(on: site).data(for: TripPage(trips: [], next: nil), query))
        #expect(page.defects { $0.hasPrefix("/") } == [])
        func content(_ property: String) -> String? {
            page.all("meta").first { $0.attributes["property"] == property }?.attributes["content"]
        }
        #expect(content("og:title") == "<바다> – Trips" && content("og:type") == "website")
        #expect(content("og:url") == "https://trips.example.org/?\(query.text)")
        #expect(content("og:description")?.isEmpty == false)
        #expect(page.all("link").map(\.attributes["href"]) == ["/icon.svg"])
    }

    @Test("what a person wrote cannot turn the text around it", arguments: ["a\u{202E}drow", "a\u{2067}שלום"])
    func directions(text: String) throws {
        let trip = try Self.trip(text)
        let page = CheckedXML(PageWriter().data(for: trip, on: PageSite()))
        // An attribute `dir` isolates (HTML, 15.3.5), and so do `bdi` and, by the style, a text of a map.
        let blocks = [("h1", nil), ("h3", nil), ("p", "place"), ("p", "text")]
        for block in blocks.flatMap({ page.all($0, class: $1) }) { #expect(block.attributes["dir"] == "auto") }
        #expect(PageStyle.content.text.contains(".tlmap text{unicode-bidi:isolate"))
        let listed = try Trip(
            id: trip.id, author: trip.author, content: trip.content, createdAt: trip.createdAt, likeCount: 0,
            isLiked: false, isMine: false)
        let list = CheckedXML(
            TripListPage(on: PageSite())
                .data(for: TripPage(trips: [listed], next: nil), TripListQuery()))
        #expect(list.all("h2").map { $0.attributes["dir"] } == ["auto"])
        #expect(list.all("bdi").map(\.text) == [trip.author.nickname.text])
    }
}
