import TravelDomain
import TravelTexts

/// `traveline like`: likes trips, or removes likes.
struct LikeCommand: CommandLineCommand {
    static let help = CommandHelp(
        name: "like", summary: Text("likes trips, or removes likes", "여행에 좋아요 누르기 또는 취소하기"),
        usage: ["like ID… [--undo]"], words: .trips,
        options: [OptionHelp("--undo", Text("remove your like", "좋아요 취소"))],
        examples: [
            ("like 6f1c2c1e", Text("like the trip whose ID begins like this", "ID가 이렇게 시작하는 여행에 좋아요")),
            ("like 6f1c2c1e --undo --as 민지", Text("remove the like of another account", "다른 계정의 좋아요 취소")),
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
