import TravelDomainTesting
import TravelTerminal

@MainActor
func screenOfANewTrip(_ screens: TerminalScreens) -> String {
    let session = HeadlessSession(screens, language: .english, columns: 80, rows: 24)
    defer { session.close() }
    session.press("n".utf8)
    return session.text
}

@MainActor
func run(_ screens: TerminalScreens) async throws {
    try await TerminalSession(screens, language: .korean, environment: ["TERM": "xterm"]).run { open in
        print(open)
    }
}

func messageOfAFailure() -> ErrorMessage {
    ErrorMessage(ScreenFailure(TravelError.unavailable(.init("Offline.", canRetry: true))), in: .english)
}
