import Testing
import TravelDomainTesting

@testable import TravelBrowser

@Suite("Addresses of screens")
struct AddressTests {
    private static let trip = Trip.ID(seed: 1)
    private static let entry = TimelineEntry.ID(seed: 2)

    /// Each screen with its address.
    private static let addresses: [(Screen, String)] = [
        (.home, "/app/"),
        (
            .search(TripCriteria(keyword: Keyword("서울 밤"), regions: [.seoul, .jeju])),
            "/app/?keyword=%EC%84%9C%EC%9A%B8%20%EB%B0%A4&region=seoul,jeju"
        ),
        (.trip(trip), "/app/trips/\(trip)"), (.trip(trip, day: 3), "/app/trips/\(trip)?day=3"),
        (.map(trip, day: 1), "/app/trips/\(trip)/map"), (.map(trip, day: 2), "/app/trips/\(trip)/map?day=2"),
        (.entry(entry, in: trip), "/app/trips/\(trip)/entries/\(entry)"), (.newTrip, "/app/trips/new"),
        (.tripEditor(trip), "/app/trips/\(trip)/edit"),
        (.newEntry(in: trip, day: 2), "/app/trips/\(trip)/entries/new?day=2"),
        (.entryEditor(entry, in: trip), "/app/trips/\(trip)/entries/\(entry)/edit"), (.myPage, "/app/me"),
        (.myTrips, "/app/me/trips"), (.likedTrips, "/app/me/likes"), (.profile, "/app/me/profile"),
        (.blocked, "/app/me/blocked"), (.settings, "/app/settings"), (.changes, "/app/changes"),
        (.signIn, "/app/sign-in"), (.signInAgain, "/app/changes/sign-in"),
        (.accountDeletion, "/app/settings/delete-account"),
    ]

    @Test("every screen has an address, which leads back to it", arguments: addresses)
    func roundTrip(screen: Screen, address: String) throws {
        #expect(ScreenAddress(screen).text == address)
        #expect(ScreenAddress(address)?.screen == screen)
    }

    @Test("a search in every form of a query is a search, and one without a condition is the list of trips")
    func searches() {
        #expect(
            ScreenAddress("/app/?region=busan&region=jeju&keyword=")?.screen
                == .search(TripCriteria(regions: [.busan, .jeju])))
        #expect(ScreenAddress("/app?keyword=a+b")?.screen == .search(TripCriteria(keyword: Keyword("a b"))))
        #expect(ScreenAddress("/app/?keyword=&sort=newest")?.screen == .home)
        #expect(ScreenAddress("/app/?utm_source=mail")?.screen == .home)
    }

    @Test("an unknown day is the first one")
    func days() {
        for day in ["", "day=", "day=0", "day=-1", "day=x", "day=99999999999999999999"] {
            #expect(ScreenAddress("/app/trips/\(Self.trip)?\(day)")?.screen == .trip(Self.trip))
        }
    }

    @Test(
        "a text that is no address of a screen is none",
        arguments: [
            "", "/", "app", "/application", "/app/nothing", "/app/trips", "/app/trips/none", "//example.org/app/me",
            "https://example.org/app/me", "/app/trips/\(trip)/entries", "/app/trips/\(trip)/entries/none/edit",
            "/app/trips/\(trip)/entries/\(entry)/delete", "/app/trips/\(trip)/edit/now", "/app/%FF",
            "/app/?region=mars",
            "/app/me/../settings", "javascript:alert(1)", "/app/trips/%2e%2e/me",
        ])
    func nothing(address: String) {
        #expect(ScreenAddress(address) == nil)
    }
}
