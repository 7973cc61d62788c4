import TravelDomain

/// The travels that exist before a search pages through all of them, and those that are added in the meantime.
struct PagingScenario {
    struct Batch {
        let new: [RecordedTravel]
        let removed: [RecordedTravel]
        let likes: [(travel: Travel.ID, person: User.ID)]
    }

    /// The travels that exist before. Their seeds, and therefore their dates, lie between those of the new ones.
    let before: [RecordedTravel]
    /// The likes that exist before, so that the order by likes differs from that by date.
    let likesBefore: [(travel: Travel.ID, person: User.ID)]
    let batches: [Batch]
    /// The travels whose likes change in the meantime, if the order depends on likes.
    let moved: Set<Travel.ID>
    /// The travels that the pages must contain.
    let required: [Travel.ID]
    private let new: Set<Travel.ID>

    init(count: Int, sort: TravelSort) throws {
        // One of eleven travels exists before. Of these, one of seven is removed in the meantime, and one of seven is
        // liked.
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
        let excluded = moved.union(removed.map(\.id))
        required = before.map(\.id).filter { !excluded.contains($0) }
    }

    func isAmongBatches(_ id: Travel.ID) -> Bool { new.contains(id) }

    /// The number of travels at the end.
    var finalCount: Int { before.count + new.count - batches.reduce(0) { $0 + $1.removed.count } }
}
