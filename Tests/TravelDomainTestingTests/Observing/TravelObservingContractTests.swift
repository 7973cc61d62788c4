import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("The contract of observing", .timeLimit(.minutes(5)))
struct TravelObservingContractTests {
    @Test(
        "a repository that breaks a promise of observing fails the check of that promise",
        arguments: [
            (FlawedObserving.Flaw.equalValuesRepeat, "observing: what does not change a page does not repeat it"),
            (
                .equalValuesRepeat,
                "observing: what happens to other days, travels and likes does not repeat a day"
            ),
            (.cancellationThrows, "observing: a page is there at once, and again when a travel is added to it"),
            (.errorsAreLost, "observing: a travel that is removed ends with the error that it is not found"),
            (.errorsAreLost, "observing: a day of a travel that is removed ends with the error that it is not found"),
            (
                .daysAreWhole,
                "observing: an entry that moves to another day leaves the day, and one that comes joins it"
            ),
            (.daysAreWhole, "observing: what happens to other days, travels and likes does not repeat a day"),
        ])
    func aBrokenPromiseIsFound(flaw: FlawedObserving.Flaw, check: String) async throws {
        try await expectViolation(of: check, among: TravelObservingContract.checks) { FlawedObserving(flaw) }
    }

    @Test("the wrapper that the flawed repositories share keeps every promise while it has no flaw")
    func withoutFlawEveryCheckPasses() async throws {
        #expect(try await TravelObservingContract.checks.violations { FlawedObserving(nil) } == [])
    }

    @Test("no two checks have the same name")
    func namesAreUnique() {
        let names = TravelObservingContract.checks.map(\.id)
        #expect(Set(names).count == names.count)
    }
}

/// A store whose sequences have one flaw, or none.
struct FlawedObserving: ForwardingStore {
    enum Flaw { case equalValuesRepeat, cancellationThrows, errorsAreLost, daysAreWhole }

    let sound = InMemoryTravelRepository()
    private let flaw: Flaw?

    init(_ flaw: Flaw?) { self.flaw = flaw }

    func observe(_ query: TravelQuery) -> any AsyncSequence<TravelPage, any Error> & Sendable {
        flawed(sound.observe(query))
    }

    func observeTravel(_ id: Travel.ID, viewer: User.ID?) -> any AsyncSequence<Travel, any Error> & Sendable {
        flawed(sound.observeTravel(id, viewer: viewer))
    }

    func observeTimeline(
        of id: Travel.ID, day: Int, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        flaw == .daysAreWhole
            ? sound.observeTimeline(of: id, viewer: viewer)
            : flawed(sound.observeTimeline(of: id, day: day, viewer: viewer))
    }

    private func flawed<Value: Sendable>(
        _ values: some AsyncSequence<Value, any Error> & Sendable
    ) -> any AsyncSequence<Value, any Error> & Sendable {
        FlawedSequence(base: values, flaw: flaw)
    }
}

private struct FlawedSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable where Base.Element: Sendable {
    typealias Element = Base.Element
    typealias Failure = any Error

    let base: Base
    let flaw: FlawedObserving.Flaw?

    func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), flaw: flaw)
    }

    struct Iterator: AsyncIteratorProtocol {
        var base: Base.AsyncIterator
        let flaw: FlawedObserving.Flaw?
        var repeated: Element?

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
            if let value = repeated {
                repeated = nil
                return value
            }
            do {
                let value = try await base.next(isolation: actor)
                if flaw == .equalValuesRepeat { repeated = value }
                if flaw == .cancellationThrows { try Task.checkCancellation() }
                return value
            } catch  where flaw == .errorsAreLost {
                return nil
            }
        }
    }
}
