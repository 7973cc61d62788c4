import TestConcurrency
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Contract of observing repositories", .limitedConcurrency)
struct TripObservingContractTests {
    @Test(
        "an observing repository with a flaw fails the check for it",
        arguments: [
            (FlawedObserving.Flaw.equalValuesRepeat, "changes that do not affect a page do not emit it again"),
            (.equalValuesRepeat, "changes to other days, trips and likes do not emit a day again"),
            (.cancellationThrows, "a page is emitted immediately, and again when a trip is added to it"),
            (.errorsAreLost, "the observation of a trip throws notFound when it is removed"),
            (.errorsAreLost, "the observation of a day throws notFound when the trip is removed"),
            (.valuesEndAfterTheFirst, "a page is emitted immediately, and again when a trip is added to it"),
            (.valuesEndAfterTheFirst, "a trip is emitted immediately, and again when it is liked or changed"),
            (.valuesEndAfterTheFirst, "a timeline is emitted immediately, and again when an entry is added or deleted"),
            (.valuesEndAfterTheFirst, "a page of an author's trips is emitted again only when they record or"),
            (.equalValuesRepeat, "a page of an author's trips is emitted again only when they record or remove one"),
            (.valuesEndAfterTheFirst, "a page of the trips that a user likes is emitted again when they like"),
            (.iterationsBeginInThePast, "each iteration begins with the current page"),
            (.changesAtTheBeginningAreLost, "a trip that is added while an observation of a page begins is not"),
            (.changesAtTheBeginningAreLost, "a like that is given while an observation of a trip begins is not"),
            (.viewersAreIgnored, "someone who does not see a trip observes nothing of it while others observe it"),
            (.viewersAreIgnored, "a trip is emitted immediately, and again when it is liked or changed"),
            (.errorsAreNotTheEnd, "an observation that has thrown an error emits nothing more"),
            (.valuesWait, "a slow consumer does not receive every intermediate value"),
            (.equalValuesRepeat, "a slow consumer eventually receives the latest value"),
            (.daysAreWhole, "moving an entry away from a day and back emits the day each time"),
            (.daysAreWhole, "changes to other days, trips and likes do not emit a day again"),
        ])
    func flawIsFound(flaw: FlawedObserving.Flaw, check: String) async throws {
        try await expectViolation(of: check, among: TripObservingContract.checks, by: flaw) { FlawedObserving($0) }
    }
}

/// A store whose sequences have at most one flaw.
struct FlawedObserving: SoundStore {
    enum Flaw {
        case equalValuesRepeat, cancellationThrows, errorsAreLost, daysAreWhole
        case valuesEndAfterTheFirst, iterationsBeginInThePast, viewersAreIgnored, valuesWait
        case changesAtTheBeginningAreLost, errorsAreNotTheEnd
    }

    let sound = InMemoryTripRepository()
    private let flaw: Flaw?
    /// The first page that was emitted.
    private let past = Past()

    init(_ flaw: Flaw?) { self.flaw = flaw }

    func observe(_ query: TripQuery) -> any AsyncSequence<TripPage, any Error> & Sendable {
        switch flaw {
        case .iterationsBeginInThePast: inThePast(sound.observe(query))
        case .changesAtTheBeginningAreLost:
            SubscribedLate(base: sound.observe(query)) { [sound] in try await sound.search(query) }
        default: flawed(sound.observe(query))
        }
    }

    func observeTrip(_ id: Trip.ID, viewer: User.ID?) -> any AsyncSequence<Trip, any Error> & Sendable {
        guard flaw == .changesAtTheBeginningAreLost else {
            return flawed(sound.observeTrip(id, viewer: flaw == .viewersAreIgnored ? nil : viewer))
        }
        return SubscribedLate(base: sound.observeTrip(id, viewer: viewer)) { [sound] in
            try await sound.trip(id, viewer: viewer)
        }
    }

    private func inThePast(
        _ pages: some AsyncSequence<TripPage, any Error> & Sendable
    ) -> any AsyncSequence<TripPage, any Error> & Sendable {
        pages.map { [past] in await past.first($0) }
    }

    private actor Past {
        var page: TripPage?

        func first(_ new: TripPage) -> TripPage {
            page = page ?? new
            return page ?? new
        }
    }

    func observeTimeline(
        of id: Trip.ID, day: Int?, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        flawed(sound.observeTimeline(of: id, day: flaw == .daysAreWhole ? nil : day, viewer: viewer))
    }

    private func flawed<Value: Sendable>(
        _ values: some AsyncSequence<Value, any Error> & Sendable
    ) -> any AsyncSequence<Value, any Error> & Sendable {
        FlawedSequence(base: values, flaw: flaw)
    }
}

/// Reads the first value before it subscribes to changes, so that it misses those in between. Where it would then wait
/// for a change that has happened already, it ends, so that a test that finds the flaw ends as well.
private struct SubscribedLate<Value: Sendable & Equatable>: AsyncSequence, Sendable {
    typealias Element = Value
    typealias Failure = any Error

    let base: any AsyncSequence<Value, any Error> & Sendable
    let read: @Sendable () async throws -> Value

    func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

    struct Iterator: AsyncIteratorProtocol {
        let sequence: SubscribedLate
        private var first: Value?
        private var later: (any AsyncIteratorProtocol<Value, any Error>)?

        init(sequence: SubscribedLate) { self.sequence = sequence }

        mutating func next() async throws -> Value? {
            guard let first else {
                let value = try await sequence.read()
                for _ in 0..<50 { await Task.yield() }
                self.first = value
                return value
            }
            if later == nil {
                later = sequence.base.makeAsyncIterator()
                // The base begins with the current value, which this sequence takes for the one it has.
                guard try await later?.next(isolation: nil) == first else { return nil }
            }
            return try await later?.next(isolation: nil)
        }
    }
}

private struct FlawedSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable where Base.Element: Sendable {
    typealias Element = Base.Element
    typealias Failure = any Error

    let base: Base
    let flaw: FlawedObserving.Flaw?

    func makeAsyncIterator() -> Iterator {
        Iterator(sequence: self)
    }

    struct Iterator: AsyncIteratorProtocol {
        let sequence: FlawedSequence
        var base: Base.AsyncIterator
        var repeated: Element?
        private var count = 0
        private var last: Element?

        var flaw: FlawedObserving.Flaw? { sequence.flaw }

        init(sequence: FlawedSequence) {
            self.sequence = sequence
            base = sequence.base.makeAsyncIterator()
        }

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
            if let value = repeated {
                repeated = nil
                return value
            }
            count += 1
            switch flaw {
            case .valuesEndAfterTheFirst where count > 1: return nil
            // Delivers unrequested values one by one, as a queue would.
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
            } catch  where flaw == .errorsAreNotTheEnd {
                base = sequence.base.makeAsyncIterator()
                throw error
            }
        }
    }
}
