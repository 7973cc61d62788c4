import TestTurns
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("The contract of observing", .takesTurns)
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
            (.valuesEndAfterTheFirst, "observing: a page is there at once, and again when a travel is added to it"),
            (.valuesEndAfterTheFirst, "observing: a travel is there at once, and again when it is liked or changed"),
            (
                .valuesEndAfterTheFirst,
                "observing: a timeline is there at once, and again when an entry is written or deleted"
            ),
            (.iterationsBeginInThePast, "observing: each iteration begins with the present page"),
            (.viewersAreIgnored, "observing: a travel is there at once, and again when it is liked or changed"),
            (.valuesWait, "observing: who is slow is spared the values in between"),
            (.equalValuesRepeat, "observing: who is slow gets the newest value at last"),
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
    enum Flaw {
        case equalValuesRepeat, cancellationThrows, errorsAreLost, daysAreWhole
        case valuesEndAfterTheFirst, iterationsBeginInThePast, viewersAreIgnored, valuesWait
    }

    let sound = InMemoryTravelRepository()
    private let flaw: Flaw?
    /// The first page that anyone was given.
    private let past = Past()

    init(_ flaw: Flaw?) { self.flaw = flaw }

    func observe(_ query: TravelQuery) -> any AsyncSequence<TravelPage, any Error> & Sendable {
        flaw == .iterationsBeginInThePast ? inThePast(sound.observe(query)) : flawed(sound.observe(query))
    }

    func observeTravel(_ id: Travel.ID, viewer: User.ID?) -> any AsyncSequence<Travel, any Error> & Sendable {
        flawed(sound.observeTravel(id, viewer: flaw == .viewersAreIgnored ? nil : viewer))
    }

    private func inThePast(
        _ pages: some AsyncSequence<TravelPage, any Error> & Sendable
    ) -> any AsyncSequence<TravelPage, any Error> & Sendable {
        pages.map { [past] in await past.first($0) }
    }

    private actor Past {
        var page: TravelPage?

        func first(_ new: TravelPage) -> TravelPage {
            page = page ?? new
            return page ?? new
        }
    }

    func observeTimeline(
        of id: Travel.ID, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        flawed(sound.observeTimeline(of: id, viewer: viewer))
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
        private var count = 0
        private var last: Element?

        init(base: Base.AsyncIterator, flaw: FlawedObserving.Flaw?) {
            self.base = base
            self.flaw = flaw
        }

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
            if let value = repeated {
                repeated = nil
                return value
            }
            count += 1
            switch flaw {
            case .valuesEndAfterTheFirst where count > 1: return nil
            // The values that came while no one asked, one by one, as a queue would give them.
            case .valuesWait where (2...10).contains(count): return last
            default: break
            }
            do {
                let value = try await base.next(isolation: actor)
                if flaw == .equalValuesRepeat { repeated = value }
                last = value
                if flaw == .cancellationThrows { try Task.checkCancellation() }
                return value
            } catch  where flaw == .errorsAreLost {
                return nil
            }
        }
    }
}
