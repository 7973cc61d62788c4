import TravelDomain

/// `traveline like`: likes trips, or removes likes.
struct LikeCommand: CommandLineCommand {
    static let help = CommandHelp(
        name: "like", summary: "likes trips, or removes likes", usage: ["like ID… [--undo]"], words: .trips,
        options: [OptionHelp("--undo", "remove your like")],
        examples: [
            ("like 6f1c2c1e", "like the trip whose ID begins like this"),
            ("like 6f1c2c1e --undo --as 민지", "remove the like of another account"),
        ])

    let ids: [Identification]
    let isLiked: Bool
    let store: StoreOptions

    init(_ arguments: Arguments) throws {
        ids = try arguments.words.map { try Identification($0) }
        isLiked = !arguments.has("--undo")
        store = try StoreOptions(arguments)
        if ids.isEmpty { throw Self.missing("the ID of a trip", "여행 ID") }
    }

    func run() async throws {
        let text = try await App.run(store, savesFirst: true) { app in
            // All of them have to exist before any is liked.
            let trips = try await app.trips(ids)
            for trip in trips { try await app.likeTrip(isLiked, trip: trip) }
            let viewer = try await app.session.session()?.user
            var liked: [Trip] = []
            for trip in trips { liked.append(try await app.store.trip(trip, viewer: viewer)) }
            return try await app.list(liked)
        }
        try Standard.write(text)
    }
}
