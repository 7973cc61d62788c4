public import TravelDomain

/// The contract of `SessionRepository` and of an `IdentityProvider` on the device, as checks for any implementation.
///
/// Each check requires a new, empty repository. `ContractCheck` shows how to run them.
public enum SessionRepositoryContract {
    /// An implementation of both protocols.
    public typealias Subject = any SessionRepository & IdentityProvider

    /// All checks.
    public static let checks: [ContractCheck<Subject>] = [
        check("nobody is signed in at first") { session in
            try expect(try await session.signedInUser(), equals: nil, "the signed-in user")
        },
        check("the latest sign-in or sign-out determines the signed-in user") { session in
            for user in [User.ID(seed: 1), User.ID(seed: 2), User.ID(seed: 2), nil, User.ID(seed: 1), nil, nil] {
                try await session.setSignedInUser(user)
                try expect(try await session.signedInUser(), equals: user, "the signed-in user")
            }
        },
        check("a user without an account can be signed in") { session in
            try await session.setSignedInUser(User.ID(seed: 77))
            try expect(try await session.signedInUser(), equals: User.ID(seed: 77), "the signed-in user")
        },
        check("the identity does not depend on the signed-in user") { session in
            let identity = try await session.identify()
            try await session.setSignedInUser(User.ID(seed: 1))
            try expect(try await session.identify(), equals: identity, "the identity")
            try await session.setSignedInUser(nil)
            try expect(try await session.identify(), equals: identity, "the identity")
        },
        check("concurrent tasks receive the same identity") { session in
            let identities = try await withThrowingTaskGroup(of: User.ID.self) { group in
                for _ in 0..<10 { group.addTask { try await session.identify() } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            try expect(identities.count, equals: 1, "the number of identities")
        },
        check("signing in, in a cancelled task, throws CancellationError and signs nobody in") { session in
            try await expectCancellation(of: "signing in") { try await session.setSignedInUser(User.ID(seed: 1)) }
            try expect(try await session.signedInUser(), equals: nil, "the signed-in user")
        },
        check("a lookup in a cancelled task throws CancellationError") { session in
            try await expectCancellation(of: "a lookup") { _ = try await session.signedInUser() }
            try await expectCancellation(of: "an identification") { _ = try await session.identify() }
        },
    ]

    private static func check(
        _ promise: String, _ body: @escaping @Sendable (Subject) async throws -> Void
    ) -> ContractCheck<Subject> {
        ContractCheck("session", promise, body)
    }
}
