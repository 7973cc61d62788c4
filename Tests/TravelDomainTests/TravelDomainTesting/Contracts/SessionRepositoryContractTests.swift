#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TestTurns
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Contract of sessions", .takesTurns)
struct SessionRepositoryContractTests {
    enum Flaw: CaseIterable {
        case someoneIsSignedIn, signingOutIsIgnored, firstSessionStays, identityFollowsTheSession, identitiesDiffer
        case cancellationIsIgnored, expiryIsLost, expiryIsShort, changesSeeNobody, changesOverlap
        case observationsEnd, observationsRepeat, identifyingSignsIn, refreshInvents, asksSomeoneElse
    }

    @Test(
        "a session with a flaw fails the check for it",
        arguments: [
            (Flaw.someoneIsSignedIn, "session: nobody is signed in at first"),
            (.signingOutIsIgnored, "session: the latest sign-in or sign-out determines the session"),
            (.firstSessionStays, "session: the latest sign-in or sign-out determines the session"),
            (
                .expiryIsLost,
                "session: the time at which a session expires is kept to the last bit, and goes with the session"
            ),
            (
                .expiryIsShort,
                "session: the time at which a session expires is kept to the last bit, and goes with the session"
            ),
            (.changesSeeNobody, "session: a change receives the current session"),
            (.changesOverlap, "session: changes by several tasks are serialised"),
            (.observationsEnd, "session: an observation emits the current session and then each new one"),
            (.observationsRepeat, "session: an observation does not emit an equal session again"),
            (.identityFollowsTheSession, "session: the identity does not depend on who is signed in"),
            (.asksSomeoneElse, "session: the identity does not depend on who is signed in"),
            (.identifyingSignsIn, "session: an identification signs nobody in"),
            (.refreshInvents, "session: a refresh keeps the person"),
            (.identitiesDiffer, "session: concurrent tasks receive the same identity"),
            (.cancellationIsIgnored, "session: a lookup in a cancelled task throws CancellationError"),
            (
                .cancellationIsIgnored,
                "session: signing in, in a cancelled task, throws CancellationError and signs nobody in"
            ),
        ])
    func flawIsFound(flaw: Flaw, check: String) async throws {
        try await expectViolation(of: check, among: SessionRepositoryContract.checks) { FlawedSession(flaw) }
    }

    @Test("the wrapper of flawed sessions passes every check without a flaw")
    func withoutFlawEveryCheckPasses() async throws {
        #expect(try await SessionRepositoryContract.checks.violations { FlawedSession(nil) } == [])
    }
}

private actor FlawedSession: SessionRepository, IdentityProvider {
    private let flaw: SessionRepositoryContractTests.Flaw?
    private let sound: InMemorySession
    private var device: User.ID?

    init(_ flaw: SessionRepositoryContractTests.Flaw?) {
        self.flaw = flaw
        sound = InMemorySession(signedIn: flaw == .someoneIsSignedIn ? User.ID(seed: 1) : nil)
    }

    func session() async throws -> Session? {
        try await soundly { [sound] in try await sound.session() }
    }

    func updateSession(_ change: @escaping @Sendable (inout Session?) -> Void) async throws {
        if flaw == .changesOverlap {
            var session = try await sound.session()
            change(&session)
            for _ in 0..<50 { await Task.yield() }
            return try await sound.setSession(session)
        }
        let flaw = flaw
        try await soundly { [sound] in
            try await sound.updateSession { session in
                var new = flaw == .changesSeeNobody ? nil : session
                change(&new)
                switch flaw {
                case .signingOutIsIgnored where new == nil: return
                case .firstSessionStays where session != nil && new != nil: return
                case .expiryIsLost: session = new.map { Session(user: $0.user) }
                case .expiryIsShort: session = new.map { $0.rounded }
                default: session = new
                }
            }
        }
    }

    nonisolated func observeSession() -> any AsyncSequence<Session?, any Error> & Sendable {
        let base = sound.observeSession()
        switch flaw {
        case .observationsEnd: return AlteredObservation(base: base, endsEarly: true)
        case .observationsRepeat: return AlteredObservation(base: base, endsEarly: false)
        default: return base
        }
    }

    func identify() async throws -> Session {
        if flaw != .cancellationIsIgnored { try Task.checkCancellation() }
        if flaw == .identityFollowsTheSession, let session = try await sound.session() { return session }
        if let device { return Session(user: device) }
        // Another task may receive another ID in the meantime.
        if flaw == .identitiesDiffer { for _ in 0..<50 { await Task.yield() } }
        let new = User.ID()
        device = new
        if flaw == .identifyingSignsIn { try await sound.setSession(Session(user: new)) }
        return Session(user: new)
    }

    func refresh(_ session: Session) async throws -> Session {
        flaw == .refreshInvents ? Session(user: User.ID()) : session
    }

    func reauthenticate() async throws -> User.ID {
        flaw == .asksSomeoneElse ? User.ID() : try await identify().user
    }

    /// Calls `body`; with the flaw `cancellationIsIgnored`, in a task that is not cancelled.
    private func soundly<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        flaw == .cancellationIsIgnored ? try await Task.detached { try await body() }.value : try await body()
    }
}

extension Session {
    /// The session with its time of expiry rounded to milliseconds.
    fileprivate var rounded: Session {
        let seconds = expiresAt.map { ($0.timeIntervalSinceReferenceDate * 1_000).rounded() / 1_000 }
        let expiry = seconds.map { Date(timeIntervalSinceReferenceDate: $0) }
        return (try? Session(user: user, expiresAt: expiry)) ?? self
    }
}

/// A sequence that ends after the first element of another, or emits each of its elements twice.
private struct AlteredObservation: AsyncSequence, Sendable {
    let base: any AsyncSequence<Session?, any Error> & Sendable
    let endsEarly: Bool

    struct Iterator: AsyncIteratorProtocol {
        var base: any AsyncIteratorProtocol<Session?, any Error>
        let endsEarly: Bool
        var repeated: Session??
        var hasEmitted = false

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Session?? {
            if endsEarly, hasEmitted { return nil }
            hasEmitted = true
            if !endsEarly, let last = repeated {
                repeated = nil
                return last
            }
            let next = try await base.next(isolation: actor)
            repeated = next
            return next
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), endsEarly: endsEarly) }
}
