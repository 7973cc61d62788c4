import Dispatch
import Samples
import Streams
import Synchronization

extension StreamsBenchmarks {
    /// A single for the result of an asynchronous function, which runs in a task and could be cancelled.
    static func singles<E: Sample>(_ report: inout Report, _: E.Type) async throws {
        let totals = Totals()
        try await compare(&report, "singleFromAsync", E.self, count: 20_000, goal: 2.5, totals) { count in
            let arrival = Arrival(of: count)
            for number in 0..<count {
                let subscription = Single.create { try await load(number) as E }
                    .subscribe(onSuccess: { arrival.add($0.weight) })
                withExtendedLifetime(subscription) {}
            }
            totals.streams.add(arrival.wait())
        } hand: { count in
            let arrival = Arrival(of: count)
            for number in 0..<count {
                let cancel = start({ try await load(number) as E }) { result in
                    if case .success(let element) = result { arrival.add(element.weight) }
                }
                withExtendedLifetime(cancel) {}
            }
            totals.hand.add(arrival.wait())
        }
    }

    @inline(never)
    nonisolated private static func load<E: Sample>(_ number: Int) async throws -> E { E.sample(number) }

    /// Runs an operation in a task, and returns how to cancel it. Its result is dropped when it was cancelled.
    @inline(never)
    nonisolated private static func start<E: Sendable>(
        _ operation: @escaping @Sendable () async throws -> E,
        _ end: @escaping @Sendable (Result<E, any Error>) -> Void
    ) -> Hand.Cancel {
        let task = Task {
            let result: Result<E, any Error>
            do { result = .success(try await operation()) } catch { result = .failure(error) }
            if !Task.isCancelled { end(result) }
        }
        return { task.cancel() }
    }

    /// Adds up results that arrive on any thread, and waits for the last.
    private final class Arrival: Sendable {
        private let missing: Atomic<Int>
        private let sum = Atomic(0)
        private let semaphore = DispatchSemaphore(value: 0)

        init(of count: Int) { missing = Atomic(count) }

        func add(_ weight: Int) {
            sum.wrappingAdd(weight, ordering: .relaxed)
            if missing.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { semaphore.signal() }
        }

        func wait() -> Int {
            semaphore.wait()
            return sum.load(ordering: .relaxed)
        }
    }
}
