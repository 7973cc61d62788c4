import Synchronization
public import TravelDomain

/// A store that does something before it hands each call on: fails, or waits. For the error and loading states of
/// screens and use cases.
///
/// ```swift
/// let offline = InterceptedStore.failing()
/// let flaky = InterceptedStore.failing(InMemoryTravelRepository(), at: [.setLiked], times: 1)
/// let slow = InterceptedStore.slow(InMemoryTravelRepository(), by: .seconds(2), clock: scheduler.virtualClock)
/// ```
///
/// What is observed counts as one call for each value, the first included. Nothing else differs from the store behind.
public struct InterceptedStore: Sendable {
    /// The calls that a store answers.
    public enum Call: Hashable, Sendable, CaseIterable {
        /// Of ``TravelRepository``.
        case search, travel, timeline, addTravels, setLiked
        /// Of ``TravelEditingRepository``.
        case update
        /// Of ``TravelObservingRepository``.
        case observe, observeTravel, observeTimeline
        /// Of ``TitleRepository`` and ``ImageRepository``.
        case titles, image
        /// Of ``ModerationRepository``.
        case report, block, unblock, blocked
        /// Of ``UserRepository``.
        case user, isTaken, addUser, rename, removeUser
    }

    private let base: TravelStore?
    private let before: @Sendable (Call) async throws -> Void

    /// A store that calls `before`, and hands the call on to `base` when that has returned.
    ///
    /// - Parameters:
    ///   - base: The store behind; without one, what `before` lets pass is refused as ``TravelError/unavailable(_:)``.
    ///   - before: Called with each call, in the task of whoever calls. What it throws is thrown by the call: throw
    ///     ``TravelError`` or `CancellationError`, as stores do.
    public init(_ base: TravelStore?, before: @escaping @Sendable (Call) async throws -> Void) {
        self.base = base
        self.before = before
    }

    /// A store that fails.
    ///
    /// - Parameters:
    ///   - base: The store behind, for calls that do not fail.
    ///   - error: What those throw that fail; by default an outage that may be over soon.
    ///   - calls: Those that fail; by default all.
    ///   - times: How many of these fail before they are handed on; by default all.
    public static func failing(
        _ base: TravelStore? = nil, with error: TravelError = outage, at calls: Set<Call> = Set(Call.allCases),
        times: Int = .max
    ) -> InterceptedStore {
        let left = Countdown(from: times)
        return InterceptedStore(base) { call in
            if calls.contains(call), left.takeOne() { throw error }
        }
    }

    /// A store that lets every call wait.
    ///
    /// - Parameters:
    ///   - base: The store behind.
    ///   - delay: How long a call waits before it is handed on. A call whose task is cancelled meanwhile throws
    ///     `CancellationError` at once and is not handed on.
    ///   - clock: What it waits on: that of a test scheduler, in virtual time.
    ///   - calls: Those that wait; by default all.
    public static func slow(
        _ base: TravelStore, by delay: Duration, clock: any Clock<Duration>, at calls: Set<Call> = Set(Call.allCases)
    ) -> InterceptedStore {
        InterceptedStore(base) { call in
            if calls.contains(call) { try await clock.sleep(for: delay) }
        }
    }

    /// An outage that may be over soon.
    public static let outage = TravelError.unavailable(.init("The store cannot be reached.", canRetry: true))

    func store(for call: Call) async throws -> TravelStore {
        try await before(call)
        guard let base else { throw Self.outage }
        return base
    }

    func observe<Value: Sendable>(
        _ call: Call, _ values: @escaping @Sendable (TravelStore) -> any AsyncSequence<Value, any Error> & Sendable
    ) -> any AsyncSequence<Value, any Error> & Sendable {
        InterceptedSequence(before: { try await store(for: call) }, values: values)
    }
}

/// How many calls are still to fail.
private final class Countdown: Sendable {
    private let left: Mutex<Int>

    init(from count: Int) {
        left = Mutex(count)
    }

    func takeOne() -> Bool {
        left.withLock { left in
            guard left > 0 else { return false }
            left -= 1
            return true
        }
    }
}

/// What is observed, each value of which is asked for first.
private struct InterceptedSequence<Value: Sendable>: AsyncSequence, Sendable {
    let before: @Sendable () async throws -> TravelStore
    let values: @Sendable (TravelStore) -> any AsyncSequence<Value, any Error> & Sendable

    struct Iterator: AsyncIteratorProtocol {
        let sequence: InterceptedSequence
        var base: (any AsyncIteratorProtocol<Value, any Error>)?

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
            let store = try await sequence.before()
            if base == nil {
                let values = sequence.values(store)
                base = values.makeAsyncIterator()
            }
            return try await base?.next(isolation: actor)
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }
}
