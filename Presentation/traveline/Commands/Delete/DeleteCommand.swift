import TravelSamples
import TravelDomain

/// `traveline delete`: removes trips, an entry of one, or the sample trips.
struct DeleteCommand: CommandLineCommand {
    static let help = CommandHelp(
        name: "delete", summary: "removes your trips, an entry of one, or the sample trips",
        usage: ["delete ID… [--yes]", "delete ID --entry NUMBER|ID [--yes]", "delete --samples [--yes]"],
        notes: [
            "Asks before it removes anything. Entries are named by their number in 'traveline show' or by their ID."
        ],
        words: .travels,
        options: [
            OptionHelp("--entry", "NUMBER|ID", "remove this entry of the trip only"),
            OptionHelp("--samples", "remove the sample trips that a new database has"),
            OptionHelp("--yes", "do not ask"),
        ],
        examples: [
            ("delete 6f1c2c1e", "the trip with its entries, pictures and likes"),
            ("delete 6f1c2c1e --entry 2 --yes", "its second entry, without a question"),
            ("delete --samples", "the sample trips"),
        ])

    private(set) var ids: [Identification] = []
    private(set) var entry: String?
    private(set) var areSamples = false
    private(set) var isConfirmed = false
    private(set) var store = StoreOptions()

    init(_ reader: inout ArgumentReader) throws {
        while let argument = try reader.next() {
            switch argument {
            case .option("--entry"): entry = try reader.value("NUMBER|ID")
            case .option("--samples"): areSamples = true
            case .option("--yes"), .option("-y"): isConfirmed = true
            case .option(let option): try store.read(option, &reader, for: Self.self)
            case .word(let word): ids.append(try Identification(word))
            }
        }
        if areSamples, !ids.isEmpty || entry != nil {
            throw UsageError("--samples removes all samples; leave the rest out", "--samples는 예시를 모두 지웁니다. 나머지는 빼세요")
        }
        if !areSamples, ids.isEmpty { throw Self.missing("the ID of a trip, or --samples", "여행 ID 또는 --samples") }
        if entry != nil, ids.count > 1 {
            throw UsageError("--entry names an entry of one trip; give one ID", "--entry에는 여행 ID를 하나만 쓰세요")
        }
    }

    func run() async throws {
        let text = try await App.run(store) { app in
            if areSamples { return try await deleteSamples(in: app) }
            if let entry { return try await delete(entry, of: app.travel(ids[0]), in: app) }
            return try await deleteTravels(in: app)
        }
        try Standard.write(text)
    }

    private func deleteTravels(in app: App) async throws -> String {
        let user = try await app.session.session()?.user
        var travels: [Travel] = []
        for id in ids {
            let travel = try await app.store.travel(app.travel(id), viewer: user)
            if !travels.contains(travel) { travels.append(travel) }
        }
        // Checked for all before the first is removed.
        if let foreign = travels.first(where: { !$0.isMine }) {
            throw CommandError(
                app.language.say(
                    "'\(foreign.title)' is a trip of \(foreign.author.nickname); only its author can remove it"
                        + (App.isSample(foreign.id) ? " (remove samples with --samples)" : ""),
                    "'\(foreign.title)'은(는) \(foreign.author.nickname)의 여행이라 지울 수 없습니다"
                        + (App.isSample(foreign.id) ? " (예시는 --samples로 지웁니다)" : "")), .noPermission)
        }
        let titles = travels.map { "'\($0.title)'" }.joined(separator: ", ")
        try confirm(app.language.say("Remove \(titles)?", "\(titles)을(를) 지울까요?"), in: app)
        for travel in travels { try await app.deleteTravel(travel.id) }
        return app.language.say(
            "\(app.language.trips(travels.count)) removed\n", "\(app.language.trips(travels.count))를 지웠습니다\n")
    }

    private func delete(_ text: String, of id: Travel.ID, in app: App) async throws -> String {
        let (travel, timeline) = try await app.details(of: id)
        let entry = try app.entry(text, in: timeline)
        try confirm(
            app.language.say(
                "Remove '\(entry.title)' of '\(travel.title)'?", "'\(travel.title)'의 '\(entry.title)'을(를) 지울까요?"),
            in: app)
        try await app.deleteEntry(entry.id, in: id)
        return app.language.say("1 entry removed\n", "기록 1개를 지웠습니다\n")
    }

    private func deleteSamples(in app: App) async throws -> String {
        try confirm(app.language.say("Remove all sample trips?", "예시 여행을 모두 지울까요?"), in: app)
        var count = 0
        for sample in SampleTrips.all {
            do {
                // On behalf of its author, an account of the samples: nobody else may remove it.
                try await app.store.update(sample.travel.id, by: sample.travel.author.id) { _ in nil }
                count += 1
            } catch TravelError.notFound {
                // It was removed before.
            }
        }
        return app.language.say("\(app.language.trips(count)) removed\n", "\(app.language.trips(count))를 지웠습니다\n")
    }

    private func confirm(_ question: String, in app: App) throws {
        if !isConfirmed { try Confirmation.require(question, in: app.language) }
    }
}
