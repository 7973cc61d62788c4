import Testing
import TestConcurrency
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting
import TravelSamples

@Suite("Contract of sessions", .limitedConcurrency)
struct SessionRepositoryContractTests {
    enum Flaw: CaseIterable {
        case someoneIsSignedIn, signingOutIsIgnored, firstSessionStays, identityFollowsTheSession, identitiesDiffer
        case cancellationIsIgnored, expiryIsLost, expiryIsShort, changesSeeNobody, changesOverlap
        case observationsEnd, observationsRepeat, identifyingSignsIn, refreshInvents, asksSomeoneElse
    }

    @Test(
        "a session with a flaw fails the check for it",
        arguments: [
            (Flaw.someoneIsSignedIn, "nobody is signed in at first"),
            (.signingOutIsIgnored, "the latest sign-in or sign-out determines the session"),
            (.firstSessionStays, "the latest sign-in or sign-out determines the session"),
            (.expiryIsLost, "the time at which a session expires is kept to the last bit, and goes with the session"),
            (.expiryIsShort, "the time at which a session expires is kept to the last bit, and goes with the session"),
            (.changesSeeNobody, "a change receives the current session"),
            (.changesOverlap, "changes by several tasks are serialised"),
            (.observationsEnd, "an observation emits the current session and then each new one"),
            (.observationsRepeat, "an observation does not emit an equal session again"),
            (.identityFollowsTheSession, "the identity does not depend on the signed-in user"),
            (.asksSomeoneElse, "the identity does not depend on the signed-in user"),
            (.identifyingSignsIn, "an identification signs nobody in"),
            (.refreshInvents, "a refresh keeps the user"),
            (.identitiesDiffer, "concurrent tasks receive the same identity"),
            (.cancellationIsIgnored, "a lookup in a cancelled task throws CancellationError"),
            (.cancellationIsIgnored, "signing in, in a cancelled task, throws CancellationError and signs nobody in"),
        ])
    func flawIsFound(flaw: Flaw, check: String) async throws {
        try await expectViolation(of: check, among: SessionRepositoryContract.checks, by: flaw) { FlawedSession($0) }
    }
}

private actor FlawedSession: SessionRepository, IdentityProvider {
    private let flaw: SessionRepositoryContractTests.Flaw?
    private let sound: InMemorySession
    private var device: User.ID?

    init(_ flaw: SessionRepositoryContractTests.Flaw?) {
        self.flaw = flaw
        sound = InMemorySession(signedIn: flaw == .someoneIsSignedIn ? User.ID(seed: 1) : nil)
    }

    func session() async throws -> Session? {
        try await soundly { [sound] in try await sound.session() }
    }

    func updateSession(_ change: @escaping @Sendable (inout Session?) -> Void) async throws {
        if flaw == .changesOverlap {
            var session = try await sound.session()
            change(&session)
            for _ in 0..<50 { await Task.yield() }
            return try await sound.setSession(session)
        }
        let flaw = flaw
        try await soundly { [sound] in
            try await sound.updateSession { session in
                var new = flaw == .changesSeeNobody ? nil : session
                change(&new)
                switch flaw {
                case .signingOutIsIgnored where new == nil: return
                case .firstSessionStays where session != nil && new != nil: return
                case .expiryIsLost: session = new.map { Session(user: $0.user) }
                case .expiryIsShort: session = new.map { $0.rounded }
                default: session = new
                }
            }
        }
    }

    nonisolated func observeSession() -> any AsyncSequence<Session?, any Error> & Sendable {
        let base = sound.observeSession()
        switch flaw {
        case .observationsEnd: return AlteredObservation(base: base, endsEarly: true)
        case .observationsRepeat: return AlteredObservation(base: base, endsEarly: false)
        default: return base
        }
    }

    func identify() async throws -> Session {
        if flaw != .cancellationIsIgnored { try Task.checkCancellation() }
        if flaw == .identityFollowsTheSession, let session = try await sound.session() { return session }
        if let device { return Session(user: device) }
        // Another task may receive another ID in the meantime.
        if flaw == .identitiesDiffer { for _ in 0..<50 { await Task.yield() } }
        let new = User.ID()
        device = new
        if flaw == .identifyingSignsIn { try await sound.setSession(Session(user: new)) }
        return Session(user: new)
    }

    func refresh(_ session: Session) async throws -> Session {
        if flaw != .cancellationIsIgnored { try Task.checkCancellation() }
        return flaw == .refreshInvents ? Session(user: User.ID()) : session
    }

    func reauthenticate() async throws -> User.ID {
        flaw == .asksSomeoneElse ? User.ID() : try await identify().user
    }

    /// Calls `body`; with the flaw `cancellationIsIgnored`, in a task that is not cancelled.
    private func soundly<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        flaw == .cancellationIsIgnored ? try await Task.detached { try await body() }.value : try await body()
    }
}

extension Session {
    /// The session with its time of expiry rounded to milliseconds.
    fileprivate var rounded: Session {
        let seconds = expiresAt.map { ($0.timeIntervalSinceReferenceDate * 1_000).rounded() / 1_000 }
        let expiry = seconds.map { Date(timeIntervalSinceReferenceDate: $0) }
        return (try? Session(user: user, expiresAt: expiry)) ?? self
    }
}

/// A sequence that ends after the first element of another, or emits each of its elements twice.
private struct AlteredObservation: AsyncSequence, Sendable {
    let base: any AsyncSequence<Session?, any Error> & Sendable
    let endsEarly: Bool

    struct Iterator: AsyncIteratorProtocol {
        var base: any AsyncIteratorProtocol<Session?, any Error>
        let endsEarly: Bool
        var repeated: Session??
        var hasEmitted = false

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Session?? {
            if endsEarly, hasEmitted { return nil }
            hasEmitted = true
            if !endsEarly, let last = repeated {
                repeated = nil
                return last
            }
            let next = try await base.next(isolation: actor)
            repeated = next
            return next
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), endsEarly: endsEarly) }
}

@Suite("Contract of place repositories", .limitedConcurrency)
struct PlaceRepositoryContractTests {
    enum Flaw: CaseIterable {
        case koreanOnly, caseMatters, whiteSpaceMatters, addressesCount, percentIsAWildcard, blankFindsAll
        case otherNamesAreForgotten, wordsMustFollow, allFitsAreEqual
        case prefixesLast, limitIsIgnored, firstIsNearest, distanceIsExclusive, distanceIsIgnored, cancellationIsIgnored
    }

    @Test(
        "a place repository with a flaw fails the check for it",
        arguments: [
            (Flaw.koreanOnly, "a text in English finds the place"),
            (.caseMatters, "a text in another case finds the place"),
            (.whiteSpaceMatters, "a text with additional white space finds the place"),
            (.addressesCount, "a text of the address finds nothing"),
            (.percentIsAWildcard, "a text with %, as a wildcard finds nothing"),
            (.otherNamesAreForgotten, "a text that is another name finds the place"),
            (.wordsMustFollow, "a text of two words in the wrong order finds the place"),
            (.allFitsAreEqual, "equal names come first, then names that begin with the text"),
            (.blankFindsAll, "a text of white space alone finds nothing"),
            (.prefixesLast, "names that begin with the text, in either language, come first"),
            (.limitIsIgnored, "a search returns at most as many places as the limit, best matches first"),
            (.firstIsNearest, "the nearest place is found, whatever its name"),
            (.distanceIsExclusive, "the maximum distance is inclusive"),
            (.distanceIsIgnored, "the maximum distance is inclusive"),
            (.cancellationIsIgnored, "a search in a cancelled task throws CancellationError"),
        ])
    func flawIsFound(flaw: Flaw, check: String) async throws {
        try await expectViolation(of: check, among: PlaceRepositoryContract.checks, by: flaw) { flaw in
            { places in FlawedPlaces(places, flaw) }
        }
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

@Suite("Contract of recent keyword repositories", .limitedConcurrency)
struct RecentKeywordRepositoryContractTests {
    enum Flaw {
        case changesOverlap, cancellationIsIgnored, cancelledChangesAreMade, beginsWithSome, orderIsLost
        case changesOnlyAdd, fourteenAreKept, textsAreFolded, textsAreComposed
    }

    @Test(
        "a recent keyword repository with a flaw fails the check for it",
        arguments: [
            (Flaw.changesOverlap, "concurrent changes by several tasks are all applied"),
            (.cancellationIsIgnored, "a lookup in a cancelled task throws CancellationError"),
            (.beginsWithSome, "there are no keywords at first"),
            (.cancelledChangesAreMade, "a change in a cancelled task throws CancellationError and is not applied"),
            (.changesOnlyAdd, "forgetting a keyword keeps the others"),
            (.changesOnlyAdd, "all keywords can be removed at once"),
            (.fourteenAreKept, "only the newest 15 keywords are kept"),
            (.textsAreFolded, "a repeated keyword moves to the front in its latest spelling"),
            (.textsAreComposed, "texts are returned scalar by scalar"),
            (.orderIsLost, "the latest keyword comes first"),
        ])
    func flawIsFound(flaw: Flaw, check: String) async throws {
        try await expectViolation(of: check, among: RecentKeywordRepositoryContract.checks, by: flaw) {
            FlawedRecentKeywords($0)
        }
    }
}

private actor FlawedRecentKeywords: RecentKeywordRepository {
    private let flaw: RecentKeywordRepositoryContractTests.Flaw?
    private var recent: RecentKeywords

    init(_ flaw: RecentKeywordRepositoryContractTests.Flaw?) {
        self.flaw = flaw
        recent = RecentKeywords(flaw == .beginsWithSome ? ["바다"].compactMap { Keyword($0) } : [])
    }

    func recentKeywords() async throws -> RecentKeywords {
        if flaw != .cancellationIsIgnored { try Task.checkCancellation() }
        switch flaw {
        case .orderIsLost: return RecentKeywords(recent.keywords.sorted { $0.text < $1.text })
        case .fourteenAreKept: return RecentKeywords(recent.keywords.prefix(14))
        case .textsAreFolded: return RecentKeywords(recent.keywords.compactMap { Keyword($0.folded) })
        case .textsAreComposed:
            return RecentKeywords(recent.keywords.compactMap { Keyword($0.text == "café" ? "caf\u{E9}" : $0.text) })
        default: return recent
        }
    }

    func updateRecentKeywords(_ change: @escaping @Sendable (inout RecentKeywords) -> Void) async throws {
        if flaw != .cancelledChangesAreMade { try Task.checkCancellation() }
        var changed = recent
        // Another change may happen in between, and be lost.
        if flaw == .changesOverlap { for _ in 0..<50 { await Task.yield() } }
        change(&changed)
        if flaw == .changesOnlyAdd, changed.keywords.count < recent.keywords.count { return }
        recent = changed
        if flaw == .cancelledChangesAreMade { try Task.checkCancellation() }
    }
}

@Suite("Contract of title repositories", .limitedConcurrency)
struct TitleRepositoryContractTests {
    enum Flaw: CaseIterable {
        case alphabetical, limitIgnored, onlyBeginnings, othersNamed, repeated, unfinishedWordsIgnored, containedLast
    }

    @Test(
        "a title repository with a flaw fails the check for it",
        arguments: [
            (Flaw.alphabetical, "finds titles that begin with the text before others", ""),
            (.limitIgnored, "finds no more titles than the limit, preferring those that begin with the text", ""),
            (.onlyBeginnings, "keywords of parts of titles suggest", "at the end"),
            (.othersNamed, "keywords of parts of titles suggest", "with its syllables in another order"),
            (.repeated, "finds a title that several trips have once", ""),
            (.unfinishedWordsIgnored, "unfinished texts", "when the last syllable has only its first consonant"),
            (.unfinishedWordsIgnored, "unfinished texts", "by the initials of its first word"),
            (.containedLast, "finds titles that begin with the text, then those that contain it", ""),
        ])
    func flawIsFound(flaw: Flaw, check: String, name: String) async throws {
        try await expectViolation(of: check, case: name, among: TitleRepositoryContract.checks, by: flaw) {
            FlawedTitles($0)
        }
    }

    @Test("generated title checks find every flaw", arguments: Flaw.allCases)
    func generatedChecksFindFlaws(flaw: Flaw) async throws {
        #expect(try await TitleRepositoryContract.generated(seeds: 1...3).hasViolation { FlawedTitles(flaw) })
    }
}

/// A repository with incorrect title lookups and otherwise correct behaviour.
private struct FlawedTitles: SoundStore {
    let sound = InMemoryTripRepository()
    private let flaw: TitleRepositoryContractTests.Flaw?
    private let added = Added()

    private actor Added {
        var titles: [Title] = []
        func add(_ new: [Title]) { titles += new }
    }

    init(_ flaw: TitleRepositoryContractTests.Flaw?) { self.flaw = flaw }

    func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title] {
        let all = try await sound.titles(containing: text, viewer: viewer, limit: .max)
        let added = await added.titles
        switch flaw {
        case nil: return Array(all.prefix(limit))
        case .alphabetical: return Array(all.sorted { $0.text > $1.text }.prefix(limit))
        case .limitIgnored: return all
        case .unfinishedWordsIgnored: return Array(all.filter(text.matches).prefix(limit))
        case .containedLast:
            let contained = all.filter { text.matches($0) && !text.begins($0) }
            return Array((all.filter { !contained.contains($0) } + contained).prefix(limit))
        case .onlyBeginnings: return Array(all.filter(text.begins).prefix(limit))
        case .othersNamed: return Array((all + Set(added).subtracting(all)).prefix(limit))
        case .repeated:
            return Array(
                (added.filter(text.begins) + added.filter { text.matches($0) && !text.begins($0) }).prefix(limit))
        }
    }

    func add(_ trips: [RecordedTrip], images: [TripImage]) async throws {
        try await sound.add(trips, images: images)
        await added.add(trips.map(\.content.title))
    }
}
