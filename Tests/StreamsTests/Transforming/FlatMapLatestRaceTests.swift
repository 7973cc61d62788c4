import Dispatch
import Streams
import Synchronization
import TestTurns
import Testing

@Suite("Races of flatMapLatest", .takesTurns)
struct FlatMapLatestRaceTests {
    @Test("flatMapLatest never delivers an element of an older stream after one of a newer stream")
    func newestWins() {
        for _ in 0..<500 {
            let outer = PublishSubject<Int>()
            let inners = (0..<4).map { _ in PublishSubject<Int>() }
            let received = Mutex<[Int]>([])
            let subscription = outer.flatMapLatest { number in inners[number].map { _ in number } }
                .subscribe(onNext: { number in received.withLock { $0.append(number) } })

            DispatchQueue.concurrentPerform(iterations: 2) { worker in
                if worker == 0 {
                    for number in 0..<4 {
                        outer.onNext(number)
                        inners[number].onNext(0)
                    }
                } else {
                    for _ in 0..<8 { for inner in inners { inner.onNext(1) } }
                }
            }

            subscription.dispose()
            received.withLock { #expect($0 == $0.sorted()) }
        }
    }

    @Test("flatMapLatest drops an error of an older stream")
    func staleErrorsAreDropped() {
        struct Failure: Error {}
        for _ in 0..<500 {
            let outer = BehaviorSubject(value: 0)
            let inners = (0..<2).map { _ in PublishSubject<Int>() }
            let switched = Atomic(false)
            let failedAfterSwitch = Atomic(false)
            let subscription = outer.flatMapLatest { inners[$0] }.subscribe(
                onNext: { _ in switched.store(true, ordering: .sequentiallyConsistent) },
                onError: { _ in
                    if switched.load(ordering: .sequentiallyConsistent) {
                        failedAfterSwitch.store(true, ordering: .relaxed)
                    }
                })

            DispatchQueue.concurrentPerform(iterations: 2) { worker in
                if worker == 0 {
                    outer.onNext(1)
                    inners[1].onNext(1)
                } else {
                    inners[0].onError(Failure())
                }
            }

            subscription.dispose()
            let hasFailed = failedAfterSwitch.load(ordering: .relaxed)
            #expect(!hasFailed)
        }
    }
}
