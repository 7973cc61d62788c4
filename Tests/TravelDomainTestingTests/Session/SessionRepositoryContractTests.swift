import TestTurns
import Testing
import TravelDomain
import TravelDomainTesting

@Suite("The contract of the session", .takesTurns)
struct SessionRepositoryContractTests {
    enum Flaw: CaseIterable {
        case someoneIsSignedIn, signingOutIsIgnored, firstSessionStays, identityFollowsTheSession, identitiesDiffer
        case cancellationIsIgnored
    }

    @Test(
        "a session that breaks a promise fails the check of that promise",
        arguments: [
            (Flaw.someoneIsSignedIn, "session: nobody is signed in to begin with"),
            (.signingOutIsIgnored, "session: who was signed in last is, until nobody is"),
            (.firstSessionStays, "session: who was signed in last is, until nobody is"),
            (.identityFollowsTheSession, "session: the identity is the same each time, whoever is signed in"),
            (.identitiesDiffer, "session: tasks that ask at the same time are told the same identity"),
            (.cancellationIsIgnored, "session: a look in a cancelled task ends with CancellationError"),
            (
                .cancellationIsIgnored,
                "session: signing in, in a cancelled task, ends with CancellationError and signs nobody in"
            ),
        ])
    func aBrokenPromiseIsFound(flaw: Flaw, check: String) async throws {
        try await expectViolation(of: check, among: SessionRepositoryContract.checks) { FlawedSession(flaw) }
    }

    @Test("the session that the flawed ones share keeps every promise while it has no flaw")
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
        // Another task may be told another identity meanwhile.
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
