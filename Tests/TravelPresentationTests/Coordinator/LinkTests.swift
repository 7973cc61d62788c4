import Testing
import TravelDomainTesting
import TravelPresentation

@Suite("Links to screens")
struct LinkTests {
    private static let travel = Travel.ID(seed: 1)
    private static let entry = TimelineEntry.ID(seed: 2)

    static let screens: [Screen] = [
        .home, .search(TravelCriteria()),
        .search(
            TravelCriteria(
                keyword: Keyword("바다 & 50%?/"), regions: [.busan, .jeju], author: .init(seed: 3), sort: .mostLiked)),
        .travel(travel), .travel(travel, day: 12), .map(travel, day: 3), .entry(entry, in: travel), .newTravel,
        .travelEditor(travel), .newEntry(in: travel, day: 2), .entryEditor(entry, in: travel), .myPage, .myTravels,
        .likedTravels, .profile, .blocked, .settings, .changes, .signIn,
    ]

    @Test("the link of a screen leads back to it", arguments: screens)
    func roundTrip(screen: Screen) {
        #expect(Screen(link: screen.link) == screen)
        #expect(Screen(link: " \(screen.link)\n") == screen)
        if !screen.link.contains("?") { #expect(Screen(link: "\(screen.link)/") == screen) }
        #expect(Screen(link: screen.link.replacing("traveline:", with: "TRAVELINE:")) == screen)
    }

    @Test("screens have different links")
    func distinct() {
        #expect(Set(Self.screens.map(\.link)).count == Self.screens.count)
        #expect(Screen.travel(Self.travel).link == "traveline://travel/\(Self.travel)")
    }

    @Test("random text never crashes, and a link that it happens to be leads back to its screen", arguments: 1...20)
    func randomText(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let parts = [
            "traveline:", "//", "/", "travel", "me", "day", "entry", "\(Self.travel)", "1", "edit", "home", "\u{301}",
            " ", "",
        ]
        for _ in 0..<100 {
            let text = (0..<Int.random(in: 1...9, using: &random)).map { _ in
                parts.randomElement(using: &random) ?? ""
            }.joined()
            let bytes = (0..<20).map { _ in UInt8.random(in: 0...255, using: &random) }
            _ = Screen(link: String(decoding: bytes, as: UTF8.self))
            _ = OpenScreens(text: String(decoding: bytes, as: UTF8.self))
            if let screen = Screen(link: text) { #expect(Screen(link: screen.link) == screen) }
        }
    }

    @Test(
        "text that is no link to a screen is rejected",
        arguments: [
            "", " ", "traveline", "traveline:", "traveline://", "traveline:///", "traveline:/home", "home",
            "https://travel/\(travel)", "traveline://travel", "traveline://travel/", "traveline://travel/1",
            "traveline://travel/\(travel)/day/0", "traveline://travel/\(travel)/day/-1",
            "traveline://travel/\(travel)/day/+1", "traveline://travel/\(travel)/day/99999999999999999999",
            "traveline://travel/\(travel)/day/١", "traveline://travel/\(travel)/entry/x",
            "traveline://travel/\(travel)/edit/x", "traveline://me/x", "traveline://home/x", "traveline://home//",
            "traveline://home traveline://home", "traveline://search?region=atlantis", "traveline://search?x",
            "traveline://search/x", "traveline://home?region=busan", "traveline://travel/\(travel)?day=1",
            "traveline://여행", "\u{0}",
        ])
    func rejection(text: String) {
        #expect(Screen(link: text) == nil)
    }
}
