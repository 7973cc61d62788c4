import ContractTesting
import TravelDomain

/// Expects `body` to throw exactly `expected`.
func expect(_ expected: TravelError, from what: String, _ body: () async throws -> some Sendable) async throws {
    try await ContractTesting.expect(expected, from: what, body)
}

/// Returns the value of `body` or, as a failure, the `TravelError` that it throws.
func outcome<Value>(_ body: () async throws -> Value) async throws -> Result<Value, TravelError> {
    try await outcome(throwing: TravelError.self, body)
}

/// Tests every one of several cases, also after one that fails.
///
/// - Throws: ``UnmetExpectation`` with a line for each case that fails; `CancellationError` in a cancelled task.
func expectEach<Case>(
    of cases: some Sequence<Case>, named name: (Case) -> String, _ body: (Case) async throws -> Void
) async throws {
    var failures: [String] = []
    for each in cases {
        do {
            try await body(each)
        } catch {
            try Task.checkCancellation()
            failures.append("\(name(each)): \(error)")
        }
    }
    try expect(failures.isEmpty, failures.joined(separator: "\n"))
}

extension Result {
    /// The error, if there is one.
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

extension TripRepository {
    /// Adds one trip for each builder.
    func add(_ builders: TripBuilder...) async throws {
        try await add(builders.map { try $0.build() })
    }

    /// Adds one trip for each title, with its index as seed.
    func add(titles: [String]) async throws {
        try await add(
            titles.enumerated().map { seed, title in
                try TripBuilder(seed: UInt64(seed)).with { $0.title = title }.build()
            })
    }

    /// The IDs on all pages, in order; calls `between` after each page except the last.
    func ids(
        _ criteria: TripCriteria, limit: Int = 100, between: (_ page: Int) async throws -> Void = { _ in }
    ) async throws -> [Trip.ID] {
        var ids: [Trip.ID] = []
        var cursor: TripCursor?
        for page in 1...10_000 {
            let answer = try await search(TripQuery(criteria, viewer: nil, after: cursor, limit: limit))
            try expect(
                answer.trips.count <= limit,
                "expected at most \(limit) trips on a page; found \(answer.trips.count)")
            try expect(
                answer.next == nil || answer.trips.count == limit,
                "expected \(limit) trips on each page except the last; found \(answer.trips.count)")
            ids += answer.trips.map(\.id)
            guard let next = answer.next else { return ids }
            try expect(
                Optional(next),
                equals: answer.trips.last.map {
                    TripCursor(after: $0, in: criteria.sort, rank: answer.match(of: $0.id).rank)
                },
                "the cursor of the next page")
            try expect(next != cursor, "the cursor of the next page is that of this page")
            cursor = next
            try await between(page)
        }
        throw UnmetExpectation("paging does not terminate")
    }

    /// The seeds, among `seeds`, of the trips found, in ascending order.
    func seeds(_ criteria: TripCriteria, among seeds: some Sequence<UInt64>) async throws -> [UInt64] {
        let found = try await ids(criteria)
        let known = Dictionary(uniqueKeysWithValues: seeds.map { (Trip.ID(seed: $0), $0) })
        return try found.map { id in
            guard let seed = known[id] else { throw UnmetExpectation("found a trip that was never added") }
            return seed
        }.sorted()
    }

    /// The only trip in the repository.
    func onlyTrip(viewer: User.ID? = nil) async throws -> Trip {
        let page = try await search(TripQuery(TripCriteria(), viewer: viewer))
        try expect(page.trips.count, equals: 1, "the number of trips")
        return page.trips[0]
    }
}

extension RecordedTrip {
    /// A copy with another value of one part of its content.
    func changing<Value>(
        _ part: WritableKeyPath<TripContent, Value>, to value: Value
    ) throws(TravelError) -> RecordedTrip {
        var content = content
        content[keyPath: part] = value
        return try with(content)
    }
}
