import Foundation
import TravelDataCached
import TravelDataShared
import TravelDomain
import TravelPresentation

/// `traveline sync`: sends pending changes, and resolves conflicts.
struct SyncCommand: CommandLineCommand {
    enum Action: String, CaseIterable, Sendable {
        case now, mine, theirs, copy, restore, forget
    }

    static let help = CommandHelp(
        name: "sync",
        summary: Text("sends pending changes to the server, and resolves conflicts", "기다리는 변경을 서버로 보내고 충돌 해결하기"),
        usage: ["sync [--json]", "sync mine|theirs|copy N", "sync restore|forget ID"],
        notes: [
            Text(
                "Changes are sent by every command and by the app; sync sends them now and lists what remains: pending "
                    + "changes, numbered conflicts, and trips that the server no longer has.",
                "변경은 모든 명령과 앱이 보냅니다. sync는 지금 보내고 남은 것을 출력합니다: 기다리는 변경, 번호가 있는 충돌, 서버에서 사라진 여행."),
            Text(
                "For a conflict, 'mine' sends your version again, 'theirs' discards it, with the trip if the server no "
                    + "longer has it, and 'copy' makes a new trip of it; to combine both, edit the trip afterwards. For a "
                    + "trip that has vanished, 'restore' adds it again, and 'forget' discards the copy.",
                "충돌에서 'mine'은 내 것을 다시 보내고 'theirs'는 버립니다. 서버에 없는 여행이면 여행도 지워집니다. 'copy'는 내 것을 새 여행으로 만듭니다. "
                    + "다른 내용을 원하면 그 뒤에 여행을 고치세요. 사라진 여행에서 'restore'는 다시 더하고 'forget'은 사본을 지웁니다."),
            Text(
                "Your trips are compared with those of the server, so that one that the server has lost is found.",
                "내 여행을 서버의 것과 비교해서 서버가 잃은 여행을 찾습니다."),
            Text(
                "The exit code is 0 if everything is on the server, 65 if a decision is needed, 75 if the server does "
                    + "not answer for now, 69 if waiting does not help, and 77 if you have to sign in again. Other "
                    + "commands do not fail while the server does not answer: their changes stay pending.",
                "종료 코드는 모두 서버에 있으면 0, 결정할 것이 있으면 65, 서버가 지금 응답하지 않으면 75, 기다려도 소용없으면 69, 다시 로그인해야 하면 77입니다. "
                    + "서버가 응답하지 않아도 다른 명령은 실패하지 않고, 변경은 기다립니다."),
        ],
        words: .cases(of: Action.self),
        options: [.json, .language],
        usesStore: false,
        examples: [
            ("sync", Text("send pending changes", "기다리는 변경 보내기")),
            ("sync mine 3", Text("keep your version in conflict 3", "3번 충돌에서 내 것 남기기")),
        ])

    let action: Action
    let subject: String
    let store: StoreOptions

    init(_ arguments: Arguments) throws {
        let words = arguments.words
        let word = words.first ?? Action.now.rawValue
        guard let action = Action(rawValue: word) else {
            throw UsageError.unknown("action", "동작", word, choices: Action.allCases.map(\.rawValue))
        }
        self.action = action
        if words.count > (action == .now ? 1 : 2) { throw Self.surplus(words[words.count - 1]) }
        subject = words.count > 1 ? words[1] : ""
        store = try StoreOptions(arguments)
        switch action {
        case .mine, .theirs, .copy: if words.count < 2 { throw Self.missing("the number of a conflict", "충돌 번호") }
        case .restore, .forget: if words.count < 2 { throw Self.missing("the ID of a trip", "여행 ID") }
        case .now: break
        }
    }

    private var language: Language { store.outputLanguage }

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        guard let connection = try DeviceConnection.current(in: environment) else {
            throw CommandError.notConnected
        }
        let files = try DeviceConnection.Files(in: environment)
        let (text, failure) = try await FileError.naming(connection.address, files: files) {
            let connected = try await ConnectedStore.open(connection.address, files, of: connection.user)
            return try await closing(connected.close) {
                try await connected.running { try await synchronize(connected.trips, with: connection, files) }
            }
        }
        try Standard.write(text)
        if let failure { throw failure }
    }

    /// Returns what is left, and why not everything is on the server, if it is not.
    private func synchronize(
        _ trips: CachedTripRepository, with connection: DeviceConnection, _ files: DeviceConnection.Files
    ) async throws -> (text: String, failure: (any ReportedError)?) {
        try await carryOut(on: trips)
        let progress = ProgressLine(environment: ProcessInfo.processInfo.environment)
        let waiting = Task { await showProgress(of: trips, progress) }
        defer {
            waiting.cancel()
            progress.clear()
        }
        do {
            // Also with nothing to send: only an answer tells that the server is there, and that it still knows the user.
            try await trips.refresh(.blocked(by: User.ID(connection.user)))
        } catch TravelError.unavailable, TravelError.signedOut {
            // The status says so.
        }
        // However long that takes: a picture over a slow network needs more than the patience of other commands. A request
        // for which nothing passes ends, and with it the waiting.
        await trips.settle()
        var status = await trips.status()
        if status.connection == .online {
            // What was sent may be missing, as on a server that was restored from a backup.
            do { try await trips.compareTrips(of: User.ID(connection.user)) } catch TravelError.unavailable,
                TravelError.signedOut
            {
                // The status says so.
            }
            status = await trips.status()
        }
        return (try await report(trips, status, connection), failure(status, of: connection, files))
    }

    /// Shows what the command waits for, every second.
    private func showProgress(of trips: CachedTripRepository, _ progress: ProgressLine) async {
        // Ends when the task is cancelled.
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            let count = await trips.status().pendingWrites
            progress.show(
                count > 0
                    ? language.say("sending: \(count) left", "보내는 중: \(count)개 남음")
                    : language.say("waiting for the server", "서버를 기다리는 중"))
        }
    }

    /// Why not everything is on the server; `nil` when it is, and when only other decisions than this one are left.
    private func failure(
        _ status: SyncStatus, of connection: DeviceConnection, _ files: DeviceConnection.Files
    ) -> (any ReportedError)? {
        if let outage = status.storageOutage { return FileError(outage, of: files.folder.path, files: files) }
        switch status.connection {
        case .signedOut: return CommandError.signedOut(of: connection)
        case .offline:
            return status.outage.map { FileError($0, of: connection.address, files: files) }
        case .online, .unknown:
            if status.pendingWrites > 0 {
                return CommandError(
                    "not everything could be sent; run traveline sync again",
                    "모두 보내지는 못했습니다. traveline sync를 다시 실행하세요", .temporaryFailure)
            }
            let needsDecision = status.conflicts > 0 || status.vanishedTrips > 0 || !status.damagedItems.isEmpty
            guard action == .now, needsDecision else { return nil }
            return CommandError(
                "not everything is on the server; resolve what remains: traveline sync --help",
                "모두 서버에 있지는 않습니다. 남은 것을 결정하세요: traveline sync --help", .dataError)
        }
    }

    private func carryOut(on trips: any TripSynchronization) async throws {
        switch action {
        case .now: await trips.reconnect()
        case .mine: try await trips.resolve(conflict(in: await trips.conflicts()), with: .keepMine)
        case .copy: try await trips.resolve(conflict(in: await trips.conflicts()), with: .keepCopy)
        case .theirs: try await trips.resolve(conflict(in: await trips.conflicts()), with: .takeTheirs)
        case .restore: try await trips.restore(vanished(in: await trips.vanishedTrips()))
        case .forget: try await trips.forget(vanished(in: await trips.vanishedTrips()))
        }
    }

    private func conflict(in conflicts: [TripConflict]) throws -> TripConflict.ID {
        guard let number = Int(subject), conflicts.contains(where: { $0.id == number }) else {
            let known = conflicts.map { String($0.id) }.joined(separator: ", ")
            throw known.isEmpty
                ? CommandError("there are no conflicts", "충돌이 없습니다", .dataError)
                : CommandError(
                    "there is no conflict \(subject); there are: \(known)", "\(subject)번 충돌은 없습니다. 있는 것: \(known)",
                    .dataError)
        }
        return number
    }

    private func vanished(in trips: [VanishedTrip]) throws -> Trip.ID {
        let range: ClosedRange<Trip.ID> = try Identification(subject).range()
        let found = trips.filter { range.contains($0.id) }
        guard found.count == 1 else {
            throw CommandError(
                "no vanished trip, or more than one, has an ID that begins with '\(subject)'",
                "'\(subject)'(으)로 시작하는 사라진 여행이 없거나 여럿입니다", .dataError)
        }
        return found[0].id
    }

    private func report(
        _ trips: any TripSynchronization, _ status: SyncStatus, _ connection: DeviceConnection
    ) async throws -> String {
        let (conflicts, vanished) = (await trips.conflicts(), await trips.vanishedTrips())
        if store.isJSON {
            return try JSONLine.text(SyncReport(connection, status, conflicts, vanished, in: language)) + "\n"
        }
        let page = Page.standard
        let state = status.text(at: Date()) ?? .everythingSent
        var lines = page.lines("\(connection.address): \(language[state])")
        for conflict in conflicts {
            lines += page.lines("\(conflict.id)  \(language[conflict.text])")
            lines += conflict.differences.flatMap { page.lines(language[$0], indentation: 3) }
        }
        for trip in vanished {
            lines += page.lines("\(trip.id)  \(language[.vanishedTitle]): \(trip.trip.content.title)")
            let command = "traveline sync restore \(trip.id)"
            lines += page.lines(language.say("to send it again: \(command)", "다시 보내기: \(command)"), indentation: 3)
        }
        return lines.map { $0 + "\n" }.joined()
    }
}

/// What `traveline sync --json` prints.
private struct SyncReport: Encodable {
    struct Conflict: Encodable {
        let number: Int
        let reason: String
        let text: String
        let trip: String?
    }

    struct Vanished: Encodable {
        let id: String
        let title: String
    }

    let server: String
    let connection: String
    let problem: String?
    let lastAnswer: String?
    let pendingChanges: Int
    let conflicts: [Conflict]
    let vanished: [Vanished]

    init(
        _ connection: DeviceConnection, _ status: SyncStatus, _ conflicts: [TripConflict],
        _ vanished: [VanishedTrip], in language: Language
    ) {
        server = connection.address
        let isAnswering = status.connection == .offline && status.outage?.isAnswer ?? false
        self.connection = isAnswering ? "failing" : "\(status.connection)"
        problem = status.problem?.text(in: language)
        lastAnswer = status.lastAnswer?.formatted(.iso8601)
        pendingChanges = status.pendingWrites
        self.conflicts = conflicts.map {
            Conflict(
                number: $0.id, reason: $0.reason.rawValue, text: language[$0.text],
                trip: $0.wanted.editedTrip?.description)
        }
        self.vanished = vanished.map { Vanished(id: $0.id.description, title: $0.trip.content.title.text) }
    }
}
