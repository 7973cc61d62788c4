import TravelDomainTesting
import TravelTerminal

@MainActor
func screenOfANewTrip(_ useCases: ScreenUseCases) -> String {
    let session = HeadlessSession(useCases, language: .english, columns: 80, rows: 24)
    defer { session.close() }
    session.press("n".utf8)
    return session.text
}

@MainActor
func run(_ useCases: ScreenUseCases) async throws {
    try await TerminalSession(useCases, language: .korean, environment: ["TERM": "xterm"]).run { open in
        print(open)
    }
}

func messageOfAFailure() -> String {
    ScreenFailure(TravelError.unavailable(.init("Offline.", canRetry: true))).text(in: .english)
}
