import TestTurns
import Testing
import TravelDomain
import TravelDomainTesting
import TravelSamples

@Suite("Contract of place repositories", .takesTurns)
struct PlaceRepositoryContractTests {
    enum Flaw: CaseIterable {
        case koreanOnly, caseMatters, whiteSpaceMatters, addressesCount, percentIsAWildcard, blankFindsAll
        case otherNamesAreForgotten, wordsMustFollow, allFitsAreEqual
        case prefixesLast, limitIsIgnored, firstIsNearest, distanceIsExclusive, distanceIsIgnored, cancellationIsIgnored
    }

    @Test(
        "a place repository with a flaw fails the check for it",
        arguments: [
            (Flaw.koreanOnly, "places: a text in English finds the place"),
            (.caseMatters, "places: a text in another case finds the place"),
            (.whiteSpaceMatters, "places: a text with additional white space finds the place"),
            (.addressesCount, "places: a text of the address finds nothing"),
            (.percentIsAWildcard, "places: a text with %, as a wildcard finds nothing"),
            (.otherNamesAreForgotten, "places: a text that is another name finds the place"),
            (.wordsMustFollow, "places: a text of two words in the wrong order finds the place"),
            (
                .allFitsAreEqual,
                "places: equal names come first, then names that begin with the text, then names whose words do, then names that contain it"
            ),
            (.blankFindsAll, "places: a text of white space alone finds nothing"),
            (
                .prefixesLast,
                "places: names that begin with the text, in either language, come first, in the order of the Korean names"
            ),
            (.limitIsIgnored, "places: a search returns at most as many places as the limit, best matches first"),
            (.firstIsNearest, "places: the nearest place is found, whatever its name"),
            (.distanceIsExclusive, "places: the maximum distance is inclusive"),
            (.distanceIsIgnored, "places: the maximum distance is inclusive"),
            (.cancellationIsIgnored, "places: a search in a cancelled task throws CancellationError"),
        ])
    func flawIsFound(flaw: Flaw, check: String) async throws {
        try await expectViolation(of: check, among: PlaceRepositoryContract.checks) {
            { places in FlawedPlaces(places, flaw) }
        }
    }

    @Test("the wrapper of flawed place repositories passes every check without a flaw")
    func withoutFlawEveryCheckPasses() async throws {
        let violations = try await PlaceRepositoryContract.checks.violations {
            { places in FlawedPlaces(places, nil) }
        }
        #expect(violations == [])
    }
}

private struct FlawedPlaces: PlaceRepository {
    private let sound: Gazetteer
    private let flaw: PlaceRepositoryContractTests.Flaw?

    init(_ places: [KnownPlace], _ flaw: PlaceRepositoryContractTests.Flaw?) {
        sound = Gazetteer(places)
        self.flaw = flaw
    }

    func search(_ text: String, limit: Int) async throws -> [KnownPlace] {
        switch flaw {
        case .koreanOnly: try await found(text, limit) { $0.place.name.contains(text) }
        case .caseMatters: try await found(text, limit) { ($0.place.name + $0.englishName).contains(text) }
        case .allFitsAreEqual: try await found(text, limit) { _ in true }.sorted { $0.place.name < $1.place.name }
        case .otherNamesAreForgotten, .wordsMustFollow:
            try await found(text, limit) {
                Keyword.folded("\($0.place.name) \($0.englishName)").contains(text.lowercased())
            }
        case .whiteSpaceMatters:
            try await found(text, limit) { $0.place.name.lowercased().contains(text.lowercased()) }
        case .addressesCount where text.count > 1: sound.places.filter { $0.place.address.contains(text) }
        case .percentIsAWildcard:
            try await search(of: text.split(separator: "%").map(String.init), limit: limit)
        case .blankFindsAll where text.allSatisfy(\.isWhitespace): Array(sound.places.prefix(max(limit, 0)))
        case .prefixesLast: try await sound.search(text, limit: limit).reversed()
        case .limitIsIgnored: try await sound.search(text, limit: .max)
        case .cancellationIsIgnored: try await Task { try await sound.search(text, limit: limit) }.value
        default: try await sound.search(text, limit: limit)
        }
    }

    func nearest(to coordinate: Coordinate, within meters: Double) async throws -> KnownPlace? {
        let nearest = try await sound.nearest(to: coordinate, within: .infinity)
        let distance = nearest.map { $0.coordinate.distance(to: coordinate) }
        return switch flaw {
        case .firstIsNearest: sound.places.first
        case .distanceIsExclusive: distance.flatMap { $0 < meters ? nearest : nil }
        case .distanceIsIgnored: nearest
        default: try await sound.nearest(to: coordinate, within: meters)
        }
    }

    private func found(
        _ text: String, _ limit: Int, where isMatch: (KnownPlace) -> Bool
    ) async throws -> [KnownPlace] {
        try await sound.search(text, limit: limit).filter(isMatch)
    }

    private func search(of parts: [String], limit: Int) async throws -> [KnownPlace] {
        guard let first = parts.first else { return [] }
        return try await sound.search(first, limit: limit).filter { place in
            parts.allSatisfy { place.place.name.contains($0) }
        }
    }
}
