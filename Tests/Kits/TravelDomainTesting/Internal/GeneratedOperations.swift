import ContractTesting
import TravelDomain

/// Random operations on a repository and on a ``TravelModel``, whose results must be equal.
struct GeneratedOperations: GeneratedSteps {
    private let seed: UInt64
    var calls = CallRecord()
    private var samples: TravelSamples
    private var model = TravelModel()
    private var people: [User] = []
    private var added: [RecordedTravel] = []

    init(seed: UInt64) throws {
        self.seed = seed
        samples = TravelSamples(seed: seed)
        for _ in 0..<4 { people.append(try samples.person()) }
    }

    mutating func perform(_ step: Int, on travels: any TravelRepository) async throws {
        samples.random = SeededGenerator(seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(step) &* 0xD1B5_4A32_D192_ED03)
        switch random(0...9) {
        case 0...2: try await compareAdding(to: travels, step)
        case 3...5: try await compareLike(in: travels, step)
        case 6: try await compareTravel(in: travels, step)
        default: try await compareSearch(of: travels, step)
        }
    }

    func finish(on travels: any TravelRepository) {}

    private mutating func compareAdding(to travels: any TravelRepository, _ step: Int) async throws {
        var batch = try samples.travels(random(0...6), by: people)
        if random(0...4) == 0, let used = added.randomElement(using: &samples.random) {
            batch.insert(try conflicting(with: used), at: random(0...batch.count))
        }
        let recorded = batch
        calls.note("try await travels.add(\(sourceText(recorded)))")
        let expected = Result { () throws(TravelError) in try model.add(recorded) }
        let actual = try await outcome { try await travels.add(recorded) }
        try expect(actual.failure, equals: expected.failure, "seed \(seed), step \(step), the error of an addition")
        if case .success = expected { added += recorded }
    }

    private mutating func compareLike(in travels: any TravelRepository, _ step: Int) async throws {
        let (id, person, isLiked) = (travelID(), personID(), random(0...2) > 0)
        calls.note("try await travels.setLiked(\(isLiked), travel: \(sourceText(id)), by: \(sourceText(person)))")
        let expected = Result { () throws(TravelError) in try model.setLiked(isLiked, travel: id, by: person) }
        let actual = try await outcome { try await travels.setLiked(isLiked, travel: id, by: person) }
        try expect(actual.failure, equals: expected.failure, "seed \(seed), step \(step), the error of a like")
    }

    private mutating func compareTravel(in travels: any TravelRepository, _ step: Int) async throws {
        let (id, viewer) = (travelID(), personID())
        calls.note("try await travels.travel(\(sourceText(id)), viewer: \(sourceText(viewer)))")
        let travel = Result { () throws(TravelError) in try model.travel(id, viewer: viewer) }
        try expect(
            try await outcome { try await travels.travel(id, viewer: viewer) }, equals: travel,
            "seed \(seed), step \(step), the travel")
        calls.note("try await travels.timeline(of: \(sourceText(id)), viewer: \(sourceText(viewer)))")
        let timeline = Result { () throws(TravelError) in try model.timeline(of: id, viewer: viewer) }
        try expect(
            try await outcome { try await travels.timeline(of: id, viewer: viewer) }, equals: timeline,
            "seed \(seed), step \(step), the timeline")
    }

    private mutating func compareSearch(of travels: any TravelRepository, _ step: Int) async throws {
        let (criteria, limit) = (samples.criteria(), random(1...5))
        let viewer = random(0...3) == 0 ? nil : personID()
        var cursor: TravelCursor?
        repeat {
            let query = try TravelQuery(criteria, viewer: viewer, after: cursor, limit: limit)
            let page = model.search(query)
            calls.note("try await travels.search(\(sourceText(query)))")
            try expect(
                try await travels.search(query), equals: page, "seed \(seed), step \(step), a page")
            cursor = page.next
        } while cursor != nil
    }

    /// A travel that has the same ID, or an entry with the same ID, as an existing one.
    private mutating func conflicting(with used: RecordedTravel) throws -> RecordedTravel {
        let fresh = try samples.travel(by: people)
        let takesEntry = !used.timeline.isEmpty && Bool.random(using: &samples.random)
        return try RecordedTravel(
            id: takesEntry ? fresh.id : used.id, author: fresh.author, createdAt: fresh.createdAt,
            content: used.content, timeline: takesEntry ? [used.timeline[0]] : [])
    }

    private mutating func travelID() -> Travel.ID {
        let used = random(0...9) == 0 ? nil : added.randomElement(using: &samples.random)
        return used?.id ?? Travel.ID(using: &samples.random)
    }

    private mutating func personID() -> User.ID {
        random(0...9) == 0 ? User.ID(using: &samples.random) : people[random(0...people.count - 1)].id
    }

    private mutating func random(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &samples.random)
    }
}

extension Result {
    /// The error, if there is one.
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
