import Foundation
import StreamsTesting
import Synchronization
import TestTurns
import Testing
import TravelDomainTesting
import TravelPresentation
import ViewModelsTesting

struct NicknameFlow: Flow {
    struct State: Equatable, Sendable {
        var text: String
        var verdict: CheckNickname.Verdict?
        var failure: ScreenFailure?
        var isSaving = false

        var canSave: Bool { verdict == .available && !isSaving }
    }
    enum Action: Equatable, Sendable {
        case typed(String), saveTapped
        case checked(Result<CheckNickname.Verdict, ScreenFailure>), saved(Outcome)
    }
    enum SideEffect: Equatable, Sendable { case check(String), save(Nickname) }

    let nickname: String
    let check: @Sendable (String) async throws -> CheckNickname.Verdict
    let change: @Sendable (Nickname) async throws -> Void

    var initialState: State { State(text: nickname) }

    func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, ScreenEvent> {
        switch action {
        case .typed(let text):
            state.text = text
            state.verdict = nil
            state.failure = nil
            return .latest(.check(text), after: .milliseconds(300))
        case .checked(.success(let verdict)):
            state.verdict = verdict
            return .none
        case .checked(.failure(let failure)):
            state.failure = failure
            return .none
        case .saveTapped:
            guard state.canSave, let nickname = try? Nickname(state.text) else { return .none }
            state.isSaving = true
            return .run(.save(nickname))
        case .saved(let outcome):
            state.isSaving = false
            state.failure = outcome.failure
            return outcome == .done ? .event(.notice(.done(.saved))).and(.event(.close(nil))) : .none
        }
    }

    func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .check(let text): .task { .checked(await Result { try await check(text) }) }
        case .save(let nickname): .task { .saved(await Outcome { try await change(nickname) }) }
        }
    }
}

struct BlockedViewModel: ViewModel {
    struct Input {
        let appeared: Observable<Void>
        let unblockTapped: Observable<User.ID>
    }
    struct Output {
        let content: Driver<BlockedFlow.Content>
        let events: Signal<ScreenEvent>
    }

    let load: @Sendable () async throws -> [User]
    let unblock: @Sendable (User.ID) async throws -> Void

    func transform(_ input: Input) -> Output {
        let loaded = input.appeared.flatMapLatest { [load] in
            Observable.task { await Result<[User], ScreenFailure> { try await load() } }
                .map { result -> BlockedFlow.Content in
                    switch result {
                    case .success(let people): .people(people)
                    case .failure(let failure): .failed(failure)
                    }
                }
                .startWith(.loading)
        }
        let ended = input.unblockTapped.groupBy { $0 }
            .flatMap { [unblock] taps in
                taps.flatMapFirst { id -> Observable<(id: User.ID, outcome: Outcome)> in
                    .task { (id, await Outcome { try await unblock(id) }) }
                }
            }
            .share()
        let content = Observable<Change>.merge(
            loaded.map { .replaced($0) }, ended.filter { $0.outcome == .done }.map { .removed($0.id) }
        )
        .scan(BlockedFlow.Content.loading) { content, change -> BlockedFlow.Content in
            switch (change, content) {
            case (.replaced(let content), _): content
            case (.removed(let id), .people(let people)): .people(people.filter { $0.id != id })
            case (.removed, _): content
            }
        }
        return Output(
            content: content.asDriver(onErrorDriveWith: .empty()),
            events: ended.map { .notice($0.outcome.failure.map(Notice.failed) ?? .done(.unblocked)) }
                .asSignal(onErrorSignalWith: .empty()))
    }

    private enum Change: Sendable {
        case replaced(BlockedFlow.Content)
        case removed(User.ID)
    }
}

@Suite("One screen in two forms", .takesTurns)
struct TwoFormsArticleTests {
    /// What both forms do, with answers that take 100 ms each.
    private final class World: Sendable {
        let scheduler = TestScheduler(resolution: 0.001)
        let calls = Recorder<String>()
        let events = Recorder<ScreenEvent>()

        func call(_ name: String) async throws {
            calls.add(name)
            try await scheduler.virtualClock.sleep(for: .milliseconds(100))
            if name.hasSuffix("busy") { throw TravelError.busy }
        }

        func check(_ text: String) async throws -> CheckNickname.Verdict {
            try await call("check \(text)")
            return text == "Jun" ? .taken : .available
        }
    }

    /// Types, waits and taps; returns after each step whether the nickname can be saved.
    private func useNickname(
        _ world: World, canSave: () -> Bool, type: (String) -> Void, save: () -> Void
    ) -> [Bool] {
        var seen: [Bool] = []
        func wait(_ milliseconds: Int) {
            world.scheduler.advance(by: .milliseconds(milliseconds))
            seen.append(canSave())
        }
        type("Jun")
        wait(250)
        type("Juno")
        wait(500)
        type("Jun")
        wait(500)
        type("Minah")
        wait(500)
        save()
        wait(10)
        save()
        wait(200)
        return seen
    }

    @Test("the nickname form does the same as a flow")
    func nickname() throws {
        let world = World()
        let output = Recorder<Bool>()
        let (nickname, saveTapped) = (BehaviorRelay(value: "Mina"), PublishRelay<Void>())
        let bag = DisposeBag()
        SharingScheduler.mock(scheduler: world.scheduler) {
            let form = NicknameViewModel.profile(
                check: { $0 == "Mina" ? .unchanged : try await world.check($0) },
                change: {
                    try await world.call("save \($0)")
                    return User(id: Person.mina.id, nickname: $0)
                }
            )
            .transform(.init(nickname: nickname.asObservable(), saveTapped: saveTapped.asObservable()))
            world.scheduler.perform {
                form.canSave.asObservable().subscribe(onNext: output.add).disposed(by: bag)
                form.events.asObservable().subscribe(onNext: world.events.add).disposed(by: bag)
            }
        }
        let seen = useNickname(
            world, canSave: { output.all.last ?? false },
            type: { text in world.scheduler.perform { nickname.accept(text) } },
            save: { world.scheduler.perform { saveTapped.accept(()) } })

        let other = World()
        let flow = ScreenRun(
            on: other.scheduler,
            NicknameFlow(
                nickname: "Mina", check: { try await other.check($0) }, change: { try await other.call("save \($0)") }))
        let flowSeen = useNickname(
            other, canSave: { flow.state.canSave }, type: { flow.send(.typed($0)) }, save: { flow.send(.saveTapped) })

        #expect(seen == [false, true, false, true, false, true])
        #expect(flowSeen == seen)
        #expect(world.calls.all == ["check Juno", "check Jun", "check Minah", "save Minah"])
        #expect(other.calls.all == world.calls.all)
        let renamed = User(id: Person.mina.id, nickname: try Nickname("Minah"))
        #expect(world.events.all == [.notice(.done(.saved)), .close(.renamed(renamed))])
        #expect(flow.events == [.notice(.done(.saved)), .close(nil)])
    }

    @Test("the list of blocked people does the same as an input/output view model")
    func blocked() {
        let people = [Person.mina, Person.jun]
        let world = World()
        let flow = ScreenRun(
            on: world.scheduler,
            BlockedFlow(
                load: {
                    try await world.call("load")
                    return people
                }, unblock: { try await world.call($0 == Person.jun.id ? "unblock" : "busy") }))
        flow.send(.appeared, for: 150)
        flow.send(
            .unblockTapped(Person.jun.id), .unblockTapped(Person.jun.id), .unblockTapped(Person.mina.id), for: 150)

        let other = World()
        let content = Recorder<BlockedFlow.Content>()
        let (appeared, unblockTapped) = (PublishRelay<Void>(), PublishRelay<User.ID>())
        let bag = DisposeBag()
        SharingScheduler.mock(scheduler: other.scheduler) {
            let output = BlockedViewModel(
                load: {
                    try await other.call("load")
                    return people
                }, unblock: { try await other.call($0 == Person.jun.id ? "unblock" : "busy") }
            ).transform(.init(appeared: appeared.asObservable(), unblockTapped: unblockTapped.asObservable()))
            other.scheduler.perform {
                output.content.asObservable().subscribe(onNext: content.add).disposed(by: bag)
                output.events.asObservable().subscribe(onNext: other.events.add).disposed(by: bag)
                appeared.accept(())
            }
        }
        other.scheduler.advance(by: .milliseconds(150))
        other.scheduler.perform {
            for id in [Person.jun.id, Person.jun.id, Person.mina.id] { unblockTapped.accept(id) }
        }
        other.scheduler.advance(by: .milliseconds(150))

        #expect(content.all == [.loading, .people(people), .people([Person.mina])])
        #expect(flow.state.content == content.all.last)
        #expect(world.calls.all == other.calls.all)
        #expect(flow.events == [.notice(.done(.unblocked)), .notice(.failed(.busy))])
        #expect(other.events.all == flow.events)
    }

    @Test("the article of two forms contains exactly the tested screens")
    func article() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appending(
            path: "Presentation/TravelPresentation/TravelPresentation.docc/OneScreenInTwoForms.md")
        let examples = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
        let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        #expect(examples.count == 2)
        for example in examples { #expect(source.contains(example)) }
    }
}
