import Dispatch
import Streams
import Synchronization
import TestTurns
import Testing

@Suite("Contract of operators on several threads", .takesTurns)
struct OperatorRaceTests {
    @Test(
        "an operator used by several threads delivers one event at a time, terminates once and leaves nothing behind",
        arguments: Operator.independent)
    func race(_ operation: Operator) {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        for round in 0..<30 {
            let source = PublishSubject<Token>()
            let isInside = Atomic(false)
            let overlaps = Atomic(0)
            let ends = Atomic(0)
            let subscription = operation.apply(source, scheduler).subscribe { event in
                if isInside.exchange(true, ordering: .acquiringAndReleasing) { overlaps.add(1, ordering: .relaxed) }
                if event.isStopEvent { ends.add(1, ordering: .relaxed) }
                isInside.store(false, ordering: .releasing)
            }
            DispatchQueue.concurrentPerform(iterations: 3) { worker in
                if worker < 2 {
                    for number in 0..<10 { source.onNext(Token(number)) }
                } else if round % 3 == 0 {
                    source.onCompleted()
                } else if round % 3 == 1 {
                    source.onError(Failure.expected)
                } else {
                    subscription.dispose()
                }
            }
            subscription.dispose()
            #expect(overlaps.load(ordering: .relaxed) == 0)
            #expect(ends.load(ordering: .relaxed) <= 1)
            // With a scheduler, disposal runs there.
            if operation.signature != "subscribe(on:)" { #expect(!source.hasObservers) }
        }
    }
}
