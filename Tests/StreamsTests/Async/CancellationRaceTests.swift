import Dispatch
import Streams
import StreamsTesting
import Synchronization
import TestConcurrency
import Testing

/// Races completion against cancellation on real threads, a thousand times for each bridge: every task finishes, none
/// is resumed twice (a checked continuation would stop the program), and no subscription is left.
@Suite("Races of completion against cancellation", .limitedConcurrency, .serialized)
struct CancellationRaceTests {
    static let rounds = 1_000

    enum Bridge: CaseIterable {
        case value, values, bufferedValues, firstOfSequence
    }

    /// Awaits `subject` through a bridge.
    private static func wait(on subject: PublishSubject<Int>, by bridge: Bridge) async {
        // The result is irrelevant; the task only has to finish.
        switch bridge {
        case .value: _ = try? await subject.asSingle().value
        case .values: _ = try? await subject.values.reduce(0, +)
        case .bufferedValues: _ = try? await subject.values(buffering: .latest).reduce(0, +)
        case .firstOfSequence: _ = try? await subject.values.first { _ in true }
        }
    }

    @Test("A task that awaits a stream always finishes", arguments: Bridge.allCases)
    func outOfStreams(_ bridge: Bridge) async {
        for round in 0..<Self.rounds {
            let subject = PublishSubject<Int>()
            let task = Task { await Self.wait(on: subject, by: bridge) }
            let sender = Task {
                subject.onNext(round)
                subject.onCompleted()
            }
            if round.isMultiple(of: 3) { await Task.yield() }
            task.cancel()
            await task.value
            await sender.value
            #expect(!subject.hasObservers)
        }
    }

    @Test("Observable.task emits its value or is disposed, and emits nothing after disposal")
    func intoStreams() async {
        for round in 0..<Self.rounds {
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            let received = Count()
            let subscription = Observable<Int>.task { round }.subscribe(
                onNext: { _ in received.add() }, onDisposed: { end.finish() })
            if round.isMultiple(of: 2) { await Task.yield() }
            subscription.dispose()
            for await _ in ends {}
            #expect(received.count <= 1)
        }
    }

    @Test("flatMapLatest of tasks that finish during a switch completes with the latest value")
    func switching() async throws {
        for _ in 0..<Self.rounds / 10 {
            let subject = PublishSubject<Int>()
            let results = subject.flatMapLatest { number in
                await Task.yield()
                return number
            }.values
            DispatchQueue.global().async {
                for number in 1...10 { subject.onNext(number) }
                subject.onCompleted()
            }
            var last = 0
            for try await number in results {
                #expect(number > last)
                last = number
            }
            #expect(last == 10)
        }
    }

    @Test("A stream of an asynchronous sequence can be disposed while it terminates")
    func sequences() async {
        for round in 0..<Self.rounds {
            let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            continuation.onTermination = { _ in end.finish() }
            let subscription = numbers.asObservable().subscribe()
            DispatchQueue.global().async {
                continuation.yield(round)
                continuation.finish()
            }
            subscription.dispose()
            for await _ in ends {}
        }
    }
}

private final class Count: Sendable {
    private let atomic = Atomic(0)

    var count: Int { atomic.load(ordering: .acquiring) }

    func add() { atomic.add(1, ordering: .acquiringAndReleasing) }
}
