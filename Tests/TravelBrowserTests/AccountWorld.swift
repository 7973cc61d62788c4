import Composition
import Foundation
import StreamsTesting
import Synchronization
import Testing
import TravelDataInMemory
import TravelDomainTesting
import TravelFileSamples
import TravelPages
import ViewModelsTesting

@testable import TravelBrowser

/// A tab of a browser in virtual time: inputs in, pages out; over a store in memory whose answers take 20 ms each.
@MainActor
final class AccountWorld {
    let scheduler = TestScheduler(resolution: 0.001)
    let session: InMemorySession
    let memory = InMemoryTripRepository()
    let run: BrowserRun
    private let dependencies: DependencyValues
    private let log: CallLog

    nonisolated static let me = user(1, "나그네")
    nonisolated static let jun = user(2, "Jun")

    nonisolated static func user(_ seed: UInt64, _ nickname: String) -> User {
        do {
            return try User(seed: seed, nickname: nickname)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// - Parameters:
    ///   - screen: The screen that the tab opens.
    ///   - signedIn: Whether ``me`` is signed in.
    ///   - synchronization: What waits between the device and its server, if it has one.
    ///   - prepare: What the store has before.
    init(
        at screen: Screen, language: Language = .english, signedIn: Bool = true,
        synchronization: ScriptedSynchronization? = nil, failing: Set<InterceptedStore.Call> = [],
        pace: LivePace = LivePace(),
        _ prepare: @escaping @Sendable (InMemoryTripRepository) async throws -> Void = { _ in }
    ) throws {
        let (scheduler, memory, log) = (scheduler, memory, CallLog(failing: failing))
        let session =
            signedIn ? InMemorySession(device: Self.me.id, signedIn: Self.me.id) : InMemorySession(device: Self.me.id)
        (self.session, self.log) = (session, log)
        let people = [Self.me, Self.jun]
        try scheduler.run {
            for person in people where signedIn || person != people[0] { try await memory.add(person) }
            try await prepare(memory)
        }
        let wait = { @Sendable in try await scheduler.virtualClock.sleep(for: .milliseconds(20)) }
        var useCases = ScreenUseCases(
            store: InterceptedStore(memory) { call in
                if ![.user, .trip, .timeline, .track].contains(call) { try await wait() }
                try log.add(call)
            },
            session: session, identity: session, recentKeywords: InMemoryRecentKeywordRepository(),
            synchronization: synchronization, readImage: { _ in throw InterceptedStore.outage }, saveLanguage: { _ in })
        useCases.serverAccount = synchronization.map { synchronization in
            .init(
                signIn: { nickname, password in
                    try await wait()
                    log.add("\(nickname): \(password.text)")
                    guard password.text == "correct horse" else { throw TravelError.wrongCredentials }
                    synchronization.update { $0.connection = .online }
                },
                deleteAccount: { password in
                    try await wait()
                    log.add(password.text)
                    guard password.text == "correct horse" else { throw TravelError.wrongCredentials }
                    try await session.setSession(nil)
                })
        }
        (run, dependencies) = SharingScheduler.mock(scheduler: scheduler) {
            withDependencies {
                $0.useVirtualTime(of: scheduler)
                $0.uuid = .incrementing
            } operation: {
                scheduler.perform {
                    (
                        BrowserRun(
                            useCases, language: language, at: ScreenAddress(screen), id: "run",
                            token: "secret of the session", pace: pace),
                        DependencyValues.current
                    )
                }
            }
        }
        pass(300)
    }

    /// The calls that change the store so far, in order.
    var changes: [InterceptedStore.Call] { log.changes }
    /// The passwords that the server was sent.
    var passwords: [String] { log.passwords }

    /// These calls fail from now on.
    func fail(_ calls: InterceptedStore.Call...) { log.fail(Set(calls)) }

    /// Changes the store elsewhere.
    func perform(_ body: @escaping @Sendable (InMemoryTripRepository) async throws -> Void) throws {
        try scheduler.run { [memory] in try await body(memory) }
        pass(100)
    }

    func pass(_ milliseconds: Int) {
        inScope { scheduler.advance(by: .milliseconds(milliseconds)) }
    }

    /// Does what a person does, and lets time pass.
    @discardableResult
    func receive(_ inputs: [PageInput], thenPass milliseconds: Int = 200) -> Bool {
        let isKnown = inScope { scheduler.perform { run.receive(inputs) } }
        pass(milliseconds)
        return isKnown
    }

    func press(_ control: String, thenPass milliseconds: Int = 200) {
        #expect(receive([.control(.init(text: control))], thenPass: milliseconds), "\(control) has no meaning")
    }

    /// The patch that the browser gets now; `nil` for none.
    func patch() -> PagePatch? {
        inScope { scheduler.perform { run.nextPatch(after: run.version) } }
    }

    private func inScope<Result>(_ body: () -> Result) -> Result {
        SharingScheduler.mock(scheduler: scheduler) { withDependencies(from: dependencies, operation: body) }
    }

    // MARK: The page

    var page: CheckedXML { CheckedXML(run.appPage.html.document(.html)) }
    /// The texts of the screen.
    var text: String { page.elements.first { $0.attributes["id"] == "screen" }?.text ?? "" }
    var title: String { run.appPage.title }
    var address: String { run.appPage.address }
    /// The messages at the edge.
    var messages: String { page.elements.first { $0.attributes["id"] == "messages" }?.text ?? "" }
    /// The control of each button.
    var controls: [String] { page.controls.compactMap { $0.attributes["value"] } }
}

/// The calls of a store and its server.
private final class CallLog: Sendable {
    private struct State {
        var failing: Set<InterceptedStore.Call>
        var changes: [InterceptedStore.Call] = []
        var passwords: [String] = []
    }

    private let state: Mutex<State>

    init(failing: Set<InterceptedStore.Call>) { state = Mutex(State(failing: failing)) }

    var changes: [InterceptedStore.Call] { state.withLock { $0.changes } }
    var passwords: [String] { state.withLock { $0.passwords } }

    func fail(_ calls: Set<InterceptedStore.Call>) { state.withLock { $0.failing = calls } }
    func add(_ password: String) { state.withLock { $0.passwords.append(password) } }

    func add(_ call: InterceptedStore.Call) throws {
        let changes: Set<InterceptedStore.Call> = [
            .addTrips, .update, .setLiked, .report, .block, .unblock, .addUser, .rename, .removeUser,
        ]
        try state.withLock { state in
            if changes.contains(call) { state.changes.append(call) }
            if state.failing.contains(call) { throw InterceptedStore.outage }
        }
    }
}

// MARK: Pages of states

extension PageContext {
    static func sample(_ language: Language = .english, user: User? = AccountWorld.me) -> PageContext {
        PageContext(
            language: language, user: user, site: PageSite(base: ScreenAddress.base),
            now: Date(timeIntervalSinceReferenceDate: 800_000_000), token: "secret of the session",
            address: "/app/settings")
    }
}

extension ScreenPage {
    /// The screen of a state, parsed.
    static func parsed(_ state: State, _ language: Language = .english) -> CheckedXML {
        CheckedXML(HTML("main") { Self(.sample(language)).view(of: state) }.document(.html))
    }

    /// What is wrong with the screen of a state in any language: what no browser should get, what has no name for readers,
    /// and what nobody understands when it is pressed or typed into.
    static func defects(_ state: State) -> [String] {
        Language.allCases.flatMap { language in
            let (screen, page) = (Self(.sample(language)), parsed(state, language))
            var defects = page.defects { $0 == ScreenAddress.base || $0.hasPrefix("\(ScreenAddress.base)/") }
            if screen.title(of: state).isEmpty { defects.append("no title") }
            for control in page.controls {
                let value = control.attributes["value"] ?? ""
                if value != "back", screen.actions(for: .control(.init(text: value)), in: state) == nil {
                    defects.append("nobody understands the control \(value)")
                }
                let hasText = control.text.contains { !$0.isWhitespace }
                if (control.attributes["aria-label"] ?? control.text).isEmpty || !hasText {
                    defects.append("the control \(value) has no name")
                }
            }
            let labels = page.all("label").compactMap { $0.attributes["for"] }
            for field in page.fields {
                let name = field.attributes["name"] ?? ""
                if screen.actions(for: .field(name, "x"), in: state) == nil {
                    defects.append("nobody understands the field \(name)")
                }
                if !labels.contains(field.attributes["id"] ?? "") { defects.append("the field \(name) has no label") }
                let note = field.attributes["aria-describedby"]
                if !page.elements.contains(where: { $0.attributes["id"] == note }) {
                    defects.append("the field \(name) has no place for its problem")
                }
            }
            for form in page.all("form") where form.attributes["method"] == "post" {
                let hasToken = page.all("input").contains { $0.attributes["name"] == "token" }
                if !hasToken || form.attributes["action"] == nil { defects.append("a form without a token") }
            }
            return defects.map { "\(language): \($0)" }
        }
    }
}

extension CheckedXML {
    /// The buttons that press a control.
    var controls: [Element] { all("button").filter { $0.attributes["name"] == "do" } }
    /// The fields in which a person types.
    var fields: [Element] {
        all("input").filter { !["hidden", "radio", "checkbox"].contains($0.attributes["type"]) } + all("textarea")
    }
    var text: String { elements.first?.text ?? "" }

    func element(_ id: String) -> Element? { elements.first { $0.attributes["id"] == id } }
}
