import Foundation
import StreamsTesting
import Testing
import TestConcurrency
import TravelDomainTesting
@testable import TravelPresentation

@Suite("Timeline", .limitedConcurrency)
struct TimelineFlowTests {
    private func timeline(_ world: TimelineWorld, day: Int = 1) -> ScreenRun<TimelineFlow> {
        let flow = TimelineFlow(world.useCases, trip: world.id, day: day, user: world.user.asObservable())
        return ScreenRun(on: world.scheduler, flow)
    }

    private func loaded(_ world: TimelineWorld, day: Int = 1) -> ScreenRun<TimelineFlow> {
        let timeline = timeline(world, day: day)
        timeline.send(.appeared, for: 150)
        return timeline
    }

    @Test("a timeline shows its header, its days and the numbered cards of the chosen day")
    func shown() {
        let world = TimelineWorld()
        let timeline = timeline(world)
        timeline.send(.appeared, for: 50)
        #expect(timeline.state.phase == .loading)
        timeline.pass(100)
        #expect(timeline.state.phase == .shown)
        #expect(timeline.state.tabs?.map { $0.text(in: .korean) } == ["01 수", "02 목", "03 금"])
        #expect(timeline.state.cards.map(\.entry.title.text) == ["Entry 1", "Entry 2", "Entry 3"])
        #expect(timeline.state.cards.map(\.number) == [1, 2, 3])
        #expect(timeline.state.stops.map(\.place.name) == ["Place 1", "Place 3"])
        #expect(timeline.state.stops.map(\.number) == [1, 3])
        // Numbers go on from day to day.
        timeline.send(.dayPicked(3))
        #expect(timeline.state.cards.map(\.number) == [4])
        #expect(!timeline.state.isMine)
    }

    @Test("a day that the trip does not have becomes the nearest one", arguments: [(0, 1), (-9, 1), (2, 2), (99, 3)])
    func days(day: Int, shown: Int) {
        let timeline = loaded(TimelineWorld(), day: day)
        #expect(timeline.state.day == shown)
        timeline.send(.dayPicked(1), .dayPicked(day))
        #expect(timeline.state.day == shown)
    }

    @Test("the days before and after the chosen one end at the first and the last")
    func neighbours() {
        let timeline = loaded(TimelineWorld())
        timeline.send(.previousDayPicked)
        #expect(timeline.state.day == 1)
        timeline.send(.nextDayPicked, .nextDayPicked, .nextDayPicked)
        #expect(timeline.state.day == 3)
        #expect(timeline.state.cards.map(\.entry.title.text) == ["Entry 4"])
    }

    @Test("a trip whose dates shrink elsewhere shows its last day")
    func shrinks() {
        let world = TimelineWorld()
        let timeline = loaded(world, day: 3)
        world.change { trip, entries in
            trip = .sample(1, days: 1, viewer: Person.mina)
            entries.removeLast()
        }
        #expect(timeline.state.day == 1)
        #expect(timeline.state.tabs?.count == 1)
    }

    @Test("a like of a timeline shows immediately, and is rolled back when the store refuses it")
    func like() {
        let world = TimelineWorld()
        let timeline = loaded(world)
        timeline.send(.likeTapped)
        #expect(timeline.state.header?.like == .init(isLiked: true, count: 4))
        timeline.pass(150)
        #expect(timeline.state.header?.like == .init(isLiked: true, count: 4))
        world.fail("unlike")
        timeline.send(.likeTapped)
        #expect(timeline.state.header?.like == .init(isLiked: false, count: 3))
        timeline.pass(150)
        #expect(timeline.state.header?.like == .init(isLiked: true, count: 4))
        #expect(timeline.events == [.notice(.failed(.busy))])
    }

    @Test("a timeline whose loading, like or report is cancelled does not wait for it")
    func cancelled() {
        let world = TimelineWorld()
        let timeline = timeline(world)
        timeline.send(.appeared, cancelledAfter: 50)
        #expect(timeline.state.phase == .failed(.unknown))
        timeline.send(.appeared, .retryTapped, for: 150)
        #expect(timeline.state.phase == .shown)
        timeline.send(.likeTapped, cancelledAfter: 50)
        #expect(timeline.state.header?.like == .init(isLiked: false, count: 3))
        timeline.send(.likeTapped, for: 150)
        #expect(timeline.state.header?.like == .init(isLiked: true, count: 4))
        timeline.send(.reportTapped)
        timeline.send(.answered(true), cancelledAfter: 50)
        #expect(timeline.state.working == nil)
        timeline.send(.reportTapped, .answered(true), for: 150)
        #expect(timeline.events.last == .notice(.done(.reported)))
    }

    @Test("of quick taps on the like of a timeline the last one wins")
    func quickLikes() {
        let world = TimelineWorld()
        let timeline = loaded(world)
        timeline.send(.likeTapped, .likeTapped, .likeTapped, for: 350)
        #expect(timeline.state.header?.like == .init(isLiked: true, count: 4))
        #expect(world.calls == ["show", "like"])
    }

    @Test("a report asks first, and a second one says that there was one")
    func report() {
        let world = TimelineWorld()
        let timeline = loaded(world)
        timeline.send(.reportTapped, .answered(false), for: 150)
        #expect(world.calls == ["show"])
        timeline.send(.reportTapped)
        #expect(timeline.state.question == .report)
        timeline.send(.answered(true), .reportTapped)
        #expect(timeline.state.question == nil)
        #expect(timeline.state.working == .report)
        timeline.pass(150)
        timeline.send(.reportTapped, .answered(true), for: 150)
        #expect(timeline.events == [.notice(.done(.reported)), .notice(.done(.alreadyReported))])
        #expect(timeline.state.working == nil)
    }

    @Test("blocking an author closes the timeline, and a failure keeps it open")
    func block() {
        let world = TimelineWorld()
        world.fail("block")
        let timeline = loaded(world)
        timeline.send(.blockTapped, .answered(true), for: 150)
        #expect(timeline.events == [.notice(.failed(.busy))])
        world.fail("block", with: nil)
        timeline.send(.blockTapped, .answered(true), for: 150)
        #expect(timeline.events.suffix(2) == [.notice(.done(.blocked)), .close(.removedTrip(world.id))])
    }

    @Test("deleting a trip asks first and closes the timeline, without showing that it is gone")
    func delete() {
        let world = TimelineWorld(viewer: Person.jun)
        let timeline = loaded(world)
        #expect(timeline.state.isMine)
        timeline.send(.deleteTapped)
        #expect(timeline.state.question == .deleteTrip)
        timeline.send(.answered(true), .answered(true), for: 150)
        #expect(world.calls == ["show", "delete"])
        #expect(timeline.state.phase == .shown)
        #expect(timeline.events == [.notice(.done(.tripDeleted)), .close(.removedTrip(world.id))])
    }

    @Test("deleting an entry asks first and keeps the timeline open")
    func deleteEntry() {
        let world = TimelineWorld(viewer: Person.jun)
        let timeline = loaded(world)
        timeline.send(.deleteEntryTapped(.init(seed: 2)), .answered(true), for: 150)
        #expect(timeline.state.cards.map(\.entry.title.text) == ["Entry 1", "Entry 3"])
        #expect(timeline.events == [.notice(.done(.entryDeleted))])
        timeline.send(.deleteEntryTapped(.init(seed: 2)))
        #expect(timeline.state.question == nil)
    }

    @Test("the notice of a deletion that can be undone says which one it was")
    func undoable() {
        let world = TimelineWorld(viewer: Person.jun)
        var useCases = world.useCases
        useCases.deleteTrip = { UndoableDeletion(id: .init(seed: 1), of: .trip($0)) }
        useCases.deleteEntry = { UndoableDeletion(id: .init(seed: 2), of: .entry($0, in: $1)) }
        let timeline = ScreenRun(
            on: world.scheduler, TimelineFlow(useCases, trip: world.id, user: world.user.asObservable()))
        timeline.send(.appeared, for: 150)
        timeline.send(.deleteEntryTapped(.init(seed: 2)), .answered(true), for: 150)
        let entry = UndoableDeletion(id: .init(seed: 2), of: .entry(.init(seed: 2), in: world.id))
        #expect(timeline.events == [.notice(.deleted(.entryDeleted, entry))])
        timeline.send(.deleteTapped, .answered(true), for: 150)
        let trip = UndoableDeletion(id: .init(seed: 1), of: .trip(world.id))
        #expect(timeline.events.suffix(2) == [.notice(.deleted(.tripDeleted, trip)), .close(.removedTrip(world.id))])
    }

    @Test("an entry moves up and down among those of its time, at once, and one move runs at a time")
    func moveEntry() {
        let world = TimelineWorld(viewer: Person.jun)
        let timeline = loaded(world)
        world.change { _, entries in entries = (1...3).map { .sample($0) } }
        let titles = { timeline.state.cards.map(\.entry.title.text) }
        #expect(titles() == ["Entry 1", "Entry 2", "Entry 3"])
        timeline.send(.moveEntryUpTapped(.init(seed: 3)), .moveEntryUpTapped(.init(seed: 3)), for: 150)
        #expect(titles() == ["Entry 1", "Entry 3", "Entry 2"])
        timeline.send(.moveEntryDownTapped(.init(seed: 1)), for: 150)
        #expect(titles() == ["Entry 3", "Entry 1", "Entry 2"])
        // The first does not move up, nor the last down.
        timeline.send(.moveEntryUpTapped(.init(seed: 3)), .moveEntryDownTapped(.init(seed: 2)), for: 150)
        #expect(titles() == ["Entry 3", "Entry 1", "Entry 2"])
        #expect(world.calls == ["show", "change", "change"] && timeline.events.isEmpty)
        world.fail("change")
        timeline.send(.moveEntryDownTapped(.init(seed: 3)), for: 150)
        #expect(timeline.events == [.notice(.failed(.domain(.busy)))])
        #expect(titles() == ["Entry 3", "Entry 1", "Entry 2"])
    }

    @Test("a question about an entry that is deleted elsewhere goes away")
    func staleQuestion() {
        let world = TimelineWorld(viewer: Person.jun)
        let timeline = loaded(world)
        timeline.send(.deleteEntryTapped(.init(seed: 2)))
        world.change { _, entries in entries.remove(at: 1) }
        #expect(timeline.state.question == nil)
        timeline.send(.answered(true), for: 150)
        #expect(world.calls == ["show"])
    }

    @Test("only the author edits and deletes, and only others report and block")
    func authors() {
        let others = loaded(TimelineWorld())
        others.send(.editTapped, .deleteTapped, .addEntryTapped, .deleteEntryTapped(.init(seed: 1)))
        others.send(.editEntryTapped(.init(seed: 1)))
        #expect(others.state.question == nil)
        #expect(others.events.isEmpty)

        let mine = loaded(TimelineWorld(viewer: Person.jun))
        mine.send(.reportTapped, .blockTapped)
        #expect(mine.state.question == nil)
        mine.send(.dayPicked(2), .editTapped, .addEntryTapped, .editEntryTapped(.init(seed: 1)), .mapTapped)
        let id = Trip.ID(seed: 1)
        #expect(
            mine.events == [
                .open(.tripEditor(id)), .open(.newEntry(in: id, day: 2)),
                .open(.entryEditor(.init(seed: 1), in: id)), .open(.map(id, day: 2)),
            ])
    }

    @Test("nobody is asked to sign in before liking, reporting and blocking")
    func signedOut() {
        let timeline = loaded(TimelineWorld(viewer: nil))
        timeline.send(.likeTapped, .reportTapped, .blockTapped)
        #expect(timeline.events == [.open(.signIn), .open(.signIn), .open(.signIn)])
        #expect(timeline.state.question == nil)
    }

    @Test("a trip that is deleted elsewhere says that it is gone")
    func gone() {
        let world = TimelineWorld()
        let timeline = loaded(world)
        timeline.send(.reportTapped)
        world.tell(.failure(.notFound(.trip(world.id))))
        #expect(timeline.state.phase == .gone)
        #expect(timeline.state.header == nil)
        #expect(timeline.state.question == nil)
        timeline.send(.backTapped)
        #expect(timeline.events == [.close(nil)])
    }

    @Test("a trip that is deleted elsewhere says that it is gone when its deletion fails")
    func goneDuringTheDeletion() {
        let world = TimelineWorld(viewer: Person.jun)
        let timeline = loaded(world)
        world.fail("delete", with: .notFound(.trip(world.id)))
        timeline.send(.deleteTapped, .answered(true), for: 50)
        world.tell(.failure(.notFound(.trip(world.id))))
        #expect(timeline.state.phase == .shown)
        timeline.pass(100)
        #expect(timeline.state.phase == .gone)
        #expect(timeline.events == [.notice(.failed(.domain(.notFound(.trip(world.id)))))])
    }

    @Test("a timeline that fails to load shows why, and a retry loads it")
    func retry() {
        let world = TimelineWorld()
        world.fail("show")
        let timeline = loaded(world)
        #expect(timeline.state.phase == .failed(.busy))
        world.fail("show", with: nil)
        timeline.send(.retryTapped, .retryTapped, for: 150)
        #expect(timeline.state.phase == .shown)
        #expect(world.calls == ["show", "show"])
    }

    @Test("a timeline that can no longer be followed stays, and a retry follows it again")
    func lostWatch() {
        let world = TimelineWorld()
        let timeline = loaded(world)
        world.tell(.failure(.busy))
        #expect(timeline.state.phase == .shown)
        #expect(timeline.events == [.notice(.failed(.busy))])
        timeline.send(.retryTapped, for: 150)
        world.change { _, entries in entries.removeFirst() }
        #expect(timeline.state.cards.count == 2)
    }

    @Test("a change of the session empties the timeline immediately, and cancels its work")
    func session() {
        let world = TimelineWorld()
        let timeline = loaded(world)
        timeline.send(.likeTapped, .reportTapped, .answered(true), for: 50)
        world.scheduler.perform { world.user.accept(nil) }
        #expect(timeline.state.phase == .loading)
        #expect(timeline.state.header == nil)
        timeline.pass(150)
        #expect(Set(world.cancelled) == ["like", "report"])
        #expect(timeline.state.phase == .shown)
        #expect(timeline.events.isEmpty)
    }

    @Test("closing a timeline drops an answer that arrives later")
    func dismissal() {
        let world = TimelineWorld()
        let timeline = loaded(world)
        timeline.send(.likeTapped, for: 50)
        timeline.dismiss()
        timeline.pass(100)
        #expect(world.cancelled == ["like"])
        #expect(timeline.events.isEmpty)
        world.scheduler.expectIdle()
    }

    @Test("a saved entry is shown on its day, and a removed trip closes the timeline")
    func results() {
        let world = TimelineWorld(viewer: Person.jun)
        let timeline = loaded(world)
        timeline.send(.returned(.savedEntry(.init(seed: 4), day: 3)))
        #expect(timeline.state.day == 3)
        timeline.send(.returned(.removedTrip(world.id)))
        #expect(timeline.events == [.close(.removedTrip(world.id))])
    }

    @Test(
        "a preview has 40 characters on one line, and an ellipsis if there are more",
        arguments: [
            (String(repeating: "가", count: 40), String(repeating: "가", count: 40)),
            (String(repeating: "가", count: 41), String(repeating: "가", count: 40) + "…"),
            (String(repeating: "👨‍👩‍👧‍👦", count: 41), String(repeating: "👨‍👩‍👧‍👦", count: 40) + "…"),
            (String(repeating: "e\u{301}", count: 40), String(repeating: "e\u{301}", count: 40)),
            ("one\n\n two\tthree", "one two three"),
        ])
    func previews(text: String, preview: String) {
        #expect(EntryCard(entry: .sample(1, text: text), number: 1).preview == preview)
    }
}

/// The world around a timeline: a trip of three days by Jun, seen by the user who is signed in, in a store whose
/// answers take 100 ms each.
final class TimelineWorld: StoreStub {
    let scheduler = TestScheduler(resolution: 0.001)
    let user: BehaviorRelay<User?>
    let id = Trip.ID(seed: 1)
    private let state: SlowContent<State>
    private let changes = PublishSubject<Result<Trip, TravelError>>()

    private struct State {
        var trip: Trip
        var timeline: [TimelineEntry]
        var isReported = false
    }

    init(viewer: User? = Person.mina) {
        user = BehaviorRelay(value: viewer)
        let entries: [TimelineEntry] = [
            .sample(1, day: 1, hour: 9, place: true), .sample(2, day: 1, hour: 11),
            .sample(3, day: 1, hour: 15, place: true), .sample(4, day: 3, hour: 8),
        ]
        state = SlowContent(
            State(trip: .sample(1, likes: 3, days: 3, viewer: viewer), timeline: entries), on: scheduler)
    }

    var calls: [String] { state.calls }
    var cancelled: [String] { state.cancelled }

    func fail(_ call: String, with error: TravelError? = .busy) { state.failures[call] = error }

    /// Changes the trip elsewhere and notifies its observers.
    func change(_ body: (inout Trip, inout [TimelineEntry]) -> Void) {
        tell(.success(changed(body)))
    }

    private func changed(_ body: (inout Trip, inout [TimelineEntry]) -> Void) -> Trip {
        state.withLock { state in
            let before = state.trip
            body(&state.trip, &state.timeline)
            state.trip = state.trip.updated(after: before)
            return state.trip
        }
    }

    /// Tells who follows the trip that it is gone, or another failure.
    func tell(_ result: Result<Trip, TravelError>) {
        scheduler.perform { changes.onNext(result) }
        scheduler.advance(by: .zero)
    }

    var useCases: ScreenUseCases { ScreenUseCases(self, user: user.value?.id) }

    func observeTrip(_ id: Trip.ID, viewer: User.ID?) -> any AsyncSequence<Trip, any Error> & Sendable {
        Observable.task { [self] in try await state.call("show") { $0.trip } }.concat(changes.map { try $0.get() })
            .values
    }

    func trip(_ id: Trip.ID, viewer: User.ID?) async throws -> Trip { state.withLock { $0.trip } }

    func timeline(of id: Trip.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        state.withLock { $0.timeline }
    }

    func setLiked(_ isLiked: Bool, trip id: Trip.ID, by user: User.ID) async throws {
        try await state.call(isLiked ? "like" : "unlike") { _ in }
    }

    func report(_ trip: Trip.ID, by user: User.ID, at time: Date) async throws -> Bool {
        try await state.call("report") { state in
            defer { state.isReported = true }
            return !state.isReported
        }
    }

    func block(_ author: User.ID, by user: User.ID) async throws -> Bool {
        try await state.call("block") { _ in true }
    }

    func update(
        _ id: Trip.ID, expecting version: TripVersion?, by user: User.ID, adding images: [TripImage],
        _ change: @escaping @Sendable (RecordedTrip) throws(TravelError) -> RecordedTrip?
    ) async throws -> RecordedTrip? {
        let recorded = try state.withLock { try TripDetails(trip: $0.trip, timeline: $0.timeline).recorded }
        guard let changed = try change(recorded) else {
            try await state.call("delete") { _ in }
            try await tellObservers(.failure(.notFound(.trip(id))))
            return nil
        }
        try await state.call("change") { _ in }
        try await tellObservers(.success(self.changed { _, timeline in timeline = changed.timeline }))
        return changed
    }

    /// The observers know of a change before the call that makes it returns.
    private func tellObservers(_ result: Result<Trip, TravelError>) async throws {
        changes.onNext(result)
        try await scheduler.virtualClock.sleep(for: .milliseconds(1))
    }
}

extension TimelineEntry {
    /// The entry of a number.
    static func sample(
        _ number: UInt64, day: Int = 1, hour: Int = 9, text: String = "Text", place: Bool = false
    ) -> TimelineEntry {
        do {
            return try TimelineEntry(
                id: .init(seed: number), day: day, time: TimeOfDay(hour: hour), title: Title("Entry \(number)"),
                text: EntryText(text),
                place: place
                    ? Place(name: "Place \(number)", coordinate: Coordinate(latitude: 35, longitude: 129)) : nil)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}

extension Trip {
    /// The same trip, changed later than an earlier state of it.
    fileprivate func updated(after before: Trip) -> Trip {
        do {
            return try Trip(
                id: id, author: author, content: content, createdAt: createdAt,
                updatedAt: before.updatedAt.addingTimeInterval(1), version: version,
                likeCount: likeCount, isLiked: isLiked, isMine: isMine)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
