import TravelSamples
import TravelDomain
import TravelTexts

/// `traveline delete`: removes trips, an entry of one, or the sample trips.
struct DeleteCommand: CommandLineCommand {
    static let help = CommandHelp(
        name: "delete",
        summary: Text("removes your trips, an entry of a trip, or the sample trips", "내 여행, 기록 또는 예시 여행 지우기"),
        usage: ["delete ID… [--yes]", "delete ID --entry NUMBER|ID [--yes]", "delete --samples [--yes]"],
        notes: [
            Text(
                "Asks before it removes anything. Specify an entry by its number in 'traveline show' or by its ID. "
                    + "'traveline undo' restores what was removed last.",
                "지우기 전에 물어봅니다. 기록은 'traveline show'의 번호나 ID로 고릅니다. 마지막으로 지운 것은 'traveline undo'로 되살립니다.")
        ],
        words: .trips,
        options: [
            OptionHelp("--entry", "NUMBER|ID", Text("remove only this entry of the trip", "여행의 이 기록만 지우기")),
            OptionHelp("--samples", Text("remove the sample trips of a new database", "새 데이터베이스에 있는 예시 여행 지우기")),
            OptionHelp("--yes", Text("do not ask", "묻지 않기")),
        ],
        examples: [
            ("delete 6f1c2c1e", Text("the trip with its entries, pictures and likes", "여행을 기록, 사진, 좋아요와 함께")),
            ("delete 6f1c2c1e --entry 2 --yes", Text("its second entry, without asking", "둘째 기록을 묻지 않고")),
            ("delete --samples", Text("the sample trips", "예시 여행")),
        ])

    let ids: [Identification]
    let entry: String?
    let areSamples: Bool
    let isConfirmed: Bool
    let store: StoreOptions

    init(_ arguments: Arguments) throws {
        ids = try arguments.words.map { try Identification($0) }
        entry = arguments.value("--entry")
        areSamples = arguments.has("--samples")
        isConfirmed = arguments.has("--yes")
        store = try StoreOptions(arguments)
        if areSamples, !ids.isEmpty || entry != nil {
            throw UsageError("--samples removes all samples; omit the rest", "--samples는 예시를 모두 지웁니다. 나머지는 빼세요")
        }
        if !areSamples, ids.isEmpty { throw Self.missing("the ID of a trip, or --samples", "여행 ID 또는 --samples") }
        if entry != nil, ids.count > 1 {
            throw UsageError("--entry names an entry of one trip; give one ID", "--entry에는 여행 ID를 하나만 쓰세요")
        }
    }

    func run() async throws {
        let (text, hint) = try await App.run(store, savesFirst: entry == nil) { app in
            let (text, canUndo) = try await delete(in: app)
            let undo = "traveline undo" + (store.database.map { " --database \($0)" } ?? "")
            return (text, canUndo ? app.language.say("to restore it: \(undo)", "되살리기: \(undo)") : nil)
        }
        try Standard.write(text)
        if let hint { Standard.note(hint) }
    }

    /// Deletes, and describes what was deleted.
    private func delete(in app: App) async throws -> (text: String, canUndo: Bool) {
        if areSamples { return try await deleteSamples(in: app) }
        if let entry { return try await delete(entry, of: app.trip(ids[0]), in: app) }
        return try await deleteTrips(in: app)
    }

    private func deleteTrips(in app: App) async throws -> (text: String, canUndo: Bool) {
        let user = try await app.session.session()?.user
        var trips: [Trip] = []
        for id in try await app.trips(ids) { trips.append(try await app.store.trip(id, viewer: user)) }
        // Checked for all before the first is removed.
        if let foreign = trips.first(where: { !$0.isMine }) {
            throw CommandError(
                "'\(foreign.title)' is a trip of \(foreign.author.nickname); only its author can remove it"
                    + (App.isSample(foreign.id) ? " (remove samples with --samples)" : ""),
                "'\(foreign.title)'은(는) \(foreign.author.nickname)의 여행이라 지울 수 없습니다"
                    + (App.isSample(foreign.id) ? " (예시는 --samples로 지웁니다)" : ""), .noPermission)
        }
        let titles = trips.map { "'\($0.title)'" }.joined(separator: ", ")
        let deletion = try await app.deleteTrips(trips) { canUndo in
            try confirm(app.language.say("Remove \(titles)?", "\(titles)을(를) 지울까요?"), canUndo, in: app)
        }
        return (app.language.say("removed: \(titles)\n", "지웠습니다: \(titles)\n"), deletion != nil)
    }

    private func delete(_ text: String, of id: Trip.ID, in app: App) async throws -> (text: String, canUndo: Bool) {
        let (trip, timeline) = try await app.details(of: id)
        let entry = try app.entry(text, in: timeline)
        let name = app.language.say("'\(entry.title)' of '\(trip.title)'", "'\(trip.title)'의 '\(entry.title)'")
        let deletion = try await app.deleteEntry(entry, of: trip) { canUndo in
            try confirm(app.language.say("Remove \(name)?", "\(name)을(를) 지울까요?"), canUndo, in: app)
        }
        return (app.language.say("removed: \(name)\n", "지웠습니다: \(name)\n"), deletion != nil)
    }

    private func deleteSamples(in app: App) async throws -> (text: String, canUndo: Bool) {
        let samples = try await app.samples()
        let count = app.language[.trips(samples.count)]
        if samples.isEmpty { return (app.language.say("There are no sample trips.\n", "예시 여행이 없습니다.\n"), false) }
        let deletion = try await app.deleteTrips(samples) { canUndo in
            try confirm(app.language.say("Remove all sample trips?", "예시 여행을 모두 지울까요?"), canUndo, in: app)
        }
        return (app.language.say("\(count) removed\n", "\(count)를 지웠습니다\n"), deletion != nil)
    }

    private func confirm(_ question: String, _ canUndo: Bool, in app: App) throws {
        if isConfirmed { return }
        let warning = canUndo ? "" : app.language.say(" This cannot be undone.", " 되돌릴 수 없습니다.")
        try Confirmation.require(question + warning)
    }
}

extension App {
    /// The sample trips that are in the database, whoever sees them.
    func samples() async throws -> [Trip] {
        var samples: [Trip] = []
        for sample in SampleTrips.all {
            do {
                samples.append(try await store.trip(sample.trip.id, viewer: sample.trip.author.id))
            } catch TravelError.notFound {
                // It was removed before.
            }
        }
        return samples
    }
}

/// `traveline undo`: restores what the last deletion removed, or undoes the last import.
struct UndoCommand: CommandLineCommand {
    static let help = CommandHelp(
        name: "undo", summary: Text("undoes your last deletion or import", "마지막 삭제나 가져오기 되돌리기"),
        usage: ["undo"],
        notes: [
            Text(
                "Restores what the last deletion on this device removed, by a command or in the app, with its pictures "
                    + "and likes. If an import was later, removes what it added, also if it ended early, and brings back what it "
                    + "replaced, unless that was changed since. The database and the account must be the same.",
                "이 기기에서 명령이나 앱으로 마지막에 지운 것을 사진, 좋아요와 함께 되살립니다. 가져오기가 나중이면 도중에 끝났어도 더한 것을 지우고 바꾼 것을 되돌리며, 그 뒤에 "
                    + "바뀐 여행은 그대로 둡니다. 같은 데이터베이스와 같은 계정이어야 합니다.")
        ],
        examples: [("undo", Text("what was removed or imported last", "마지막으로 지우거나 가져온 것"))])

    let store: StoreOptions

    init(_ arguments: Arguments) throws {
        try Self.rejectWords(arguments)
        store = try StoreOptions(arguments)
    }

    func run() async throws {
        let text = try await App.run(store, savesFirst: true) { app in
            func names(_ trips: [Trip]) -> String {
                trips.count <= 5
                    ? trips.map { "'\($0.title)'" }.joined(separator: ", ") : app.language[.trips(trips.count)]
            }
            switch try await app.undo() {
            case .entry(let entry, let trip):
                let name = app.language.say("'\(entry.title)' of '\(trip.title)'", "'\(trip.title)'의 '\(entry.title)'")
                return app.language.say("restored: \(name)\n", "되살렸습니다: \(name)\n")
            case .trips(let trips):
                return app.language.say("restored: \(names(trips))\n", "되살렸습니다: \(names(trips))\n")
            case .imports([]):
                return app.language.say(
                    "the last import ended before it had added anything; nothing was changed\n",
                    "마지막 가져오기는 아무것도 더하기 전에 끝났습니다. 아무것도 바꾸지 않았습니다\n")
            case .imports(let trips):
                return app.language.say("import undone: \(names(trips))\n", "가져오기를 되돌렸습니다: \(names(trips))\n")
            }
        }
        try Standard.write(text)
    }
}
