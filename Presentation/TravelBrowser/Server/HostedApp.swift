#if Server
import Foundation
import Synchronization
package import TravelServer

/// Serves the app, below ``path``, to the browsers of users who have an account on a server.
///
/// ```swift
/// let app = await HostedApp(server.browserAccounts) { path in try await picture(at: path) }
/// server.connectApp(below: "app", app.answer)
/// try server.start()
/// app.start(at: ["https://trips.example.org"])
/// // …
/// await app.stop()
/// ```
///
/// A session begins when a user signs in or up, and is a device of the account. It goes on when the server is restarted. It
/// ends after 12 hours, when the user signs out or deletes the account, and when the password changes on any device.
package final class HostedApp: Sendable {
    /// The path of the app, without a slash at its end.
    package static let path = ScreenAddress.base

    private let forms: AccountForms
    private let tiles: TileServer?
    let sessions: BrowserSessions
    private let running = Mutex<(application: BrowserApplication, care: Task<Void, Never>)?>(nil)

    /// - Parameters:
    ///   - accounts: The accounts of the server.
    ///   - tiles: The server of street maps that users may ask for them; `nil` for none.
    ///   - readImage: Reads a picture that a browser has sent, at a path, with the time and the position at which it was
    ///     taken. Its error is shown beside the field.
    ///   - importFiles: Imports photos and tracks with the use cases of their user, in their language; `nil` for an app
    ///     that cannot.
    @MainActor
    package init(
        _ accounts: BrowserAccounts, tiles: TileServer? = nil,
        readImage: @escaping @Sendable (String) async throws -> PickedImage,
        importFiles: (@Sendable (UseCases, Language, PickedFiles) async throws -> ImportedTrip)? = nil
    ) {
        self.tiles = tiles
        let pace = LivePace()
        forms = AccountForms(accounts: accounts) { device, language, client in
            let viewer = LiveViewer()
            let store = accounts.store { await pace.turn(of: viewer) }
            var useCases = Self.useCases(accounts, store, device, client, readImage)
            if let importFiles {
                useCases.importFiles = { try await importFiles(accounts.useCases(of: device), language, $0) }
            }
            return BrowserSessions.Access(
                useCases: useCases, language: language, device: device,
                picture: { id, size, key in
                    try await accounts.picture(id, in: size, for: device, client: client, key: key)
                },
                opens: { key, trip in try await accounts.opens(key, trip, for: device) },
                tiles: tiles, viewer: viewer)
        }
        let began = ContinuousClock.now
        sessions = BrowserSessions(pace: pace) { (ContinuousClock.now - began) / .seconds(1) }
    }

    private static func useCases(
        _ accounts: BrowserAccounts, _ store: any TravelStore, _ device: BrowserDevice, _ client: String,
        _ readImage: @escaping @Sendable (String) async throws -> PickedImage
    ) -> ScreenUseCases {
        var useCases = ScreenUseCases(
            store: store, session: device, identity: NobodyElse(), recentKeywords: SessionKeywords(),
            review: accounts.review, readImage: readImage, saveLanguage: { _ in })
        useCases.serverAccount = .init(
            // Only the forms for accounts sign in.
            signIn: { _, _ in throw TravelError.forbidden(.user(device.user)) },
            deleteAccount: { try await accounts.deleteAccount(of: device, $0, client: client) })
        useCases.sharedPage = { PageSite().trip($0, key: $1) }
        return useCases
    }

    /// Answers a request below ``path``; with 503 before ``start(at:)`` and after ``stop()``.
    package func answer(_ request: HTTPRequest) async -> HTTPResponse {
        guard let application = running.withLock({ $0?.application }) else { return HTTPResponse(503) }
        return await application.answer(request)
    }

    /// Starts to answer requests.
    ///
    /// - Parameters:
    ///   - origins: The origins at which browsers find the server, all with the same scheme, such as
    ///     `https://trips.example.org`. Requests for another host, and actions from pages of another origin, are refused.
    ///   - patience: The time for which a page waits for what loads.
    package func start(at origins: [String], patience: Duration = .milliseconds(500)) {
        let isEncrypted = origins.allSatisfy { $0.hasPrefix("https://") }
        let hosts = origins.map { String($0.drop { $0 != "/" }.dropFirst(2)) }
        let port = hosts.first.flatMap { $0.split(separator: ":").last } ?? ""
        let application = BrowserApplication(
            origins: .init(
                hosts: Set(hosts), scheme: isEncrypted ? "https" : "http",
                // A browser takes a cookie of this name only from the host itself, encrypted, and for all of its paths.
                cookie: isEncrypted ? "__Host-traveline" : "traveline-\(port)"),
            sessions: sessions, entrance: .accounts(forms), tiles: tiles, patience: patience)
        let care = Task { [sessions] in
            for turn in 1... {
                await sessions.sweep()
                // A request asks the store itself: this is for those who only watch.
                if turn.isMultiple(of: 6) {
                    await sessions.endSignedOut()
                    await sessions.signOutRefused()
                }
                do { try await Task.sleep(for: .seconds(5)) } catch { return }
            }
        }
        running.withLock { $0 = (application, care) }
    }

    /// Ends all runs. Their browsers reconnect when the server is back, where their users are still signed in.
    package func stop() async {
        running.withLock { $0.take() }?.care.cancel()
        await sessions.stop(isQuit: false)
    }
}

/// Signs nobody in: the user of a session stays who they are.
private struct NobodyElse: IdentityProvider {
    func identify() async throws -> Session { throw TravelError.signedOut }
    func refresh(_ session: Session) async throws -> Session { throw TravelError.signedOut }
    func reauthenticate() async throws -> User.ID { throw TravelError.signedOut }
}

/// The recent searches of a session.
private final class SessionKeywords: RecentKeywordRepository {
    private let keywords = Mutex(RecentKeywords())

    func recentKeywords() async throws -> RecentKeywords { keywords.withLock(\.self) }

    func updateRecentKeywords(_ change: @escaping @Sendable (inout RecentKeywords) -> Void) async throws {
        keywords.withLock { change(&$0) }
    }
}
#endif
