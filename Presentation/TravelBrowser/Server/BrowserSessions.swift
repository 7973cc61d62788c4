#if Server
import Foundation
import Synchronization
internal import TravelServer

/// The sessions of browsers, and the runs of their tabs.
@MainActor
final class BrowserSessions {
    struct Limits {
        /// The time after which a session has to begin anew.
        var session = 12.0 * 3_600
        /// The time for which a run without a stream is kept: a page that is loaded connects at once, and a hidden tab
        /// comes back.
        var idle = 600.0
        /// The time for which a run is kept that never had a stream, as of a browser without the script.
        var unconnected = 20.0
        var sessions = 2_000
        /// The number of sessions of one account.
        var sessionsPerAccount = 20
        /// The number of tabs of a session.
        var runs = 20
        /// The number of inputs that a session may send at once, and each second.
        var burst = 60.0
        var rate = 20.0
        /// The bytes that the pictures of all sessions may have that are not saved yet.
        var pictures = 4 << 30
    }

    /// What a session provides to its runs.
    struct Access: Sendable {
        let useCases: ScreenUseCases
        /// The language to begin with.
        let language: Language
        /// The account that has signed in; `nil` where nobody does.
        var device: BrowserDevice?
        /// Returns a picture in a size as this viewer sees it, also one who presents the key of a link, without metadata;
        /// `nil` when it cannot be shown.
        let picture: @Sendable (TripImage.ID, PictureSize?, LinkKey?) async throws -> (mediaType: String, bytes: Data)?
        /// Whether this viewer needs the key of a link to see the trip, and sees it with this one.
        var opens: @Sendable (LinkKey, Trip.ID) async throws -> Bool = { _, _ in false }
        /// The server of street maps; `nil` for none.
        var tiles: TileServer?
        /// Its user, where open pages take turns.
        var viewer = LiveViewer()
        /// Ends the app for all sessions; `nil` where that is not up to the user.
        var quit: (@Sendable () -> Void)?
    }

    /// The value of the cookie. It has all that a session needs: a server that has been restarted, or another process, goes
    /// on with it, so that forms of open pages stay valid.
    struct Cookie: Hashable, Sendable {
        let id: String
        let token: String

        init(id: String, token: String) { (self.id, self.token) = (id, token) }

        /// Reads a value that ``text`` has made; `nil` for any other.
        init?(_ text: String) {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, Secret.isText(parts[1]) else { return nil }
            (id, token) = (String(parts[0]), String(parts[1]))
        }

        var text: String { "\(id).\(token)" }
    }

    @MainActor
    final class Session {
        nonisolated let id: String
        /// What every action has to name.
        nonisolated let token: String
        /// The secret of its browser: what finds the session, and the token of its actions.
        nonisolated var cookie: Cookie { Cookie(id: id, token: token) }
        nonisolated let access: Access
        nonisolated let endsAt: Double
        /// The pictures that its editors read.
        nonisolated let pictures: StagedPictures
        /// The links that its user has followed.
        nonisolated let links = FollowedLinks()
        fileprivate let useCases: ScreenUseCases
        private let chosenLanguage: ChosenLanguage
        /// Ends the session when its account is signed out.
        fileprivate var watch: Task<Void, Never>?
        var runs: [(run: BrowserRun, usedAt: Double)] = []
        /// The answers to the last forms that were posted with a page of their own.
        private var answers: [(form: Int, answer: Task<HTTPResponse, any Error>)] = []
        fileprivate var allowance: (count: Double, at: Double)

        fileprivate init(
            _ access: Access, token: String?, endsAt: Double, allowance: Double, at time: Double,
            budget: StagedPictures.Budget
        ) {
            (id, self.token) = (access.device?.token ?? Secret.text(), token ?? Secret.text())
            (self.access, self.endsAt) = (access, endsAt)
            self.allowance = (allowance, time)
            let pictures = StagedPictures(budget)
            var useCases = access.useCases
            let read = useCases.readImage
            // Whatever an editor is told to read is one of these, or nothing.
            useCases.readImage = { try await pictures.read($0, by: read) }
            let chosenLanguage = ChosenLanguage(access.language)
            useCases.saveLanguage = { [save = useCases.saveLanguage] language in
                try await save(language)
                chosenLanguage.value.withLock { $0 = language }
            }
            useCases.linkKey = { [links] in links.key(of: $0) }
            (self.pictures, self.useCases, self.chosenLanguage) = (pictures, useCases, chosenLanguage)
        }

        /// The language of the next run.
        var language: Language { chosenLanguage.value.withLock(\.self) }

        /// Whether the device is still signed in: another process may have signed it out.
        ///
        /// - Throws: The errors of the store.
        nonisolated func isSignedIn() async throws -> Bool {
            guard let device = access.device else { return true }
            return try await device.session() != nil
        }

        /// Keeps the key of the link of an address, if that opens its trip: a wrong one changes nothing.
        ///
        /// - Throws: The errors of the store.
        nonisolated func followLink(of address: ScreenAddress) async throws {
            guard let key = address.key, let trip = address.screen.tripID, links.key(of: trip) != key else { return }
            if try await access.opens(key, trip) { links.keep(key, of: trip) }
        }

        /// Returns what `handle` does with a form; of a form that is sent again from the same page, as by a double click
        /// without the script, what the first one was answered.
        ///
        /// - Parameter form: The hash of the form with the page that it names.
        func answer(
            to form: Int, _ handle: @escaping @Sendable () async throws -> HTTPResponse
        ) async throws -> HTTPResponse {
            if let answer = answers.first(where: { $0.form == form })?.answer { return try await answer.value }
            let answer = Task { try await handle() }
            answers = answers.suffix(Self.answerCount - 1) + [(form, answer)]
            return try await answer.value
        }

        private static let answerCount = 2
    }

    private final class ChosenLanguage: Sendable {
        let value: Mutex<Language>

        init(_ language: Language) { value = Mutex(language) }
    }

    private let limits: Limits
    /// The seconds since some moment.
    private nonisolated let time: @Sendable () -> Double
    /// The sessions by what their cookies name. Every request looks there, which is too often to wait for the main actor;
    /// only there it changes.
    private nonisolated let known = Mutex<[String: Session]>([:])
    private var sessions: [String: Session] { known.withLock(\.self) }
    /// Whether all sessions have ended, and whether the app has.
    private(set) var (isStopped, hasQuit) = (false, false)
    /// The devices that are being signed out.
    private var signOuts: [Int: Task<Void, Never>] = [:]
    private var lastSignOut = 0
    /// The sessions that have ended before their time, with that time and, until it is signed out, their device: where the store
    /// refuses to sign it out, their cookies are of no use either.
    private var ended: [String: (until: Double, device: BrowserDevice?)] = [:]
    private let pictures: StagedPictures.Budget
    /// The maps of all tabs.
    private let maps = MapCache(capacity: 200)
    private let pace: LivePace

    init(_ limits: Limits = Limits(), pace: LivePace = LivePace(), time: @escaping @Sendable () -> Double) {
        (self.limits, self.pace, self.time) = (limits, pace, time)
        pictures = StagedPictures.Budget(limits.pictures)
    }

    var runCount: Int { sessions.values.reduce(0) { $0 + $1.runs.count } }
    var count: Int { sessions.count }
    var anyRun: BrowserRun? { sessions.values.lazy.flatMap(\.runs).first?.run }

    /// Begins a session; the oldest one ends where there are too many, in all or of the account.
    ///
    /// - Parameter cookie: That of a session that goes on, if its device is that of `access`.
    func begin(_ access: Access, goingOn cookie: Cookie? = nil) -> Session {
        if let session = session(cookie?.id) { return session }
        sweep()
        func makeRoom(_ sessions: [Session], _ limit: Int) {
            for session in sessions.sorted(by: { $0.endsAt < $1.endsAt }).dropLast(limit - 1) { end(session) }
        }
        if let user = access.device?.user {
            makeRoom(sessions.values.filter { $0.access.device?.user == user }, limits.sessionsPerAccount)
        }
        if sessions.count >= limits.sessions { makeRoom(Array(sessions.values), limits.sessions) }
        let now = time()
        let session = Session(
            access, token: cookie?.token, endsAt: now + limits.session - (access.device?.age ?? 0),
            allowance: limits.burst, at: now, budget: pictures)
        known.withLock { $0[session.id] = session }
        if let device = access.device {
            session.watch = Task { [weak self, weak session] in
                await device.waitUntilSignedOut()
                if let self, let session, !Task.isCancelled { end(session) }
            }
        }
        return session
    }

    /// Ends a session with its runs, and signs its device out.
    func end(_ session: Session) {
        guard known.withLock({ $0.removeValue(forKey: session.id) }) != nil else { return }
        close(session)
        guard let device = session.access.device else { return }
        ended[session.id] = (session.endsAt, device)
        signOut(device)
    }

    private func signOut(_ device: BrowserDevice) {
        lastSignOut += 1
        let number = lastSignOut
        signOuts[number] = Task {
            do {
                try await device.setSession(nil)
                ended[device.token]?.device = nil
            } catch {
                // The store is asked again later.
            }
            signOuts[number] = nil
        }
    }

    /// Signs out the devices of ended sessions that the store has refused to sign out, so that no other process and no later
    /// run of the server admits them.
    func signOutRefused() async {
        if signOuts.isEmpty { for device in ended.values.compactMap(\.device) { signOut(device) } }
        for signOut in signOuts.values { await signOut.value }
    }

    private func close(_ session: Session) {
        session.watch?.cancel()
        for (run, _) in session.runs { run.close() }
        session.runs = []
        session.pictures.close()
    }

    /// Ends all runs. The devices stay signed in: their sessions go on when the server is back.
    ///
    /// - Parameter isQuit: Whether the app has quit, which browsers then show; otherwise they reconnect.
    func stop(isQuit: Bool) async {
        (isStopped, hasQuit) = (true, isQuit)
        for session in sessions.values { close(session) }
        known.withLock { $0 = [:] }
        for signOut in signOuts.values { await signOut.value }
        await signOutRefused()
    }

    /// Ends the sessions with an open page whose devices were signed out by another process.
    func endSignedOut() async {
        for session in sessions.values where session.runs.contains(where: \.run.isStreaming) {
            // A store that cannot answer is asked again the next time.
            if (try? await session.isSignedIn()) == false { end(session) }
        }
    }

    /// Whether a device may begin or go on with a session.
    func admits(_ device: BrowserDevice) -> Bool {
        !isStopped && device.age < limits.session && ended[device.token] == nil
    }

    /// The session of a cookie, while it lasts.
    nonisolated func session(_ id: String?) -> Session? {
        guard let id, let session = known.withLock({ $0[id] }), session.endsAt > time() else { return nil }
        return session
    }

    /// Whether the session may act now, which counts.
    func allows(_ session: Session) -> Bool {
        let now = time()
        let count = min(limits.burst, session.allowance.count + (now - session.allowance.at) * limits.rate)
        session.allowance = (max(0, count - 1), now)
        return count >= 1
    }

    /// Begins a run; the one that was used least recently ends where the session has too many.
    func beginRun(at address: ScreenAddress, in session: Session) -> BrowserRun {
        sweep()
        while session.runs.count >= limits.runs {
            let index = session.runs.indices.min { session.runs[$0].usedAt < session.runs[$1].usedAt } ?? 0
            session.runs.remove(at: index).run.close()
        }
        let run = BrowserRun(
            session.useCases, language: session.language, at: address, id: Secret.text(), token: session.token,
            maps: maps, tiles: session.access.tiles, links: session.links, pace: pace, viewer: session.access.viewer,
            quit: session.access.quit, hasAccount: session.access.device != nil)
        session.runs.append((run, time()))
        return run
    }

    func run(_ id: String, in session: Session) -> BrowserRun? {
        guard let index = session.runs.firstIndex(where: { $0.run.id == id }) else { return nil }
        session.runs[index].usedAt = time()
        return session.runs[index].run
    }

    func end(_ run: BrowserRun, in session: Session) {
        session.runs.removeAll { $0.run === run }
        run.close()
    }

    /// Ends what nobody uses any more.
    func sweep() {
        let now = time()
        ended = ended.filter { $0.value.until > now }
        for session in sessions.values {
            if session.endsAt <= now { end(session) }
            for (run, usedAt) in session.runs where !run.isStreaming {
                if now - usedAt > (run.hadStream ? limits.idle : limits.unconnected) { end(run, in: session) }
            }
        }
    }
}

/// Texts that nobody can guess.
enum Secret {
    /// A text of 128 random bits.
    static func text() -> String {
        var random = SystemRandomNumberGenerator()
        return (0..<2).map { _ in
            let digits = String(random.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    static func isText(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 32 && text.allSatisfy { $0.isHexDigit && !$0.isUppercase }
    }

    /// Whether two texts are equal, in a time that does not depend on where they differ.
    static func areEqual(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
#endif
