import ContractTesting
import TravelDomain

/// Random edits on a repository and on a plain list, whose results must be equal.
struct GeneratedEdits: GeneratedSteps {
    private let seed: UInt64
    var calls = CallRecord()
    private var samples: TravelSamples
    private var travels: [RecordedTravel] = []
    private let people: [User]

    init(seed: UInt64) throws {
        self.seed = seed
        var samples = TravelSamples(seed: seed)
        people = [try samples.person(), try samples.person()]
        self.samples = samples
    }

    mutating func perform(_ step: Int, on store: TravelEditingContract.Subject) async throws {
        samples.random = SeededGenerator(seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(step) &* 0xD1B5_4A32_D192_ED03)
        if travels.count < 5 {
            let more = try samples.travels(travels.isEmpty ? 20 : 5, by: people)
            calls.note("try await store.add(\(sourceText(more)))")
            try await store.add(more)
            travels += more
        }
        try await edit(Int.random(in: travels.indices, using: &samples.random), in: store)
        try await compareSearch(of: store, step)
    }

    mutating func finish(on store: TravelEditingContract.Subject) async throws {
        for travel in travels {
            calls.noteFinal("try await store.timeline(of: \(sourceText(travel.id)), viewer: nil)")
            try expect(
                try await store.timeline(of: travel.id, viewer: nil), equals: travel.timeline,
                "seed \(seed), a timeline")
        }
    }

    private mutating func edit(_ index: Int, in store: TravelEditingContract.Subject) async throws {
        let travel = travels[index]
        let editor = people[Int.random(in: 0...1, using: &samples.random)].id
        let changed = try change(travel)
        calls.note(
            "try await store.update(\(sourceText(travel.id)), by: \(sourceText(editor))) { _ in \(sourceText(changed as Any)) }"
        )
        let result = try await outcome { try await store.update(travel.id, by: editor) { _ in changed } }
        if editor == travel.author.id {
            _ = try result.get()
            if let changed { travels[index] = changed } else { travels.remove(at: index) }
        } else if case .success = result {
            throw UnmetExpectation("seed \(seed): someone other than the author changed a travel")
        }
    }

    private mutating func change(_ travel: RecordedTravel) throws -> RecordedTravel? {
        switch Int.random(in: 0...5, using: &samples.random) {
        case 0: return nil
        case 1...2: return try travel.saving(samples.entry(days: travel.content.days.count))
        default:
            return try RecordedTravel(
                id: travel.id, author: travel.author, createdAt: travel.createdAt, content: samples.content(),
                timeline: [])
        }
    }

    private mutating func compareSearch(of store: TravelEditingContract.Subject, _ step: Int) async throws {
        let criteria = samples.criteria()
        let expected = travels.filter { criteria.matches($0.content) }
            .map { travel in
                Travel(
                    id: travel.id, author: travel.author, content: travel.content, createdAt: travel.createdAt,
                    likeCount: 0, isLiked: false, isMine: false)
            }
            .sorted(by: criteria.sort.precedes)
        let query = try TravelQuery(criteria, viewer: nil, limit: 100)
        calls.note("try await store.search(\(sourceText(query)))")
        let page = try await store.search(query)
        try expect(page.travels, equals: expected, "seed \(seed), step \(step), the travels that meet criteria")
    }
}
