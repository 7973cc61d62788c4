import Dispatch
import Streams
import Synchronization
import TestTurns
import Testing

@Suite("Races of connectable streams", .takesTurns)
struct RefCountRaceTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let share: @Sendable (Observable<Int>) -> Observable<Int>
    }

    static let cases = [
        Case(testDescription: "publish().refCount()") { $0.publish().refCount() },
        Case(testDescription: "replay(1).refCount()") { $0.replay(1).refCount() },
        Case(testDescription: "multicast(subject).refCount()") { $0.multicast(PublishSubject<Int>()).refCount() },
        Case(testDescription: "share()") { $0.share() },
        Case(testDescription: "share(replay: 1)") { $0.share(replay: 1) },
        Case(testDescription: "share(replay: 1, scope: .forever)") { $0.share(replay: 1, scope: .forever) },
        Case(testDescription: "a custom connectable type") { CustomConnectable(source: $0).refCount() },
    ]

    @Test("a subscription that races with the last disposal has a connection", arguments: cases)
    func disposalRacesWithSubscription(_ sharing: Case) {
        for round in 0..<500 {
            let connections = Atomic(0)
            let source = Observable<Int>.create { _ in
                connections.add(1, ordering: .relaxed)
                return Disposables.create { connections.subtract(1, ordering: .relaxed) }
            }
            let shared = sharing.share(source)
            let leaving = shared.subscribe()
            let arriving = Mutex<(any Disposable)?>(nil)
            let ready = Atomic(0)
            DispatchQueue.concurrentPerform(iterations: 2) { worker in
                // Both start within a few nanoseconds on two processors.
                ready.add(1, ordering: .acquiringAndReleasing)
                for _ in 0..<10_000 where ready.load(ordering: .acquiring) < 2 {}
                if worker == 0 {
                    leaving.dispose()
                } else {
                    let subscription = shared.subscribe()
                    arriving.withLock { $0 = subscription }
                }
            }
            let live = connections.load(ordering: .relaxed)
            #expect(live == 1, "round \(round)")
            arriving.withLock { $0 }?.dispose()
            let left = connections.load(ordering: .relaxed)
            #expect(left == 0, "round \(round)")
            if live != 1 || left != 0 { return }
        }
    }

    @Test("a subscription during the disposal of the connection gets a new connection", arguments: cases)
    func subscribingInDispose(_ sharing: Case) {
        let connections = Atomic(0)
        let again = Mutex<(@Sendable () -> any Disposable)?>(nil)
        let second = Mutex<(any Disposable)?>(nil)
        let source = Observable<Int>.create { _ in
            connections.add(1, ordering: .relaxed)
            return Disposables.create {
                connections.subtract(1, ordering: .relaxed)
                if let subscribe = again.withLock({ $0.take() }) {
                    let subscription = subscribe()
                    second.withLock { $0 = subscription }
                }
            }
        }
        let shared = sharing.share(source)
        again.withLock { $0 = { shared.subscribe() } }
        shared.subscribe().dispose()
        #expect(connections.load(ordering: .relaxed) == 1)
        second.withLock { $0 }?.dispose()
        #expect(connections.load(ordering: .relaxed) == 0)
    }
}

/// A custom connectable type.
private struct CustomConnectable: ConnectableObservableType {
    typealias Element = Int

    let source: Observable<Int>
    let subject = PublishSubject<Int>()

    func connect() -> any Disposable { source.subscribe(subject) }

    func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable where Observer.Element == Int {
        subject.subscribe(observer)
    }
}
