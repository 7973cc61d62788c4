import TravelDomain

/// What is there before a search begins to page through, and what is written meanwhile.
struct WrittenWhilePaging {
    struct Batch {
        let new: [RecordedTravel]
        let removed: [RecordedTravel]
        let likes: [(travel: Travel.ID, person: User.ID)]
    }

    /// The travels that are there before; their seeds, and so their moments, lie among those of the new ones.
    let before: [RecordedTravel]
    /// Likes that are there before, so that the order of likes is more than that of moments.
    let likesBefore: [(travel: Travel.ID, person: User.ID)]
    let batches: [Batch]
    /// The travels whose likes change meanwhile, where these decide the order.
    let moved: Set<Travel.ID>
    /// The travels that must be shown.
    let stay: [Travel.ID]
    private let new: Set<Travel.ID>

    init(count: Int, sort: TravelSort) throws {
        // One of eleven is there before. Of these, one of seven is removed meanwhile, and one of seven is liked.
        let seeds = UInt64(0)..<UInt64(count + count / 10)
        let before = try seeds.filter { $0 % 11 == 0 }.map { try TravelBuilder(seed: $0).build() }
        var random = SeededGenerator(seed: 7)
        let removed = before.enumerated().filter { $0.offset % 7 == 3 }.map(\.element).shuffled(using: &random)
        let liked = before.enumerated().filter { $0.offset % 7 == 5 }.map(\.element.id).shuffled(using: &random)
        let new = try seeds.filter { $0 % 11 != 0 }.map { try TravelBuilder(seed: $0).build() }.shuffled(using: &random)
        let people = before.enumerated().filter { $0.offset % 7 < 3 }.map(\.element.author.id)

        self.before = before
        likesBefore = before.enumerated().flatMap { offset, travel in
            people.prefix(offset % 4).map { (travel.id, $0) }
        }
        batches = (0..<100).map { number in
            func part<Value>(_ values: [Value]) -> ArraySlice<Value> {
                values[(values.count * number / 100)..<(values.count * (number + 1) / 100)]
            }
            let risen = part(new).enumerated().filter { $0.offset % 10 == 0 }.map(\.element.id)
            return Batch(
                new: Array(part(new)), removed: Array(part(removed)),
                likes: (part(liked) + risen).flatMap { travel in people.suffix(3).map { (travel, $0) } })
        }
        moved = sort == .mostLiked ? Set(batches.flatMap { $0.likes.map(\.travel) }) : []
        self.new = Set(new.map(\.id))
        let gone = moved.union(removed.map(\.id))
        stay = before.map(\.id).filter { !gone.contains($0) }
    }

    func isAmongBatches(_ id: Travel.ID) -> Bool { new.contains(id) }

    /// How many travels there are in the end.
    var countAfterwards: Int { before.count + new.count - batches.reduce(0) { $0 + $1.removed.count } }
}
