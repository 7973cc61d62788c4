#if Server
import Foundation
import Synchronization
internal import TravelServer

/// A secret that admits once.
private final class Ticket: Sendable {
    let secret = Secret.text()
    private let isUsed = Mutex(false)

    func admits(_ secret: String) -> Bool {
        guard Secret.areEqual(secret, self.secret) else { return false }
        return isUsed.withLock { isUsed in
            defer { isUsed = true }
            return !isUsed
        }
    }
}

/// The app in the browsers of this machine's user: listens on the loopback address, and lets nobody else in.
///
/// ```swift
/// let server = BrowserServer(useCases, language: .english) { id, size in try await picture(id, in: size) }
/// let opening = try await server.start()
/// opening.address                 // "http://6f1c….localhost:40123/app/"
/// try opening.page.write(to: file)    // a private file, which signs the browser in that opens it
/// await server.waitUntilQuit()
/// await server.stop()
/// ```
///
/// Other users of the machine can reach the port, but nothing behind it: a session begins with a secret of one use, which
/// ``Opening/page`` sends. The app lives at a name of its own below `localhost`, since browsers send cookies of one host to
/// all of its ports.
package final class BrowserServer: Sendable {
    /// How a browser finds the app.
    package struct Opening: Sendable {
        /// The address of the app, for a browser that has a session.
        package let address: String
        /// A page that signs in the browser that opens it, once; for a file that nobody else can read.
        package let page: Data
    }

    private let access: BrowserSessions.Access
    private let quits: AsyncStream<Void>
    private let name = "traveline-\(Secret.text().prefix(16)).localhost"
    private let ticket = Ticket()
    private let sessions: BrowserSessions
    private let running = Mutex<(http: HTTPServer, care: Task<Void, Never>)?>(nil)

    /// - Parameters:
    ///   - useCases: What the app provides to its screens.
    ///   - language: The language to begin with.
    ///   - tiles: The server of street maps that users may ask for them; `nil` for none.
    ///   - picture: Returns a picture in a size as the user sees it, without metadata; `nil` when it cannot be shown.
    @MainActor
    package init(
        _ useCases: ScreenUseCases, language: Language, tiles: TileServer? = nil,
        picture: @escaping @Sendable (TripImage.ID, PictureSize?) async throws -> (mediaType: String, bytes: Data)?
    ) {
        let (quits, quit) = AsyncStream<Void>.makeStream()
        self.quits = quits
        access = .init(
            useCases: useCases, language: language, picture: { id, size, _ in try await picture(id, size) },
            tiles: tiles,
            quit: { quit.yield() })
        let began = ContinuousClock.now
        sessions = BrowserSessions { (ContinuousClock.now - began) / .seconds(1) }
    }

    /// Starts to listen at `port`, by default one that the system chooses.
    ///
    /// - Throws: An error with a description when the port is taken.
    package func start(port: Int = 0) throws -> Opening {
        var configuration = ServerConfiguration(host: "127.0.0.1", port: port)
        // A browser has several tabs, and six connections for each name.
        configuration.connectionsPerAddress = 0
        let application = Mutex<BrowserApplication?>(nil)
        let http = HTTPServer(configuration) { request in
            guard let application = application.withLock(\.self) else { return HTTPResponse(503) }
            return await application.answer(request)
        }
        let port = try http.start()
        let hosts = ["\(name):\(port)", "127.0.0.1:\(port)"]
        application.withLock {
            $0 = BrowserApplication(
                origins: .init(hosts: Set(hosts), scheme: "http", cookie: "traveline-\(port)"), sessions: sessions,
                entrance: .ticket { [access, ticket] secret in ticket.admits(secret) ? access : nil },
                tiles: access.tiles)
        }
        let care = Task { [sessions] in
            while !Task.isCancelled {
                await sessions.sweep()
                try? await Task.sleep(for: .seconds(5))
            }
        }
        running.withLock { $0 = (http, care) }
        return Opening(
            address: "http://\(hosts[0])\(ScreenAddress.base)/",
            page: OpeningPage(hosts: hosts, secret: ticket.secret, language: access.language).data)
    }

    /// Returns when the user has ended the app in a page, or the task is cancelled.
    package func waitUntilQuit() async {
        for await _ in quits { return }
    }

    /// Ends all sessions, and frees the port.
    package func stop() async {
        let running = running.withLock { $0.take() }
        running?.care.cancel()
        await sessions.stop(isQuit: true)
        await running?.http.stop(grace: .seconds(1))
    }
}
#endif
