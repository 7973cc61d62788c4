public import TravelDomain

/// The contract of `PlaceRepository`, as checks for any implementation that can be created from a list of places.
///
/// ```swift
/// @Test(arguments: PlaceRepositoryContract.checks)
/// func findsPlaces(check: ContractCheck<PlaceRepositoryContract.Subject>) async throws {
///     try await check.run { { places in Gazetteer(places) } }
/// }
/// ```
public enum PlaceRepositoryContract {
    /// Creates a directory with exactly these places.
    public typealias Subject = @Sendable (_ places: [KnownPlace]) async throws -> any PlaceRepository

    public static let checks: [ContractCheck<Subject>] = names + orders + distances + cancellations

    private static func check(
        _ promise: String, _ body: @escaping @Sendable (Subject) async throws -> Void
    ) -> ContractCheck<Subject> {
        ContractCheck("places", promise, body)
    }

    private static let names: [ContractCheck<Subject>] =
        [
            ("in Korean", "해운대", true), ("in English", "haeundae", true), ("in the middle of a name", "대해수", true),
            ("at the end of a name", "BEACH", true), ("in another case", "hAEUNDAE bEACH", true),
            ("with additional white space", "해운대 해수욕장", true),
            ("without the white space of the name", "haeundaebeach", true),
            ("with surrounding white space", " 해운대 ", true),
            ("decomposed", "\u{1112}\u{1162}\u{110B}\u{116E}\u{11AB}", true), ("of two syllables", "수욕", true),
            ("of half a syllable", "\u{1112}\u{1162}\u{110B}", false), ("with %, as a wildcard", "해%장", false),
            ("with _, as a wildcard", "해_대", false), ("of both names", "해수욕장 Haeundae", false),
            ("that is another name", "해운대해변", true), ("that is part of another name", "marine", true),
            ("of two words in the wrong order", "beach haeundae", true),
            ("of the beginnings of words", "bea hae", true),
            ("with additional accents", "Haéundae", true), ("with hyphens and dots", "hae-un.dae", true),
            ("of the address and the name", "부산 해수욕장", true), ("of the region and the name", "busan beach", true),
            ("of a name and no name", "해운대 없는곳", false), ("of dots alone", "-.·", false),
            ("of the address", "우동", false), ("of the region", "busan", false),
            ("that matches no name", "없는곳", false), ("that is empty", "", false),
            ("of white space alone", " \n\t", false),
        ].map { what, text, isFound in
            check("a text \(what) finds \(isFound ? "the place" : "nothing")") { make in
                let beach = try place(
                    "해운대해수욕장", "Haeundae Beach", otherNames: ["해운대해변", "Marine City"], address: "부산 해운대구 우동")
                let places = try await make([place("경복궁", "Gyeongbokgung Palace"), beach])
                try expect(
                    try await places.search(text, limit: 10), equals: isFound ? [beach] : [], "what \"\(text)\" finds")
            }
        } + [
            check("characters that are special elsewhere match themselves") { make in
                let odd = try place("100% 카페_1*", "It's \"A\" \\ Café")
                let places = try await make([odd, place("100 카페 1", "Its A Bar")])
                for text in ["100%", "_1", "1*", "it's", "\"a\"", "\\", "CAFÉ", "cafe\u{301}", "cafe"] {
                    try expect(try await places.search(text, limit: 10), equals: [odd], "what \"\(text)\" finds")
                }
            },
            check("an empty directory finds nothing") { make in
                let places = try await make([])
                try expect(try await places.search("해운대", limit: 10), equals: [], "the matches")
            },
        ]

    private static let orders: [ContractCheck<Subject>] = [
        check(
            "equal names come first, then names that begin with the text, then names whose words do, then names that contain it"
        ) {
            make in
            let all = [
                try place("가", "Oversea"), try place("나", "The Sea"), try place("다", "Seaside"), try place("라", "Sea"),
                try place("각", "Plain", otherNames: ["sea"]), try place("간", "The Plain", otherNames: ["By the Sea"]),
            ]
            let places = try await make(all)
            try expect(
                try await places.search("sea", limit: 10).map(\.place.name), equals: ["라", "각", "다", "나", "간", "가"],
                "what \"sea\" finds")
        },
        check("names that begin with the text, in either language, come first, in the order of the Korean names") {
            make in
            let all = [
                try place("다섯 강", "River A"), try place("가 공원", "The River Park"), try place("강둑", "Bank"),
                try place("나루", "A River"), try place("강가", "Side"), try place("라면", "Riverside"),
            ]
            let places = try await make(all)
            try expect(
                try await places.search("river", limit: 10).map(\.place.name), equals: ["다섯 강", "라면", "가 공원", "나루"],
                "what \"river\" finds")
            try expect(
                try await places.search("강", limit: 10).map(\.place.name), equals: ["강가", "강둑", "다섯 강"], "what 강 finds")
        },
        check("a search returns at most as many places as the limit, best matches first") { make in
            let all = try (10..<40).map { try place("바다 \($0)", "Sea \($0)") }
            let places = try await make(all.reversed())
            for limit in [-1, 0, 1, 7, 30, 100] {
                try expect(
                    try await places.search("바다", limit: limit), equals: Array(all.prefix(max(limit, 0))),
                    "the matches, at most \(limit)")
            }
        },
        check("the same search always has the same result") { make in
            let places = try await make((0..<50).map { try place("바다 \($0 % 7)", "Sea \($0 % 7)") })
            let first = try await places.search("sea", limit: 20)
            for _ in 0..<5 { try expect(try await places.search("sea", limit: 20), equals: first, "the matches") }
        },
    ]

    private static let distances: [ContractCheck<Subject>] = [
        check("the nearest place is found, whatever its name") { make in
            let all = try [0.0, 0.2, 0.05, 0.4].map { try place("곳 \($0)", "Place \($0)", longitude: 127 + $0) }
            let places = try await make(all)
            for (longitude, index) in [(126.0, 0), (127.02, 0), (127.04, 2), (127.12, 2), (127.14, 1), (129, 3)] {
                let here = try Coordinate(latitude: 37, longitude: longitude)
                try expect(
                    try await places.nearest(to: here, within: .infinity), equals: all[index],
                    "the place nearest to longitude \(longitude)")
            }
        },
        check("the maximum distance is inclusive") { make in
            let there = try place("곳", "Place", longitude: 127.1)
            let places = try await make([there])
            let here = try Coordinate(latitude: 37, longitude: 127)
            let distance = here.distance(to: there.coordinate)
            for meters in [0, 1_000, distance.nextDown, .nan, -1] {
                try expect(
                    try await places.nearest(to: here, within: meters), equals: nil, "the place within \(meters) m")
            }
            for meters in [distance, distance.nextUp, 1e7] {
                try expect(
                    try await places.nearest(to: here, within: meters), equals: there, "the place within \(meters) m")
            }
        },
        check("distances are zero at the place itself and correct across the date line") { make in
            let all = [try place("동", "East", longitude: 179.99), try place("서", "West", longitude: -170)]
            let places = try await make(all)
            try expect(
                try await places.nearest(to: all[0].coordinate, within: 0), equals: all[0],
                "the place at distance 0")
            let here = try Coordinate(latitude: 37, longitude: -179.99)
            try expect(
                try await places.nearest(to: here, within: 5_000), equals: all[0], "the place across the date line")
        },
        check("an empty directory has no nearest place") { make in
            let places = try await make([])
            let here = try Coordinate(latitude: 37, longitude: 127)
            try expect(try await places.nearest(to: here, within: .infinity), equals: nil, "the nearest place")
        },
    ]

    private static let cancellations: [ContractCheck<Subject>] = [
        check("a search in a cancelled task throws CancellationError") { make in
            let places = try await make([place("경복궁", "Gyeongbokgung Palace")])
            try await expectCancellation(of: "a search") { _ = try await places.search("경복", limit: 10) }
            try await expectCancellation(of: "a search for the nearest place") {
                _ = try await places.nearest(to: Coordinate(latitude: 37, longitude: 127), within: 100)
            }
        }
    ]

    private static func place(
        _ name: String, _ englishName: String, otherNames: [String] = [], address: String = "", longitude: Double = 127
    ) throws -> KnownPlace {
        try KnownPlace(
            place: Place(
                name: name, address: address, coordinate: Coordinate(latitude: 37, longitude: longitude)),
            englishName: englishName, otherNames: otherNames, region: .busan)
    }
}
