import Synchronization
import TravelDataCached
import TravelDomainTesting

/// A network between one device and a remote store, whose faults follow from a seed.
final class Network: Sendable {
    /// How often calls fail and how long they take.
    struct Quality: Sendable {
        /// Of 100 calls, those that do not arrive.
        var lost = 0
        /// Of 100 answers, those that do not arrive, although the call had its effect.
        var lostAnswers = 0
        /// Of 100 calls, those that arrive twice, of which the second is answered.
        var repeated = 0
        /// The longest delay of a call and of an answer, in milliseconds.
        var delay = 0
        /// Whether the server no longer accepts the session.
        var isSignedOut = false
        /// Whether the server refuses to publish images.
        var refusesImages = false

        static let perfect = Quality()
        static let offline = Quality(lost: 100)
        static let poor = Quality(lost: 15, lostAnswers: 15, repeated: 15, delay: 400)
    }

    private struct State {
        var random: SeededGenerator
        var quality = Quality.perfect
        var calls = 0
    }

    private let state: Mutex<State>
    private let clock: any Clock<Duration>

    init(seed: UInt64, clock: any Clock<Duration>) {
        state = Mutex(State(random: SeededGenerator(seed: seed)))
        self.clock = clock
    }

    var quality: Quality {
        get { state.withLock { $0.quality } }
        set { state.withLock { $0.quality = newValue } }
    }

    /// The number of calls that were tried.
    var calls: Int { state.withLock { $0.calls } }

    static let outage = TravelError.unavailable(.init("The network is down.", canRetry: true))

    /// Calls the remote store through the network.
    func call<Value>(_ body: () async throws -> Value) async throws -> Value {
        state.withLock { $0.calls += 1 }
        try await travel()
        if quality.isSignedOut { throw TravelError.signedOut }
        if isChosen(\.lost) { throw Self.outage }
        let isRepeated = isChosen(\.repeated)
        if isRepeated { _ = try? await body() }
        let value = try await body()
        try await travel()
        if isChosen(\.lostAnswers) || quality.lost == 100 { throw Self.outage }
        return value
    }

    private func travel() async throws {
        let delay = state.withLock {
            $0.quality.delay == 0 ? 0 : Int.random(in: 0...$0.quality.delay, using: &$0.random)
        }
        if delay > 0 { try await clock.sleep(for: .milliseconds(delay)) }
    }

    private func isChosen(_ rate: KeyPath<Quality, Int>) -> Bool {
        state.withLock { state in
            let percent = state.quality[keyPath: rate]
            return percent > 0 && Int.random(in: 0..<100, using: &state.random) < percent
        }
    }
}
