import TestConcurrency
import Testing
import TravelDomain

@testable import TravelSamples

@Suite("The places of Korea")
struct KoreanPlacesTests {
    @Test("the gazetteer has at least 350 places in all 17 regions, with distinct names in both languages")
    func namesAreDistinct() {
        let places = Gazetteer.korea.places
        #expect(places.count >= 350)
        #expect(Set(places.map(\.region)).count == 17)
        #expect(Set(places.map(\.place.name)).count == places.count)
        #expect(Set(places.map(\.englishName)).count == places.count)
    }

    @Test("English names of places are in ASCII, and Korean names and addresses are not empty")
    func namesAreInTheirLanguage() {
        for place in Gazetteer.korea.places {
            #expect(place.englishName.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "\(place.englishName)")
            #expect(place.place.name.unicodeScalars.contains { (0xAC00...0xD7A3).contains($0.value) })
            #expect(place.place.address.contains(" "), "\(place.place.address)")
        }
    }

    @Test("other names of places differ from the names of all places")
    func otherNamesAreDistinct() {
        let places = Gazetteer.korea.places
        let names = places.flatMap { [$0.place.name, $0.englishName] + $0.otherNames }.map { PlaceText($0).joined }
        #expect(Dictionary(grouping: names, by: \.self).filter { $0.value.count > 1 }.keys.sorted() == [])
        #expect(places.count { !$0.otherNames.isEmpty } >= 80)
    }

    @Test("each place is within 500 metres of its coordinate in public sources", .limitedConcurrency)
    func agreesWithPublicSources() throws {
        let known = try PublicCoordinate.all()
        for expected in known {
            let place = try #require(Gazetteer.korea.place(named: expected.name), "\(expected.name)")
            let meters = place.coordinate.distance(to: expected.coordinate)
            #expect(meters <= 500, "\(expected.name) is \(Int(meters)) m from its coordinate in \(expected.source)")
        }
        let regions = Set(known.compactMap { Gazetteer.korea.place(named: $0.name)?.region })
        #expect(regions.count == 17)
        #expect(known.count >= 80)
    }

    @Test(
        "every region has at least 8 places, each with an address of that region and within its bounds",
        arguments: bounds)
    func liesInItsRegion(_ bounds: Bounds) {
        let places = Gazetteer.korea.places.filter { $0.region == bounds.region }
        #expect(places.count >= 8)
        for place in places {
            let coordinate = place.coordinate
            #expect(place.place.address.hasPrefix(bounds.name + " "), "\(place.place.address)")
            #expect(bounds.latitudes.contains(coordinate.latitude), "\(place.place.name) is at \(coordinate)")
            #expect(bounds.longitudes.contains(coordinate.longitude), "\(place.place.name) is at \(coordinate)")
            #expect(coordinate.isInKorea, "\(place.place.name) is at \(coordinate)")
        }
    }

    @Test("no two places are at the same point")
    func pointsAreDistinct() {
        let places = Gazetteer.korea.places
        #expect(Set(places.map(\.coordinate)).count == places.count)
    }

    /// A region, the prefix of its addresses, and its bounds in degrees, islands included: its outermost points with
    /// a margin of some kilometres.
    struct Bounds: Sendable {
        let region: Region
        let name: String
        let latitudes: ClosedRange<Double>
        let longitudes: ClosedRange<Double>
    }

    private static let bounds = [
        Bounds(region: .seoul, name: "서울", latitudes: 37.41...37.72, longitudes: 126.76...127.19),
        Bounds(region: .busan, name: "부산", latitudes: 34.87...35.40, longitudes: 128.73...129.32),
        Bounds(region: .daegu, name: "대구", latitudes: 35.60...36.33, longitudes: 128.35...128.91),
        Bounds(region: .incheon, name: "인천", latitudes: 36.90...37.99, longitudes: 124.60...126.80),
        Bounds(region: .gwangju, name: "광주", latitudes: 35.05...35.26, longitudes: 126.64...127.03),
        Bounds(region: .daejeon, name: "대전", latitudes: 36.18...36.51, longitudes: 127.24...127.57),
        Bounds(region: .ulsan, name: "울산", latitudes: 35.32...35.73, longitudes: 128.97...129.48),
        Bounds(region: .sejong, name: "세종", latitudes: 36.40...36.74, longitudes: 127.12...127.42),
        Bounds(region: .gyeonggi, name: "경기", latitudes: 36.89...38.30, longitudes: 126.37...127.86),
        Bounds(region: .gangwon, name: "강원", latitudes: 37.02...38.62, longitudes: 127.09...129.38),
        Bounds(region: .chungbuk, name: "충북", latitudes: 36.00...37.26, longitudes: 127.27...128.65),
        Bounds(region: .chungnam, name: "충남", latitudes: 35.97...37.07, longitudes: 125.90...127.65),
        Bounds(region: .jeonbuk, name: "전북", latitudes: 35.30...36.17, longitudes: 125.95...127.92),
        Bounds(region: .jeonnam, name: "전남", latitudes: 33.90...35.50, longitudes: 125.00...127.90),
        Bounds(region: .gyeongbuk, name: "경북", latitudes: 35.56...37.58, longitudes: 127.79...131.90),
        Bounds(region: .gyeongnam, name: "경남", latitudes: 34.48...35.92, longitudes: 127.57...129.23),
        Bounds(region: .jeju, name: "제주", latitudes: 33.10...34.01, longitudes: 126.10...126.99),
    ]

    @Test("every region has bounds")
    func allRegionsAreChecked() {
        #expect(Self.bounds.map(\.region) == Region.ofKorea)
    }
}
