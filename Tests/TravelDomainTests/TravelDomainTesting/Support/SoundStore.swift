import Synchronization
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

/// A store that forwards every call to a correct one by default.
protocol SoundStore: ForwardingStore {
    var sound: InMemoryTripRepository { get }
}

extension SoundStore {
    func store(for call: InterceptedStore.Call) async throws -> any TravelStore { sound }
}

/// Expects the check whose name begins with `text`, with or without its area, to pass without a flaw and to fail with
/// it, in the case of that name if there is one.
func expectViolation<Subject, Flaw: Sendable>(
    of text: String, case name: String = "", among checks: [ContractCheck<Subject>], by flaw: Flaw,
    _ make: @Sendable (Flaw?) async throws -> Subject
) async throws {
    let named = checks.filter { $0.id.hasPrefix(text) || $0.promise.hasPrefix(text) }
    let check = named.count == 1 ? named[0] : named.first { [$0.id, $0.promise].contains(text) }
    guard let check else { throw NotOneCheck(text: text, found: named.map(\.id)) }
    try await check.run { try await make(nil) }
    do {
        try await check.run { try await make(flaw) }
    } catch let violation as ContractViolation
        where violation.check == check.id && (name.isEmpty || violation.message.contains(name))
    {
        return
    }
    throw Unnoticed(check: check.id)
}

/// Expects the names of checks to differ.
func expectUniqueNames<Subject>(_ checks: [ContractCheck<Subject>], sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(Set(checks.map(\.id)).count == checks.count, sourceLocation: sourceLocation)
}

struct NotOneCheck: Error {
    let text: String
    let found: [String]
}

struct Unnoticed: Error {
    let check: String
}

extension Collection {
    /// Whether one of these checks fails; stops at the first failure.
    func hasViolation<Subject>(
        of make: @Sendable () async throws -> Subject
    ) async throws -> Bool where Element == ContractCheck<Subject> {
        for check in self {
            do {
                try await Shrinking.$isOn.withValue(false) { try await check.run(make) }
            } catch is ContractViolation {
                return true
            }
        }
        return false
    }
}

/// A clock whose sleeps end immediately, unless their task is cancelled.
final class RecordingClock: Clock {
    struct Instant: InstantProtocol {
        let offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let slept = Mutex<[Duration]>([])

    var sleeps: [Duration] { slept.withLock { $0 } }
    var now: Instant { Instant(offset: .zero) }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        slept.withLock { $0.append(deadline.offset) }
    }
}
