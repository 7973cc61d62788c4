import Composition
import StreamsTesting
import ViewModelsTesting

@testable import TravelTerminal

/// The app in virtual time: keys in, frames as text out.
@MainActor
final class AppRun {
    let world: AppWorld
    let app: TerminalApp
    var size = Size(columns: 80, rows: 24)
    /// How often a frame was requested.
    private(set) var requests = 0
    private let dependencies: DependencyValues

    init(_ world: AppWorld, language: Language = .english, restoring open: String = "") {
        self.world = world
        (app, dependencies) = SharingScheduler.mock(scheduler: world.scheduler) {
            withDependencies {
                $0.useVirtualTime(of: world.scheduler)
                $0.uuid = .incrementing
                $0.places = OnePlace()
            } operation: {
                world.scheduler.perform {
                    (TerminalApp(world.useCases, language: language, restoring: open), DependencyValues.current)
                }
            }
        }
        app.changed = { [weak self] in self?.requests += 1 }
        pass(200)
    }

    /// Presses keys, 50 ms after each other.
    func press(_ keys: Key...) {
        for key in keys { handle(.key(key)) }
    }

    /// Types text, cluster by cluster.
    func type(_ text: String) {
        for character in text { handle(.key(.character(character))) }
    }

    /// Presses keys at one moment.
    func pressAtOnce(_ keys: Key...) {
        for key in keys { send(.key(key)) }
        pass(50)
    }

    func handle(_ event: InputEvent) {
        send(event)
        pass(50)
    }

    private func send(_ event: InputEvent) {
        inVirtualTime { world.scheduler.perform { app.handle(event) } }
    }

    /// Sends events to a session of this app at one moment.
    func send(_ events: [InputEvent], to session: HeadlessSession) {
        inVirtualTime { world.scheduler.perform { for event in events { session.handle(event) } } }
    }

    /// Ends a session of this app.
    func close(_ session: HeadlessSession) {
        inVirtualTime { world.scheduler.perform { session.close() } }
    }

    func pass(_ milliseconds: Int) {
        inVirtualTime { world.scheduler.advance(by: .milliseconds(milliseconds)) }
    }

    private func inVirtualTime(_ body: () -> Void) {
        SharingScheduler.mock(scheduler: world.scheduler) {
            withDependencies(from: dependencies, operation: body)
        }
    }

    /// The screen as text.
    var text: String { app.frame(size).text }

    /// The lines of the screen.
    var lines: [String] { text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

    /// The first line with that text.
    func line(with text: String) -> String? { lines.first { $0.contains(text) } }
}
