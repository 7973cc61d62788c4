public import TravelDomain

/// The contract of `SessionRepository` and of an `IdentityProvider` on the device, as checks for any implementation.
///
/// Each check requires a new, empty repository. ``TripRepositoryContract`` shows how to run them.
public enum SessionRepositoryContract {
    /// An implementation of both protocols.
    public typealias Subject = any SessionRepository & IdentityProvider

    public static let checks: [ContractCheck<Subject>] = storing + observing + identifying

    private static let storing: [ContractCheck<Subject>] = [
        check("nobody is signed in at first") { session in
            try await expectSession(nil, in: session)
        },
        check("the latest sign-in or sign-out determines the session") { session in
            for user in [User.ID(seed: 1), User.ID(seed: 2), User.ID(seed: 2), nil, User.ID(seed: 1), nil, nil] {
                try await session.setSession(user.map { Session(user: $0) })
                try await expectSession(user.map { Session(user: $0) }, in: session)
            }
        },
        check("a user without an account can be signed in") { session in
            try await session.setSession(Session(user: User.ID(seed: 77)))
            try await expectSession(Session(user: User.ID(seed: 77)), in: session)
        },
        check("the time at which a session expires is kept to the last bit, and goes with the session") { session in
            for seconds in [0.1 + 0.2, -1e-300, 757_382_400.000_001, .infinity] {
                let expiry = Date(timeIntervalSinceReferenceDate: seconds)
                let expiring = try Session(user: User.ID(seed: 1), expiresAt: expiry)
                try await session.setSession(expiring)
                try await expectSession(expiring, in: session)
            }
            try await session.setSession(Session(user: User.ID(seed: 1)))
            try await expectSession(Session(user: User.ID(seed: 1)), in: session)
            try await session.setSession(nil)
            try await expectSession(nil, in: session)
        },
        check("a change receives the current session") { session in
            let (first, second) = (Session(user: User.ID(seed: 1)), Session(user: User.ID(seed: 2)))
            try await session.setSession(first)
            try await session.updateSession { if $0 == first { $0 = second } }
            try await expectSession(second, in: session)
            try await session.updateSession { if $0 == first { $0 = nil } }
            try await expectSession(second, in: session)
        },
        check("changes by several tasks are serialised") { session in
            let start = Date(timeIntervalSinceReferenceDate: 0)
            try await session.setSession(Session(user: User.ID(seed: 1), expiresAt: start))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        try await session.updateSession { session in
                            guard let old = session, let expiry = old.expiresAt else { return }
                            // An error would end the session, and fail the check.
                            session = try? Session(user: old.user, expiresAt: expiry.addingTimeInterval(1))
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await expectSession(
                Session(user: User.ID(seed: 1), expiresAt: start.addingTimeInterval(20)), in: session)
        },
        check("signing in, in a cancelled task, throws CancellationError and signs nobody in") { session in
            try await expectCancellation(of: "signing in") {
                try await session.setSession(Session(user: User.ID(seed: 1)))
            }
            try await expectSession(nil, in: session)
        },
        check("a lookup in a cancelled task throws CancellationError") { session in
            try await expectCancellation(of: "a lookup") { _ = try await session.session() }
            try await expectCancellation(of: "an identification") { _ = try await session.identify() }
            let expired = Session(user: User.ID(seed: 1))
            try await expectCancellation(of: "a refresh") { _ = try await session.refresh(expired) }
        },
    ]

    private static let observing: [ContractCheck<Subject>] = [
        check("an observation emits the current session and then each new one") { session in
            let (first, second) = (Session(user: User.ID(seed: 1)), Session(user: User.ID(seed: 2)))
            try await watch(session.observeSession()) { inbox in
                try expect(try await inbox.next(), equals: nil, "the first session")
                try await session.setSession(first)
                try expect(try await inbox.next(), equals: first, "the session after signing in")
                try await session.setSession(second)
                try expect(try await inbox.next(), equals: second, "the session of someone else")
                try await session.setSession(nil)
                try expect(try await inbox.next(), equals: nil, "the session after signing out")
            }
        },
        check("an observation does not emit an equal session again") { session in
            let (first, second) = (Session(user: User.ID(seed: 1)), Session(user: User.ID(seed: 2)))
            try await session.setSession(first)
            try await watch(session.observeSession()) { inbox in
                try expect(try await inbox.next(), equals: first, "the first session")
                try await session.setSession(first)
                _ = try await session.identify()
                try await session.setSession(second)
                try expect(try await inbox.next(), equals: second, "the next session")
            }
        },
    ]

    private static let identifying: [ContractCheck<Subject>] = [
        check("the identity does not depend on the signed-in user") { session in
            let identity = try await session.identify().user
            try await session.setSession(Session(user: User.ID(seed: 1)))
            try expect(try await session.identify().user, equals: identity, "the identity")
            try await session.setSession(nil)
            try expect(try await session.identify().user, equals: identity, "the identity")
            try expect(try await session.reauthenticate(), equals: identity, "the identity when asked again")
        },
        check("an identification signs nobody in") { session in
            _ = try await session.identify()
            try await expectSession(nil, in: session)
        },
        check("a refresh keeps the user") { session in
            let identified = try await session.identify()
            try expect(try await session.refresh(identified).user, equals: identified.user, "the refreshed user")
        },
        check("concurrent tasks receive the same identity") { session in
            let identities = try await withThrowingTaskGroup(of: User.ID.self) { group in
                for _ in 0..<10 { group.addTask { try await session.identify().user } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            try expect(identities.count, equals: 1, "the number of identities")
        },
    ]

    private static func expectSession(_ expected: Session?, in session: Subject) async throws {
        try expect(try await session.session(), equals: expected, "the session")
    }

    private static func check(
        _ promise: String, _ body: @escaping @Sendable (Subject) async throws -> Void
    ) -> ContractCheck<Subject> {
        ContractCheck("session", promise, body)
    }
}
