import Composition
import Foundation
import Streams
import StreamsTesting
import Synchronization
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

@Suite("Dismissal of a flow", .limitedConcurrency, .nothingSurvives)
struct FlowDismissalTests {
    @Test("dismissal cancels running effects, drops waiting ones, and disposes bound streams")
    func cancels() {
        let log = Log()
        let store = FlowStore(
            Probe { name in
                Observable.never().do(onSubscribe: { log.add("\(name) on") }, onDispose: { log.add("\(name) off") })
            })
        let actions = PublishSubject<Probe.Action>()
        store.bind(actions)
        actions.onNext(.ask(.inOrder(.load("a"), .load("b")).and(.latest(.load("c"))).and(.run(.load("d"), id: 1))))
        store.dismiss()
        #expect(log.lines == ["a on", "c on", "d on", "a off", "c off", "d off"])
        #expect(!actions.hasObservers)
        store.send(.ask(.run(.load("e"))))
        store.bind(actions)
        #expect(log.lines.count == 6)
        #expect(!actions.hasObservers)
        store.dismiss()
    }

    @Test("no concurrent send reduces after dismissal has returned, and no effect survives", arguments: 1...4)
    func race(senders: Int) {
        for _ in 0..<50 {
            let race = Race()
            onThreads(senders + 1) { thread in
                if thread == 0 { race.dismiss() } else { race.send() }
            }
            #expect(race.reducedTooLate == 0)
            #expect(!race.effects.hasObservers)
        }
    }

    /// Some threads send to a store while another dismisses it.
    private final class Race: Sendable {
        let effects = PublishSubject<Int>()
        private let dismissed = Flag()
        private let store: FlowStore<Int, Int, String>

        private final class Flag: Sendable {
            let isRaised = Atomic(false)
            let seen = Atomic(0)

            func look() {
                if isRaised.load(ordering: .acquiring) { seen.add(1, ordering: .relaxed) }
            }
        }

        init() {
            let (effects, dismissed) = (effects, dismissed)
            store = FlowStore(
                Script(0, work: { _ in effects }) { state, number in
                    dismissed.look()
                    state += 1
                    defer { dismissed.look() }
                    return number.isMultiple(of: 3) ? .run("a", "b").and(.inOrder("c", "d")) : .latest("e")
                })
        }

        var reducedTooLate: Int { dismissed.seen.load(ordering: .relaxed) }

        func send() {
            for number in 0..<100 { store.send(number) }
        }

        func dismiss() {
            while store.currentState < 10 { sched_yield() }
            store.dismiss()
            dismissed.isRaised.store(true, ordering: .releasing)
        }
    }

    // MARK: Effects that are being started

    /// Effects whose start takes a moment, from the call of `perform` to the end of the subscription.
    private final class Starts: Sendable {
        private let running = Atomic(0)
        private let begun = Atomic(0)

        var inProgress: Int { running.load(ordering: .acquiring) }
        var count: Int { begun.load(ordering: .acquiring) }

        func stream<Element: Sendable>(of: Element.Type = Element.self) -> Observable<Element> {
            begin()
            return .create { [self] _ in
                for _ in 0..<2_000 { _ = inProgress }
                end()
                return Disposables.create()
            }
        }

        func begin() {
            begun.add(1, ordering: .relaxed)
            running.add(1, ordering: .acquiringAndReleasing)
        }

        func end() {
            running.subtract(1, ordering: .acquiringAndReleasing)
        }
    }

    @Test("no effect is being started when dismissal has returned, and none starts afterwards", arguments: [1, 2, 4])
    func starts(senders: Int) {
        for round in 0..<150 {
            let starts = Starts()
            let late = Mutexed<[Int]>([])
            let store = FlowStore(
                Script(0, of: Int.self, work: { _ in starts.stream() }) { state, number in
                    state += 1
                    return number.isMultiple(of: 3) ? .run("a", "b").and(.inOrder("c", "d")) : .latest("e")
                })
            onThreads(senders + 1) { thread in
                if thread > 0 {
                    for number in 0..<50 { store.send(number) }
                } else {
                    while store.currentState < 5 + round % 20 { sched_yield() }
                    store.dismiss()
                    let (inProgress, count) = (starts.inProgress, starts.count)
                    for _ in 0..<1_000 { _ = starts.inProgress }
                    late.change { $0 = [inProgress, starts.count - count] }
                }
            }
            #expect(late.value == [0, 0], "round \(round)")
        }
    }

    @Test("a second dismissal on another thread waits like the first")
    func twice() {
        for _ in 0..<100 {
            let starts = Starts()
            let late = Mutexed(0)
            let store = FlowStore(
                Script(0, of: Int.self, work: { _ in starts.stream() }) { state, _ in
                    state += 1
                    return .run("a", "b", "c")
                })
            onThreads(3) { thread in
                if thread == 0 { return (0..<20).forEach { store.send($0) } }
                while store.currentState < 5 { sched_yield() }
                store.dismiss()
                let inProgress = starts.inProgress
                late.change { $0 += inProgress }
            }
            #expect(late.value == 0)
        }
    }

    /// Expects nothing to be in its start when `end` has returned, while other threads work.
    private func expectNoLateStart(
        of starts: Starts, on workers: Int = 1, while work: @escaping @Sendable () -> Void,
        when isReady: @escaping @Sendable () -> Bool, _ end: @escaping @Sendable () -> Void
    ) {
        let late = Mutexed(0)
        onThreads(workers + 1) { thread in
            if thread < workers { return work() }
            while !isReady() { sched_yield() }
            end()
            let inProgress = starts.inProgress
            late.change { $0 = inProgress }
        }
        #expect(late.value == 0)
    }

    @Test("no stream is being bound on another thread when dismissal has returned", arguments: [1, 3])
    func binding(threads: Int) {
        for _ in 0..<100 {
            let starts = Starts()
            let store = FlowStore(Tally())
            expectNoLateStart(of: starts, on: threads) {
                for _ in 0..<20 { store.bind(Observable.deferred { starts.stream(of: Tally.Action.self) }) }
            } when: {
                starts.count > 2
            } _: {
                store.dismiss()
            }
        }
    }

    @Test("dismissal waits for a debounced effect that is being started when its time has come")
    func debounced() {
        let scheduler = TestScheduler(resolution: 0.001)
        for _ in 0..<100 {
            let starts = Starts()
            let store = withDependencies {
                $0.useVirtualTime(of: scheduler)
            } operation: {
                FlowStore(
                    Script(0, of: Int.self, work: { _ in starts.stream() }) { _, number in
                        .latest("a", after: .milliseconds(1), id: number)
                    })
            }
            for number in 0..<20 { store.send(number) }
            expectNoLateStart(of: starts) {
                scheduler.advance(by: .milliseconds(1))
            } when: {
                starts.count > 2
            } _: {
                store.dismiss()
            }
        }
    }

    @Test("an effect that is being started on another thread is disposed when the cancellation of its action returns")
    func cancellation() {
        for _ in 0..<100 {
            let (mine, others) = (Starts(), Starts())
            let store = FlowStore(
                Script(0, of: Int.self, work: { $0 == "mine" ? mine.stream() : others.stream() }) { state, number in
                    state += 1
                    return number == 0 ? .run("other") : .run("mine", "mine", "mine")
                })
            expectNoLateStart(of: mine) {
                for _ in 0..<20 { store.send(0) }
            } when: {
                store.currentState > 2
            } _: {
                let effects = store.send(1)
                while mine.count == 0, !effects.areFinished { sched_yield() }
                effects.cancel()
            }
        }
    }

    @Test("cancellation waits for an effect that binds streams while it is being started on another thread")
    func cancellationWhileBinding() {
        for _ in 0..<100 {
            let starts = Starts()
            let own = Mutexed<FlowStore<Int, Int, String>?>(nil)
            let store = FlowStore(
                Script(0, of: Int.self) { name in
                    if name == "mine" {
                        starts.begin()
                        for _ in 0..<50 { own.value?.bind(Observable<Int>.empty()) }
                        starts.end()
                    }
                    return .never()
                } _: { state, number in
                    state += 1
                    return number == 0 ? .run("other") : .run("mine")
                })
            own.change { $0 = store }
            expectNoLateStart(of: starts) {
                for _ in 0..<20 { store.send(0) }
            } when: {
                store.currentState > 2
            } _: {
                let effects = store.send(1)
                while starts.count == 0, !effects.areFinished { sched_yield() }
                effects.cancel()
            }
            own.change { $0 = nil }
        }
    }

    @Test("dismissal of a mutation flow waits for the streams that another thread is starting")
    func mutationFlow() {
        struct Starting: MutationFlow {
            let starts: Starts
            var initialState: Int { 0 }
            func transform(_ action: Int) -> Observable<Int> { .deferred { starts.stream() } }
            func reduce(_ state: inout Int, _ change: Int) { state += change }
        }
        for _ in 0..<100 {
            let starts = Starts()
            let store = FlowStore(Starting(starts: starts))
            expectNoLateStart(of: starts) {
                for number in 0..<20 { store.send(number) }
            } when: {
                starts.count > 2
            } _: {
                store.dismiss()
            }
        }
    }

    @Test("flows whose effects dismiss each other in a ring while they start end all", arguments: [2, 3])
    func ring(count: Int) {
        for _ in 0..<100 {
            let stores = Mutexed<[Int: FlowStore<Int, Int, String>]>([:])
            let starts = Starts()
            onThreads(count) { thread in
                let store = FlowStore(
                    Script(
                        0, of: Int.self,
                        work: { _ in
                            starts.begin()
                            while starts.count < count { sched_yield() }
                            stores.value[(thread + 1) % count]?.dismiss()
                            return .never()
                        }
                    ) { state, _ in
                        state += 1
                        return .run("dismiss the next")
                    })
                stores.change { $0[thread] = store }
                while stores.value.count < count { sched_yield() }
                store.send(1)
            }
            for store in stores.value.values {
                store.send(1)
                #expect(store.currentState == 1)
            }
            stores.change { $0 = [:] }
        }
    }

    @Test("dismissal from an observer of a state drops pending actions, and delivers nothing more")
    @MainActor
    func fromInside() {
        let store = FlowStore(Probe { _ in .empty() })
        let log = Log()
        let bag = DisposeBag()
        store.state.drive(onNext: { state in
            log.add("A\(state.said.count)")
            guard state.said.count == 1 else { return }
            store.send(.said("waits"))
            store.dismiss()
        }).disposed(by: bag)
        store.state.drive(onNext: { log.add("B\($0.said.count)") }).disposed(by: bag)
        store.send(.said("a"))
        #expect(log.lines == ["A0", "B0", "A1"])
        #expect(store.currentState.said == ["a"])
    }

    @Test("dismissal from a side effect that is starting ends that effect")
    func fromInsideAnEffect() {
        let subject = PublishSubject<String>()
        let dismiss = Mutexed<(@Sendable () -> Void)?>(nil)
        let store = FlowStore(
            Probe { _ in
                dismiss.value?()
                return subject
            })
        dismiss.change { [weak store] dismiss in dismiss = { [weak store] in store?.dismiss() } }
        store.send(.ask(.run(.load("a"), .load("b"))))
        #expect(!subject.hasObservers)
        store.send(.said("too late"))
        #expect(store.currentState.said == [])
    }

    @Test("releasing the store dismisses the flow")
    @MainActor
    func deinitialization() {
        let subject = PublishSubject<String>()
        let log = Log()
        let bag = DisposeBag()
        var store: Probe.Store? = FlowStore(Probe { _ in subject })
        store?.state.drive(onNext: { _ in }, onCompleted: { log.add("over") }).disposed(by: bag)
        store?.send(.ask(.run(.load("a"))))
        #expect(subject.hasObservers)
        store = nil
        #expect(!subject.hasObservers)
        #expect(log.lines == ["over"])
    }

    @Test("an observer that subscribes after dismissal only receives completion")
    @MainActor
    func afterwards() {
        let store = FlowStore(Tally())
        store.send(.ring("not delivered"))
        store.dismiss()
        let log = Log()
        let bag = DisposeBag()
        store.state.drive(onNext: { _ in log.add("state") }, onCompleted: { log.add("over") }).disposed(by: bag)
        store.events.emit(onNext: { _ in log.add("event") }, onCompleted: { log.add("over") }).disposed(by: bag)
        #expect(log.lines == ["over", "over"])
    }

    @Test("dismissal ends an asynchronous loop over the states")
    func asynchronousLoop() throws {
        let scheduler = TestScheduler()
        try SharingScheduler.mock(scheduler: scheduler) {
            let store = FlowStore(Tally())
            scheduler.scheduleAt(10) { store.send(.add(1)) }
            scheduler.scheduleAt(20) { store.dismiss() }
            let counts = try scheduler.run {
                try await store.state.asObservable().values.reduce(into: []) { $0.append($1.count) }
            }
            #expect(counts == [0, 1])
        }
    }
}
