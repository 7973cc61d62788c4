import Foundation
import TravelDataRemote
import TravelDomain
import TravelPresentation
import TravelTerminal

/// The app on a terminal: what `traveline` without a command opens.
struct InteractiveApp {
    private let options: StoreOptions
    private let link: String?
    private let environment = ProcessInfo.processInfo.environment

    /// The app, with the screen of a link on top if there is one.
    init(_ options: StoreOptions, opening link: String? = nil) {
        self.options = options
        self.link = link
    }

    /// Opens the app and returns when the user has left it. Asks once whether to keep the sample trips.
    ///
    /// The language that was chosen in the settings, and the screens that were open, are kept in the data directory;
    /// another database, account or language applies to this run only.
    func run() async throws {
        guard isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0 else {
            throw UsageError(
                "the app needs a terminal; without one, use a command: \(Command.list)",
                "명령을 쓰세요: \(Command.list). 앱은 터미널에서만 열립니다")
        }
        guard environment["TERM"] != "dumb" else {
            throw UsageError(
                "TERM is dumb: the app needs a terminal that can move its cursor; use a command: \(Command.list)",
                "TERM이 dumb입니다. 앱은 커서를 옮길 수 있는 터미널에서만 열립니다. 명령을 쓰세요: \(Command.list)")
        }
        guard Standard.isUTF8 else {
            throw UsageError(
                "the app needs a terminal and a locale with UTF-8, such as LC_ALL=C.UTF-8",
                "앱은 UTF-8 터미널에서만 열립니다. LC_ALL=C.UTF-8처럼 UTF-8 로캘로 실행하세요")
        }
        let state = try StateFiles(in: environment)
        var options = options
        options.language = options.language ?? state.language
        let keepsScreens = options.database == nil && options.account == nil
        try await App.run(options, isInteractive: true) { [options, link] app in
            try await askAboutSamples(in: app, state)
            let session = await TerminalSession(
                Self.useCases(in: app, state), language: options.language ?? app.language,
                restoring: keepsScreens ? state.text(of: "screens") ?? "" : "", opening: link,
                environment: environment)
            try await session.run { open in
                // Where this cannot be saved, the app begins with the list of trips the next time.
                if keepsScreens { try? state.save(open, as: "screens") }
                await app.close()
            }
        }
    }

    /// What the screens do with the stores of the app; what they delete, `undo` brings back.
    static func useCases(in app: App, _ state: StateFiles) -> ScreenUseCases {
        var useCases = ScreenUseCases(
            store: app.store, session: app.session, identity: app.identity, recentKeywords: app.recentKeywords,
            synchronization: app.synchronization,
            readImage: { try await ImageFile(typed: $0).picked() },
            saveLanguage: { try state.save($0.rawValue, as: "language") })
        useCases.deleteTrip = { id in
            let viewer = try await app.session.session()?.user
            let deletion = try await app.deleteTrips([try await app.store.trip(id, viewer: viewer)])
            return deletion.map { UndoableDeletion(id: .init($0), of: .trip(id)) }
        }
        useCases.deleteEntry = { entry, id in
            let (trip, timeline) = try await app.details(of: id)
            guard let entry = timeline.first(where: { $0.id == entry }) else {
                throw TravelError.notFound(.entry(entry))
            }
            let deletion = try await app.deleteEntry(entry, of: trip)
            return deletion.map { UndoableDeletion(id: .init($0), of: .entry(entry.id, in: id)) }
        }
        useCases.importFiles = { try await app.importFiles($0) }
        useCases.undo = { deletion in
            do {
                try await app.undo(only: deletion.id.rawValue)
            } catch is CommandError {
                throw ScreenFailure.cannotUndo
            }
        }
        useCases.deleteAccount = { [deleteAccount = useCases.deleteAccount] in
            let user = try await app.session.session()?.user
            try await deleteAccount()
            if let user { app.forgetDeletions(of: user) }
        }
        if let server = app.server?.store.remote.server {
            useCases.sharedPage = { id, key in server.page(of: id, key: key).absoluteString }
        }
        useCases.serverAccount = app.server.map { connection, store in
            .init(
                signIn: { nickname, password in
                    let user = try await store.signIn(nickname, password, owner: User.ID(connection.user))
                    try await app.session.setSession(Session(user: user.id))
                },
                deleteAccount: { password in
                    let identity = ProvenIdentity(session: store.remote, password: password)
                    try await app.useCases.deleteAccount(confirmedBy: identity)()
                    app.forgetDeletions(of: User.ID(connection.user))
                })
        }
        return useCases
    }
}

extension InteractiveApp {
    /// Asks before the first screen whether the sample trips stay in the user's own database, unless that was answered
    /// before, or there are none.
    private func askAboutSamples(in app: App, _ state: StateFiles) async throws {
        guard app.place == StoreLocation.own, state.text(of: "samples") == nil else { return }
        let samples = try await app.samples()
        if samples.isEmpty { return }
        let count = app.language[.trips(samples.count)]
        Standard.error.write(
            app.language.say(
                "Your database has \(count) as samples, to look around. Keep them? [Y/n] ",
                "둘러볼 수 있도록 예시 \(count)가 들어 있습니다. 남겨 둘까요? [Y/n] "))
        // Without an answer, the question comes again the next time.
        guard let line = try Standard.line() else { return }
        let keeps = !["n", "no", "아니", "아니오", "아니요", "ㄴ", "ㅜ"].contains(
            line.trimmingCharacters(in: .whitespaces).lowercased())
        if !keeps { _ = try await app.deleteTrips(samples) }
        // Where this cannot be saved, the question comes again as well.
        try? state.save(keeps ? "kept" : "removed", as: "samples")
    }
}

/// Small files beside the database, one value each.
struct StateFiles: Sendable {
    private let folder: URL

    init(in environment: [String: String]) throws {
        folder = URL(fileURLWithPath: try DataDirectory.databasePath(in: environment)).deletingLastPathComponent()
    }

    /// The language that was chosen in the settings of the app.
    var language: Language? { text(of: "language").flatMap(Language.init(rawValue:)) }

    /// The text of a file; nil if there is none, or it cannot be read: then the app begins as the first time.
    func text(of name: String) -> String? {
        let text = try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        return text?.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func save(_ text: String, as name: String) throws {
        do {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name), options: .atomic)
        } catch {
            throw TravelError.unavailable(
                .init(
                    "\(folder.path): the folder is not writable; check its permissions", cause: .inaccessible,
                    canRetry: true))
        }
    }
}
