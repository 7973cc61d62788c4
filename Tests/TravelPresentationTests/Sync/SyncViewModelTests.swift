import Foundation
import StreamsTesting
import Testing
import TravelDomainTesting
import TravelPresentation
import ViewModelsTesting

@Suite("What waits between a device and its server")
struct SyncViewModelTests {
    private let scheduler = TestScheduler(resolution: 0.001)
    private let decided = PublishRelay<SyncViewModel.Decision>()
    private let restoreTapped = PublishRelay<Trip.ID>()
    private let forgetTapped = PublishRelay<Trip.ID>()
    private let retryTapped = PublishRelay<Void>()
    private let signInTapped = PublishRelay<Void>()
    private let backTapped = PublishRelay<Void>()
    private let bag = DisposeBag()
    private let synchronization: ScriptedSynchronization
    private let edit: TripConflict
    private let rename: TripConflict
    private let lost: VanishedTrip

    init() throws {
        let trip = try TripBuilder(seed: 1, author: Person.mina).build()
        edit = TripConflict(
            id: 1, wanted: .update(trip, replacing: .first, images: []), reason: .outdated, theirs: trip)
        rename = TripConflict(
            id: 2, wanted: .rename(Person.mina.id, try Nickname("Jun")), reason: .taken, theirs: nil)
        lost = VanishedTrip(number: 3, trip: try TripBuilder(seed: 2, author: Person.mina).build())
        synchronization = ScriptedSynchronization(conflicts: [edit, rename], vanished: [lost])
    }

    private func start() -> (content: Recorder<SyncViewModel.Content>, events: Recorder<ScreenEvent>) {
        SharingScheduler.mock(scheduler: scheduler) {
            let output = SyncViewModel(synchronization).transform(
                .init(
                    decided: decided.asObservable(), restoreTapped: restoreTapped.asObservable(),
                    forgetTapped: forgetTapped.asObservable(), retryTapped: retryTapped.asObservable(),
                    signInTapped: signInTapped.asObservable(), backTapped: backTapped.asObservable()))
            let recorders = scheduler.perform { (output.content.recorded(bag), output.events.recorded(bag)) }
            scheduler.advance(by: .milliseconds(10))
            return recorders
        }
    }

    private func perform(_ body: () -> Void) {
        scheduler.perform(body)
        scheduler.advance(by: .milliseconds(10))
    }

    @Test("a decided conflict and a restored trip leave the screen")
    func decisions() {
        let (content, events) = start()
        #expect(content.all.last?.conflicts == [edit, rename])
        #expect(content.all.last?.vanished == [lost])
        perform { decided.accept(.init(rename, .takeTheirs)) }
        #expect(content.all.last?.conflicts == [edit])
        perform { restoreTapped.accept(lost.id) }
        #expect(content.all.last?.vanished == [])
        #expect(content.all.last?.status.vanishedTrips == 0)
        perform { decided.accept(.init(edit, .keepMine)) }
        #expect(content.all.last?.conflicts == [])
        #expect(synchronization.calls == [.resolve(2, .takeTheirs), .restore(lost.id), .resolve(1, .keepMine)])
        #expect(events.all == [])
    }

    @Test("the vanished trips are those of now, also when one comes back while another one vanishes")
    func otherVanishedTrip() throws {
        let (content, _) = start()
        let other = VanishedTrip(number: 4, trip: try TripBuilder(seed: 3, author: Person.mina).build())
        try scheduler.run { [synchronization, lost] in
            // The screen receives the first status, and then only the last.
            synchronization.update { $0.connection = .online }
            synchronization.lose(other)
            try await synchronization.restore(lost.id)
        }
        scheduler.advance(by: .milliseconds(10))
        #expect(content.all.last?.vanished == [other])
    }

    @Test("to edit keeps the version of the user and opens it in the editor")
    func editing() throws {
        let (_, events) = start()
        perform { decided.accept(.init(edit, .edit)) }
        #expect(synchronization.calls == [.resolve(1, .keepMine)])
        #expect(events.all == [.open(.tripEditor(try #require(edit.theirs).id))])
    }

    @Test("a decision that cannot be stored leaves the conflict and says why; the next one succeeds")
    func failure() {
        let (content, events) = start()
        synchronization.fail(with: .busy)
        perform { decided.accept(.init(edit, .edit)) }
        perform { forgetTapped.accept(lost.id) }
        #expect(content.all.last?.conflicts == [edit, rename])
        #expect(events.all == [.notice(.failed(.busy)), .notice(.failed(.busy))])
        synchronization.fail(with: nil)
        perform { forgetTapped.accept(lost.id) }
        #expect(content.all.last?.vanished == [])
        perform { retryTapped.accept(()) }
        #expect(synchronization.calls.last == .reconnect)
        perform { backTapped.accept(()) }
        #expect(events.all.last == .close(nil))
    }

    @Test("the screen follows the status, and opens the form for signing in again")
    func status() {
        let (content, events) = start()
        perform { synchronization.update { $0.connection = .signedOut } }
        #expect(content.all.last?.status.connection == .signedOut)
        perform { signInTapped.accept(()) }
        #expect(events.all == [.open(.signInAgain)])
        perform { synchronization.update { $0.connection = .offline } }
        #expect(content.all.last?.status.connection == .offline)
        #expect(content.all.last?.status.conflicts == 2)
    }

    @Test(
        "the status says what the user should know, in both languages",
        arguments: [
            (.online, nil, 0, 0, nil, nil),
            (.unknown, nil, 0, 0, nil, nil),
            (.offline, nil, 0, 0, "offline", "오프라인"),
            (.offline, 59, 0, 0, "offline", "오프라인"),
            (.offline, 300, 2, 0, "offline for 5 min · 2 pending changes", "오프라인, 5분 전 · 보낼 변경 2개"),
            (
                .offline, 7_200, 1, 1, "offline for 2 h · 1 pending change · 1 conflict",
                "오프라인, 2시간 전 · 보낼 변경 1개 · 충돌 1개"
            ),
            (.offline, 86_400, 0, 0, "offline for 1 day", "오프라인, 1일 전"),
            (.signedOut, nil, 0, 2, "sign in again · 2 conflicts", "다시 로그인하세요 · 충돌 2개"),
        ] as [(SyncStatus.Connection, Double?, Int, Int, String?, String?)])
    func texts(
        connection: SyncStatus.Connection, age: Double?, pending: Int, conflicts: Int, english: String?, korean: String?
    ) {
        var status = SyncStatus()
        let now = Date(timeIntervalSinceReferenceDate: 1_000_000)
        (status.connection, status.pendingWrites, status.conflicts) = (connection, pending, conflicts)
        status.lastAnswer = age.map { now - $0 }
        let text = status.text(at: now)
        #expect(text.map { Language.english[$0] } == english)
        #expect(text.map { Language.korean[$0] } == korean)
    }

    @Test("an outage is a problem of the user where waiting does not end it")
    func problem() {
        var status = SyncStatus()
        status.connection = .offline
        status.outage = .init("The server does not answer.", cause: .unreachable, canRetry: true)
        #expect(status.problem == nil)
        status.outage = .init(
            "The certificate of the server is not trusted: check the address, or install its certificate authority.",
            cause: .notSecure, canRetry: false)
        #expect(
            status.problem?.text(in: .english) == "The certificate of the server is not trusted: check the address, "
                + "or install its certificate authority.")
    }

    @Test("the status says how many changes cannot be read, although nothing waits")
    func damagedChanges() {
        var status = SyncStatus()
        status.damagedItems = [3]
        #expect(status.text(at: Date()).map { Language.english[$0] } == "1 change cannot be read")
        (status.damagedItems, status.vanishedTrips) = ([3, 5], 1)
        let text = status.text(at: Date())
        #expect(text.map { Language.english[$0] } == "1 trip vanished · 2 changes cannot be read")
        #expect(text.map { Language.korean[$0] } == "사라진 여행 1개 · 읽을 수 없는 변경 2개")
    }

    @Test("the screen only composes")
    @MainActor
    func composes() {
        expectOnlyComposes(SyncViewModel(synchronization)) { inputs in
            .init(
                decided: inputs.count(decided.asObservable()),
                restoreTapped: inputs.count(restoreTapped.asObservable()),
                forgetTapped: inputs.count(forgetTapped.asObservable()),
                retryTapped: inputs.count(retryTapped.asObservable()),
                signInTapped: inputs.count(signInTapped.asObservable()),
                backTapped: inputs.count(backTapped.asObservable()))
        } whileBound: {
            retryTapped.accept(())
        }
    }
}
