public import TravelDomain

/// The contract of `AccountRepository`, as checks for any implementation with its store of people.
///
/// Each check requires a new, empty store. `ContractCheck` shows how to run them.
///
/// ```swift
/// @Test(arguments: AccountRepositoryContract.checks)
/// func fulfilsItsContract(check: ContractCheck<AccountRepositoryContract.Subject>) async throws {
///     try await check.run {
///         let store = InMemoryTripRepository()
///         return AccountRepositoryContract.Subject(accounts: store, people: store)
///     }
/// }
/// ```
public enum AccountRepositoryContract {
    /// An implementation, and the people of the same store.
    public struct Subject: Sendable {
        public let accounts: any AccountRepository
        public let users: any UserRepository & TripRepository

        public init(accounts: any AccountRepository, users: any UserRepository & TripRepository) {
            self.accounts = accounts
            self.users = users
        }
    }

    /// All checks.
    public static let checks: [ContractCheck<Subject>] =
        finding + adding + invitations + changing + passwords + devices + renewals + reuse + expiry

    static func check(
        _ promise: String, _ body: @escaping @Sendable (Subject) async throws -> Void
    ) -> ContractCheck<Subject> {
        ContractCheck("accounts", promise, body)
    }

    static let now = Date(timeIntervalSinceReferenceDate: 757_382_400)
    static let hash = PasswordHash(seed: 1)

    private static let invitations: [ContractCheck<Subject>] = [
        check("an invitation is good for one account") { store in
            let (code, other) = (TokenDigest(seed: 1), TokenDigest(seed: 2))
            for _ in 1...2 { try await store.accounts.addInvitations([code, other], at: now) }
            try await store.accounts.addInvitations([], at: now)
            try expect(try await store.accounts.hasInvitation(code), equals: true, "whether the invitation is there")
            try await store.accounts.addAccount(User(seed: 1), password: hash, at: now, invitation: code)
            try expect(try await store.accounts.hasInvitation(code), equals: false, "whether the invitation is there")
            try await expect(.invalid(.noInvitation), from: "a second account") {
                try await store.accounts.addAccount(User(seed: 2), password: hash, at: now, invitation: code)
            }
            try await store.expect(nil, of: User.ID(seed: 2), "the second account")
            try await store.accounts.addAccount(User(seed: 2), password: hash, at: now, invitation: other)
        },
        check("an unknown invitation adds nobody") { store in
            try await expect(.invalid(.noInvitation), from: "the addition") {
                try await store.accounts.addAccount(
                    User(seed: 1), password: hash, at: now, invitation: TokenDigest(seed: 1))
            }
            try await store.expect(nil, of: User.ID(seed: 1), "the account")
            try await expect(.notFound(.user(User.ID(seed: 1))), from: "the user") {
                try await store.users.user(User.ID(seed: 1))
            }
        },
        check("an invitation is kept when the account cannot be added") { store in
            try await store.accounts.addInvitations([TokenDigest(seed: 1)], at: now)
            try await store.accounts.addAccount(User(seed: 1, nickname: "Mina"), password: hash)
            try await expect(.conflict(.user(User.ID(seed: 1))), from: "the addition") {
                try await store.accounts.addAccount(
                    User(seed: 2, nickname: "Mina"), password: hash, at: now, invitation: TokenDigest(seed: 1))
            }
            try expect(
                try await store.accounts.hasInvitation(TokenDigest(seed: 1)), equals: true,
                "whether the invitation is there")
        },
        check("of several tasks that use one invitation, one adds an account") { store in
            try await store.accounts.addInvitations([TokenDigest(seed: 1)], at: now)
            let added = try await withThrowingTaskGroup(of: Int.self) { group in
                for seed in UInt64(1)...6 {
                    group.addTask {
                        do {
                            try await store.accounts.addAccount(
                                User(seed: seed), password: hash, at: now, invitation: TokenDigest(seed: 1))
                            return 1
                        } catch TravelError.invalid(.noInvitation) {
                            return 0
                        }
                    }
                }
                return try await group.reduce(0, +)
            }
            try expect(added, equals: 1, "the accounts")
        },
    ]

    private static let finding: [ContractCheck<Subject>] =
        [
            check("an added account is found by its user and by its nickname") { store in
                let mina = try User(seed: 1, nickname: "Mina")
                try await store.accounts.addAccount(mina, password: hash)
                try await store.accounts.addAccount(User(seed: 2, nickname: "Sora"), password: PasswordHash(seed: 2))
                let account = Account(user: mina, password: hash)
                try await store.expect(account, of: mina.id, "the account")
                try await store.expect(account, named: "Mina")
                try expect(try await store.users.user(mina.id), equals: mina, "the user")
            },
            check("nobody is found in an empty store") { store in
                try await store.expect(nil, of: User.ID(seed: 1), "the account")
                try await store.expect(nil, named: "Mina")
            },
        ]
        + [
            ("Mina", "mINA"), ("Mina", "Ｍｉｎａ"), ("Mina", "M ina"), ("Mina", "Мina"), ("é부산", "e\u{301}부산"),
            ("부산", "\u{1107}\u{116E}\u{1109}\u{1161}\u{11AB}"),
        ].map { name, other in
            check("the account of \(name) is found by \(sourceText(other))") { store in
                let user = try User(seed: 1, nickname: name)
                try await store.accounts.addAccount(user, password: hash)
                try await store.expect(Account(user: user, password: hash), named: other)
            }
        }
        + [("Mina", "Min"), ("Mina", "Minah"), ("Mina", "Mína"), ("각하", "가하")].map { name, other in
            check("the account of \(name) is not found by \(other)") { store in
                try await store.accounts.addAccount(User(seed: 1, nickname: name), password: hash)
                try await store.expect(nil, named: other)
            }
        }
        + [
            check("people without an account are not found") { store in
                try await store.users.add(User(seed: 1, nickname: "Mina"))
                try await store.users.add([TripBuilder(seed: 2, author: User(seed: 2, nickname: "Sora")).build()])
                for (seed, nickname) in [(UInt64(1), "Mina"), (2, "Sora")] {
                    try await store.expect(nil, of: User.ID(seed: seed), "the account")
                    try await store.expect(nil, named: nickname)
                }
            },
            check("of several people with a nickname, the one with an account is found") { store in
                let mina = try User(seed: 5, nickname: "Mina")
                try await store.accounts.addAccount(mina, password: hash)
                // The authors of imported trips may have the nicknames of others.
                for seed in [UInt64(1), 9] {
                    let author = try User(seed: seed, nickname: "mina")
                    try await store.users.add([TripBuilder(seed: seed, author: author).build()])
                }
                try await store.expect(Account(user: mina, password: hash), named: "Mina")
            },
            check("an account is found by its own nickname, and not by one that looks like it") { store in
                let mina = try User(seed: 5, nickname: "mina")
                try await store.accounts.addAccount(mina, password: hash)
                let author = try User(seed: 1, nickname: "rnina")
                try await store.users.add([TripBuilder(seed: 1, author: author).build()])
                try await store.expect(Account(user: mina, password: hash), named: "Mina")
                for other in ["rnina", "mlna"] { try await store.expect(nil, named: other) }
            },
            check("an account with a nickname that looks like that of someone else throws a conflict") { store in
                try await store.accounts.addAccount(User(seed: 1, nickname: "mina"), password: hash)
                for nickname in ["rnina", "MlNA"] {
                    try await expect(.conflict(.user(User.ID(seed: 1))), from: "the second account") {
                        try await store.accounts.addAccount(User(seed: 2, nickname: nickname), password: hash)
                    }
                }
            },
            check("a lookup in a cancelled task throws CancellationError") { store in
                let mina = try Nickname("Mina")
                try await expectCancellation(of: "a lookup") { _ = try await store.accounts.account(named: mina) }
                try await expectCancellation(of: "a lookup") {
                    _ = try await store.accounts.account(of: User.ID(seed: 1))
                }
                try await expectCancellation(of: "a lookup") {
                    _ = try await store.accounts.device(withAccess: TokenDigest(seed: 1))
                }
            },
        ]

    private static let adding: [ContractCheck<Subject>] = [
        check("a picture of a new account is ignored") { store in
            let user = User(id: User.ID(seed: 1), nickname: try Nickname("Mina"), avatar: TripImage.ID(seed: 1))
            try await store.accounts.addAccount(user, password: hash)
            let expected = Account(user: try User(seed: 1, nickname: "Mina"), password: hash)
            try await store.expect(expected, of: user.id, "the account")
        },
        check("an account of a user who exists throws a conflict and changes nothing, whether they have one or not") {
            store in
            try await store.accounts.addAccount(User(seed: 1, nickname: "Mina"), password: hash)
            try await store.users.add(User(seed: 2, nickname: "Sora"))
            try await store.users.add([TripBuilder(seed: 3, author: User(seed: 3, nickname: "Jun")).build()])
            for (seed, nickname) in [(UInt64(1), "Mina"), (2, "Sora"), (3, "Jun")] {
                let id = User.ID(seed: seed)
                try await expect(.conflict(.user(id)), from: "the addition") {
                    try await store.accounts.addAccount(
                        User(id: id, nickname: Nickname("Tae")), password: PasswordHash(seed: 2))
                }
                try expect(try await store.users.user(id).nickname.text, equals: nickname, "the nickname")
            }
            let mina = Account(user: try User(seed: 1, nickname: "Mina"), password: hash)
            try await store.expect(mina, of: mina.user.id, "the account")
            try await store.expect(nil, of: User.ID(seed: 2), "the account")
            try await store.expect(nil, of: User.ID(seed: 3), "the account")
        },
        check("an account with the nickname of someone else throws a conflict that names them") { store in
            try await store.accounts.addAccount(User(seed: 1, nickname: "Mina"), password: hash)
            try await store.users.add(User(seed: 2, nickname: "Sora"))
            try await store.users.add([TripBuilder(seed: 3, author: User(seed: 3, nickname: "Jun")).build()])
            for (seed, nickname) in [(UInt64(1), "mina"), (2, "SORA"), (3, "Ｊｕｎ")] {
                try await expect(.conflict(.user(User.ID(seed: seed))), from: "the addition") {
                    try await store.accounts.addAccount(User(seed: 9, nickname: nickname), password: hash)
                }
            }
            try await store.expect(nil, of: User.ID(seed: 9), "the account")
            try await expect(.notFound(.user(User.ID(seed: 9))), from: "the lookup") {
                try await store.users.user(User.ID(seed: 9))
            }
        },
        check("of several people who sign up with one nickname at once, one gets it") { store in
            let added = try await successes(8) { number in
                try await store.accounts.addAccount(User(seed: number, nickname: "Mina"), password: hash)
            } orThrow: {
                if case .conflict(.user) = $0 { true } else { false }
            }
            try expect(added.count, equals: 1, "the number of accounts")
            let found = try await store.accounts.account(named: Nickname("Mina"))
            try expect(found?.user.id, equals: added.first.map { User.ID(seed: $0) }, "the user")
        },
        check("of several sign-ups with one ID at once, one succeeds") { store in
            let added = try await successes(8) { number in
                try await store.accounts.addAccount(
                    User(seed: 1, nickname: "Mina \(number)"), password: PasswordHash(seed: number))
            } orThrow: {
                $0 == .conflict(.user(User.ID(seed: 1)))
            }
            try expect(added.count, equals: 1, "the number of accounts")
            let found = try await store.accounts.account(of: User.ID(seed: 1))
            try expect(found?.password, equals: added.first.map { PasswordHash(seed: $0) }, "the password")
        },
        check("an addition in a cancelled task throws CancellationError and adds nobody") { store in
            try await expectCancellation(of: "an addition") {
                try await store.accounts.addAccount(User(seed: 1), password: hash)
            }
            try await store.expect(nil, of: User.ID(seed: 1), "the account")
        },
    ]

    private static let changing: [ContractCheck<Subject>] = [
        check("an account is found by the new nickname of its user, and no longer by the former one") { store in
            let user = try User(seed: 1, nickname: "Mina")
            try await store.accounts.addAccount(user, password: hash)
            try await store.users.rename(user.id, to: Nickname("Sora"), by: user.id)
            let renamed = Account(user: try User(seed: 1, nickname: "Sora"), password: hash)
            try await store.expect(renamed, named: "sora")
            try await store.expect(nil, named: "Mina")
            try await store.accounts.addAccount(User(seed: 2, nickname: "Mina"), password: hash)
        },
        check("an account has the picture of its user") { store in
            let user = try User(seed: 1)
            try await store.accounts.addAccount(user, password: hash)
            let image = try TripImage(seed: 1)
            try await store.users.setAvatar(image, of: user.id, by: user.id)
            try expect(
                try await store.accounts.account(of: user.id)?.user.avatar, equals: image.id, "the picture")
            try expect(
                try await store.accounts.account(named: user.nickname)?.user.avatar, equals: image.id, "the picture")
        },
        check("the account and the devices go with the user, and their ID and nickname are free again") { store in
            let user = try await store.signIn(seed: 1)
            _ = try await store.renew(1, to: 2)
            let other = try await store.signIn(seed: 3)
            try await store.users.removeUser(user, by: user)
            try await store.expect(nil, of: user, "the account")
            try await store.expect(nil, named: "Person 1")
            try await store.expectDevice(nil, 2)
            try await store.expect(.unknown, fromRenewing: 2, to: 7)
            try await store.expect(.unknown, fromRenewing: 1, to: 8)
            try await store.expectDevice(SignedInDevice(seed: 3, user: other, at: now), 3)
            try await store.accounts.addAccount(User(seed: 1), password: PasswordHash(seed: 2))
            try await store.expectDevice(nil, 2)
        },
        check("deleting an account during sign-ins and renewals leaves neither the account nor a device") { store in
            let user = try await store.signIn(seed: 1)
            let numbers = UInt64(10)...17
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in numbers {
                    group.addTask {
                        do {
                            try await store.accounts.addDevice(
                                SignedInDevice(seed: number, user: user, at: now), provenBy: hash)
                            _ = try await store.accounts.renewDevice(
                                TokenDigest(seed: 2 * number + 1), at: now,
                                with: DeviceTokens(seed: number + 20, at: now))
                        } catch TravelError.notFound(.user(user)) {
                            // After the deletion.
                        }
                    }
                    guard number == 13 else { continue }
                    group.addTask { try await store.users.removeUser(user, by: user) }
                }
                try await group.waitForAll()
            }
            try await store.expect(nil, of: user, "the account")
            for number in numbers {
                try await store.expectDevice(nil, number)
                try await store.expectDevice(nil, number + 20)
            }
        },
        check("a user with many trips and a device can delete the account") { store in
            let user = try await store.signIn(seed: 1)
            let author = try User(seed: 1)
            try await store.users.add((1...120).map { try TripBuilder(seed: $0, author: author).build() })
            try await store.users.removeUser(user, by: user)
            try await store.expectDevice(nil, 1)
            try await store.expect(nil, of: user, "the account")
        },
    ]

    private static let passwords: [ContractCheck<Subject>] = [
        check("a new password replaces the former one and signs all devices of the user out, and nobody else's") {
            store in
            let user = try await store.signIn(seed: 1)
            try await store.accounts.addDevice(SignedInDevice(seed: 2, user: user, at: now), provenBy: hash)
            let other = try await store.signIn(seed: 3)
            try await store.accounts.setPassword(PasswordHash(seed: 2), replacing: hash, of: user)
            let changed = Account(user: try User(seed: 1), password: PasswordHash(seed: 2))
            try await store.expect(changed, of: user, "the account")
            for seed in [UInt64(1), 2] {
                try await store.expectDevice(nil, seed)
                try await store.expect(.unknown, fromRenewing: seed, to: 10 + seed)
            }
            try await store.expectDevice(SignedInDevice(seed: 3, user: other, at: now), 3)
            try await store.expect(
                Account(user: try User(seed: 3), password: hash), of: other, "the account of someone else")
        },
        check("a password is rehashed while the devices of the user stay signed in") { store in
            let user = try await store.signIn(seed: 1)
            let other = try await store.signIn(seed: 3)
            try await store.accounts.rehash(PasswordHash(seed: 2), replacing: hash, of: user)
            let rehashed = Account(user: try User(seed: 1), password: PasswordHash(seed: 2))
            try await store.expect(rehashed, of: user, "the account")
            try await store.expectDevice(SignedInDevice(seed: 1, user: user, at: now), 1)
            try await store.expect(
                Account(user: try User(seed: 3), password: hash), of: other, "the account of someone else")
        },
        check("a password that was changed in the meantime is not rehashed, nor is that of nobody") { store in
            let user = try await store.signIn(seed: 1)
            try await store.accounts.rehash(PasswordHash(seed: 3), replacing: PasswordHash(seed: 2), of: user)
            try await store.expect(Account(user: try User(seed: 1), password: hash), of: user, "the account")
            try await store.accounts.rehash(PasswordHash(seed: 3), replacing: hash, of: User.ID(seed: 9))
            try await store.expect(nil, of: User.ID(seed: 9), "the account")
        },
        check("a password that was changed in the meantime cannot be replaced") { store in
            let user = try await store.signIn(seed: 1)
            try await expect(.wrongCredentials, from: "the change") {
                try await store.accounts.setPassword(
                    PasswordHash(seed: 3), replacing: PasswordHash(seed: 2), of: user)
            }
            try await store.expect(Account(user: try User(seed: 1), password: hash), of: user, "the account")
            try await store.expectDevice(SignedInDevice(seed: 1, user: user, at: now), 1)
        },
        check("people without an account have no password and no device") { store in
            try await store.users.add(User(seed: 1))
            for seed in [UInt64(1), 2] {
                let id = User.ID(seed: seed)
                try await expect(.notFound(.user(id)), from: "the change") {
                    try await store.accounts.setPassword(hash, replacing: hash, of: id)
                }
                try await expect(.notFound(.user(id)), from: "the sign-in") {
                    try await store.accounts.addDevice(SignedInDevice(seed: 1, user: id, at: now), provenBy: hash)
                }
            }
            try await store.expectDevice(nil, 1)
        },
        check("of several changes at once, one replaces the password") { store in
            let user = try await store.signIn(seed: 1)
            let changed = try await successes(8) { number in
                try await store.accounts.setPassword(PasswordHash(seed: 10 + number), replacing: hash, of: user)
            } orThrow: {
                $0 == .wrongCredentials
            }
            try expect(changed.count, equals: 1, "the number of changes")
            let found = try await store.accounts.account(of: user)
            try expect(found?.password, equals: changed.first.map { PasswordHash(seed: 10 + $0) }, "the password")
        },
        check("no device that signs in during a change is left with the former password") { store in
            let user = try await store.signIn(seed: 1)
            let numbers = UInt64(10)...17
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in numbers {
                    group.addTask {
                        // One signs in after the change; the others before, during or after it.
                        if number == 13 {
                            try await store.accounts.setPassword(PasswordHash(seed: 2), replacing: hash, of: user)
                        }
                        let device = try SignedInDevice(seed: number, user: user, at: now)
                        do {
                            try await store.accounts.addDevice(device, provenBy: hash)
                        } catch TravelError.wrongCredentials {
                            // After the change.
                        }
                    }
                }
                try await group.waitForAll()
            }
            for number in numbers { try await store.expectDevice(nil, number) }
        },
        check("a change in a cancelled task throws CancellationError and changes nothing") { store in
            let user = try await store.signIn(seed: 1)
            try await expectCancellation(of: "a change") {
                try await store.accounts.setPassword(PasswordHash(seed: 2), replacing: hash, of: user)
            }
            try await expectCancellation(of: "a change of the hash") {
                try await store.accounts.rehash(PasswordHash(seed: 2), replacing: hash, of: user)
            }
            try await store.expect(Account(user: try User(seed: 1), password: hash), of: user, "the account")
            try await store.expectDevice(SignedInDevice(seed: 1, user: user, at: now), 1)
        },
    ]

    /// The numbers from 1 to `count` for which `body`, called for all of them at once, does not throw; any error must meet
    /// `isExpected`.
    private static func successes(
        _ count: UInt64, _ body: @escaping @Sendable (UInt64) async throws -> Void,
        orThrow isExpected: @escaping @Sendable (TravelError) -> Bool
    ) async throws -> [UInt64] {
        try await withThrowingTaskGroup(of: UInt64?.self) { group in
            for number in 1...count {
                group.addTask {
                    do {
                        try await body(number)
                        return number
                    } catch let error as TravelError where isExpected(error) {
                        return nil
                    }
                }
            }
            return try await group.reduce(into: []) { if let number = $1 { $0.append(number) } }
        }
    }
}

extension AccountRepositoryContract.Subject {
    /// Adds an account with the hash of seed 1, and a device, both of `seed`; returns the user.
    func signIn(seed: UInt64) async throws -> User.ID {
        let (user, hash) = (try User(seed: seed), PasswordHash(seed: 1))
        try await accounts.addAccount(user, password: hash)
        let now = Date(timeIntervalSinceReferenceDate: 757_382_400)
        try await accounts.addDevice(SignedInDevice(seed: seed, user: user.id, at: now), provenBy: hash)
        return user.id
    }

    /// Exchanges the tokens of one seed for those of another, and expects that to succeed.
    func renew(
        _ seed: UInt64, to next: UInt64, at now: Date = Date(timeIntervalSinceReferenceDate: 757_382_400)
    ) async throws -> SignedInDevice {
        let renewal = try await accounts.renewDevice(
            TokenDigest(seed: 2 * seed + 1), at: now, with: DeviceTokens(seed: next, at: now))
        guard case .renewed(let device, _) = renewal else {
            throw UnmetExpectation("the renewal: expected new tokens, got \(renewal)")
        }
        return device
    }

    /// Exchanges the tokens of one seed for the refresh token of `next`, as the device has chosen it, and the access token of
    /// another seed.
    func repeatRenewal(_ seed: UInt64, to next: UInt64, access: UInt64, at now: Date) async throws -> Renewal {
        let new = try DeviceTokens(seed: next, at: now)
        return try await accounts.renewDevice(
            TokenDigest(seed: 2 * seed + 1), at: now,
            with: DeviceTokens(
                access: TokenDigest(seed: 2 * access), accessExpiresAt: new.accessExpiresAt, refresh: new.refresh,
                refreshExpiresAt: new.refreshExpiresAt))
    }

    func expect(
        _ expected: Renewal, fromRenewing seed: UInt64, to next: UInt64,
        at now: Date = Date(timeIntervalSinceReferenceDate: 757_382_400)
    ) async throws {
        let renewal = try await accounts.renewDevice(
            TokenDigest(seed: 2 * seed + 1), at: now, with: DeviceTokens(seed: next, at: now))
        try ContractTesting.expect(renewal, equals: expected, "the renewal")
    }

    /// Expects that device, or none, to have the access token of `seed`.
    func expectDevice(_ expected: SignedInDevice?, _ seed: UInt64) async throws {
        let device = try await accounts.device(withAccess: TokenDigest(seed: 2 * seed))
        try ContractTesting.expect(device, equals: expected, "the device with the access token \(seed)")
    }

    func expect(_ expected: Account?, of user: User.ID, _ what: String) async throws {
        try ContractTesting.expect(try await accounts.account(of: user), equals: expected, what)
    }

    func expect(_ expected: Account?, named nickname: String) async throws {
        let account = try await accounts.account(named: Nickname(nickname))
        try ContractTesting.expect(account, equals: expected, "the account named \(nickname)")
    }
}
