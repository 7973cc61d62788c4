import Composition
import Streams
import StreamsTesting
import TestTurns
import Testing
import ViewModels
import ViewModelsTesting

/// An inbox: a refresh empties the cache and then loads messages; loaded messages request names; the shown messages
/// depend on the filter at the arrival of the answer.
private struct Inbox: Flow {
    struct State: Equatable, Sendable {
        var showsUnreadOnly = false
        var messages: [Message] = []
        var names: [Int: String] = [:]
    }

    enum Action: Equatable, Sendable {
        case refreshTapped, filterTapped
        case messagesArrived([Message]), namesArrived([Int: String])
    }

    enum SideEffect: Equatable, Sendable {
        case emptyCache, loadMessages, loadNames(ofSenders: [Int])
    }

    @Dependency(\.mail) private var mail

    var initialState: State { State() }

    func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Never> {
        switch action {
        case .refreshTapped:
            return .inOrder(.emptyCache, .loadMessages)
        case .filterTapped:
            state.showsUnreadOnly.toggle()
            return .none
        case .messagesArrived(let messages):
            state.messages = messages.filter { $0.isUnread || !state.showsUnreadOnly }
            return .run(.loadNames(ofSenders: state.messages.map(\.sender)))
        case .namesArrived(let names):
            state.names = names
            return .none
        }
    }

    func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .emptyCache: .task { _ in await mail.emptyCache() }
        case .loadMessages: .task { .messagesArrived(await mail.messages()) }
        case .loadNames(let senders): .task { .namesArrived(await mail.names(senders)) }
        }
    }
}

private struct Message: Equatable, Sendable {
    let sender: Int
    let isUnread: Bool
}

private struct Mail: Sendable {
    var emptyCache: @Sendable () async -> Void
    var messages: @Sendable () async -> [Message]
    var names: @Sendable (_ senders: [Int]) async -> [Int: String]
}

private enum MailKey: DependencyKey {
    static var liveValue: Mail {
        fromCompositionRoot(placeholder: Mail(emptyCache: {}, messages: { [] }, names: { _ in [:] }))
    }
}

extension DependencyValues {
    fileprivate var mail: Mail {
        get { self[MailKey.self] }
        set { self[MailKey.self] = newValue }
    }
}

@Suite("Pattern: several side effects of one action", .takesTurns, .nothingSurvives)
struct EffectOrderTests {
    @Test("the inbox empties its cache before it loads messages, and then requests their names")
    func resetThenLoad() {
        run { tester, calls in
            tester.send(.refreshTapped)
            tester.receive(.messagesArrived([.ada, .bo])) { $0.messages = [.ada, .bo] }
            tester.receive(.namesArrived([1: "Ada", 2: "Bo"])) { $0.names = [1: "Ada", 2: "Bo"] }
            #expect(calls.all == ["empty cache", "cache is empty", "load messages", "load names [1, 2]"])
        }
    }

    @Test("an answer of the inbox meets the state at its arrival, not at its request")
    func stateAtTheAnswer() {
        run { tester, calls in
            tester.send(.refreshTapped)
            tester.send(.filterTapped) { $0.showsUnreadOnly = true }
            tester.receive(.messagesArrived([.ada, .bo])) { $0.messages = [.bo] }
            tester.receive(.namesArrived([2: "Bo"])) { $0.names = [2: "Bo"] }
            #expect(calls.all.last == "load names [2]")
        }
    }

    private func run(_ body: (FlowTester<Inbox>, Notes<String>) -> Void) {
        let scheduler = TestScheduler(resolution: 0.001)
        let calls = Notes<String>()
        withDependencies {
            $0.mail = .slow(scheduler.virtualClock, calls)
        } operation: {
            let tester = FlowTester(Inbox(), scheduler: scheduler)
            body(tester, calls)
            tester.finish()
        }
    }
}

extension Message {
    fileprivate static let ada = Message(sender: 1, isUnread: false)
    fileprivate static let bo = Message(sender: 2, isUnread: true)
}

extension Mail {
    /// Takes a second for everything, and records its requests.
    fileprivate static func slow(_ clock: VirtualClock, _ calls: Notes<String>) -> Mail {
        @Sendable func wait() async {
            // A cancelled sleep ends early; the effects that wait for it are then not performed.
            try? await clock.sleep(for: .seconds(1))
        }
        return Mail(
            emptyCache: {
                calls.add("empty cache")
                await wait()
                calls.add("cache is empty")
            },
            messages: {
                calls.add("load messages")
                await wait()
                return [.ada, .bo]
            },
            names: { senders in
                calls.add("load names \(senders)")
                await wait()
                return [1: "Ada", 2: "Bo"].filter { senders.contains($0.key) }
            })
    }
}
