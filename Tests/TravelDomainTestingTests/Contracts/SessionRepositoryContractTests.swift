import TestTurns
import Testing
import TravelDomain
import TravelDomainTesting

@Suite("Contract of sessions", .takesTurns)
struct SessionRepositoryContractTests {
    enum Flaw: CaseIterable {
        case someoneIsSignedIn, signingOutIsIgnored, firstSessionStays, identityFollowsTheSession, identitiesDiffer
        case cancellationIsIgnored
    }

    @Test(
        "a session with a flaw fails the check for it",
        arguments: [
            (Flaw.someoneIsSignedIn, "session: nobody is signed in at first"),
            (.signingOutIsIgnored, "session: the latest sign-in or sign-out determines the signed-in user"),
            (.firstSessionStays, "session: the latest sign-in or sign-out determines the signed-in user"),
            (.identityFollowsTheSession, "session: the identity does not depend on the signed-in user"),
            (.identitiesDiffer, "session: concurrent tasks receive the same identity"),
            (.cancellationIsIgnored, "session: a lookup in a cancelled task throws CancellationError"),
            (
                .cancellationIsIgnored,
                "session: signing in, in a cancelled task, throws CancellationError and signs nobody in"
            ),
        ])
    func aBrokenPromiseIsFound(flaw: Flaw, check: String) async throws {
        try await expectViolation(of: check, among: SessionRepositoryContract.checks) { FlawedSession(flaw) }
    }

    @Test("the wrapper of flawed sessions passes every check without a flaw")
    func withoutFlawEveryCheckPasses() async throws {
        #expect(try await SessionRepositoryContract.checks.violations { FlawedSession(nil) } == [])
    }
}

private actor FlawedSession: SessionRepository, IdentityProvider {
    private let flaw: SessionRepositoryContractTests.Flaw?
    private var user: User.ID?
    private var device: User.ID?

    init(_ flaw: SessionRepositoryContractTests.Flaw?) {
        self.flaw = flaw
        user = flaw == .someoneIsSignedIn ? User.ID(seed: 1) : nil
    }

    func identify() async throws -> User.ID {
        try checkCancellation()
        if flaw == .identityFollowsTheSession, let user { return user }
        if let device { return device }
        // Another task may receive another ID in the meantime.
        if flaw == .identitiesDiffer { for _ in 0..<50 { await Task.yield() } }
        let new = User.ID()
        device = new
        return new
    }

    func signedInUser() async throws -> User.ID? {
        try checkCancellation()
        return user
    }

    func setSignedInUser(_ new: User.ID?) async throws {
        try checkCancellation()
        switch flaw {
        case .signingOutIsIgnored where new == nil: return
        case .firstSessionStays where user != nil && new != nil: return
        default: user = new
        }
    }

    private func checkCancellation() throws {
        if flaw != .cancellationIsIgnored { try Task.checkCancellation() }
    }
}
