import TravelDomain

/// The part of the contract that concerns devices and their tokens.
extension AccountRepositoryContract {
    static let devices: [ContractCheck<Subject>] = [
        check("a device is found by its access token only") { store in
            let user = try await store.signIn(seed: 1)
            let device = try SignedInDevice(seed: 1, user: user, at: now)
            try await store.expectDevice(device, 1)
            try await store.expectDevice(nil, 2)
            let found = try await store.accounts.device(withAccess: device.tokens.refresh)
            try expect(found, equals: nil, "the device with the refresh token")
        },
        check("the times at which tokens expire are kept to the last bit, also those in the past") { store in
            let user = try await store.signIn(seed: 1)
            let times = [0.1 + 0.2, -1e-300, 757_382_400.000_001, .infinity, -.infinity]
            for (seed, seconds) in zip(UInt64(2)..., times) {
                let tokens = try DeviceTokens(
                    access: TokenDigest(seed: 2 * seed), accessExpiresAt: Date(timeIntervalSinceReferenceDate: seconds),
                    refresh: TokenDigest(seed: 2 * seed + 1),
                    refreshExpiresAt: Date(timeIntervalSinceReferenceDate: seconds.nextUp))
                let device = SignedInDevice(id: SignedInDevice.ID(seed: seed), user: user, tokens: tokens)
                try await store.accounts.addDevice(device, provenBy: hash)
                try await store.expectDevice(device, seed)
            }
        },
        check("a device cannot be added with another password than that of its user") { store in
            let user = try await store.signIn(seed: 1)
            try await expect(.wrongCredentials, from: "the sign-in") {
                try await store.accounts.addDevice(
                    SignedInDevice(seed: 2, user: user, at: now), provenBy: PasswordHash(seed: 2))
            }
            try await store.expectDevice(nil, 2)
        },
        check("removing a device ends its tokens, and no others") { store in
            let user = try await store.signIn(seed: 1)
            let other = try SignedInDevice(seed: 2, user: user, at: now)
            try await store.accounts.addDevice(other, provenBy: hash)
            _ = try await store.renew(1, to: 3)
            try await store.accounts.removeDevice(SignedInDevice.ID(seed: 1))
            try await store.expectDevice(nil, 3)
            try await store.expect(.unknown, fromRenewing: 3, to: 9)
            try await store.expect(.unknown, fromRenewing: 1, to: 9)
            try await store.expectDevice(other, 2)
            try await store.accounts.removeDevice(SignedInDevice.ID(seed: 1))
            try await store.accounts.removeDevice(SignedInDevice.ID(seed: 77))
        },
        check("a sign-in and a sign-out in a cancelled task throw CancellationError and change nothing") { store in
            let user = try await store.signIn(seed: 1)
            try await expectCancellation(of: "a sign-in") {
                try await store.accounts.addDevice(SignedInDevice(seed: 2, user: user, at: now), provenBy: hash)
            }
            try await expectCancellation(of: "a sign-out") {
                try await store.accounts.removeDevice(SignedInDevice.ID(seed: 1))
            }
            try await expectCancellation(of: "the removal of expired devices") {
                try await store.accounts.removeExpiredDevices(at: .distantFuture)
            }
            try await store.expectDevice(nil, 2)
            try await store.expectDevice(SignedInDevice(seed: 1, user: user, at: now), 1)
        },
    ]

    static let renewals: [ContractCheck<Subject>] = [
        check("a renewal replaces both tokens, and keeps the device and its user") { store in
            let user = try await store.signIn(seed: 1)
            let image = try TripImage(seed: 1)
            try await store.users.rename(user, to: Nickname("Sora"), by: user)
            try await store.users.setAvatar(image, of: user, by: user)
            let renewed = SignedInDevice(
                id: SignedInDevice.ID(seed: 1), user: user, tokens: try DeviceTokens(seed: 2, at: now))
            let sora = User(id: user, nickname: try Nickname("Sora"), avatar: image.id)
            try await store.expect(.renewed(renewed, of: sora), fromRenewing: 1, to: 2)
            try await store.expectDevice(nil, 1)
            try await store.expectDevice(renewed, 2)
        },
        check("a device can be renewed again and again") { store in
            let user = try await store.signIn(seed: 1)
            for seed in UInt64(1)...20 { _ = try await store.renew(seed, to: seed + 1) }
            try expect(
                try await store.accounts.device(withAccess: TokenDigest(seed: 42))?.user, equals: user, "the user")
        },
        check("an unknown token and an access token renew nothing") { store in
            let user = try await store.signIn(seed: 1)
            let device = try SignedInDevice(seed: 1, user: user, at: now)
            try await store.expect(.unknown, fromRenewing: 5, to: 6)
            let renewal = try await store.accounts.renewDevice(
                device.tokens.access, at: now, with: DeviceTokens(seed: 6, at: now))
            try expect(renewal, equals: .unknown, "the renewal")
            try await store.expectDevice(device, 1)
            try await store.expectDevice(nil, 6)
        },
        check("a token expires at the moment it says, and not before; an expired one ends nothing") { store in
            let user = try await store.signIn(seed: 1)
            let device = try SignedInDevice(seed: 1, user: user, at: now)
            let end = device.tokens.refreshExpiresAt
            try await store.expect(.unknown, fromRenewing: 1, to: 2, at: end)
            try await store.expect(.unknown, fromRenewing: 1, to: 2, at: end.addingTimeInterval(1))
            try await store.expectDevice(device, 1)
            // The clock goes back.
            _ = try await store.renew(1, to: 2, at: end.addingTimeInterval(-0.001))
        },
        check("a renewal in a cancelled task throws CancellationError and changes nothing") { store in
            let user = try await store.signIn(seed: 1)
            let device = try SignedInDevice(seed: 1, user: user, at: now)
            try await expectCancellation(of: "a renewal") {
                _ = try await store.accounts.renewDevice(
                    device.tokens.refresh, at: now, with: DeviceTokens(seed: 2, at: now))
            }
            try await store.expectDevice(device, 1)
            _ = try await store.renew(1, to: 2)
        },
    ]

    static let reuse: [ContractCheck<Subject>] = [
        check("a token that is used again removes its device, and nothing else") { store in
            let user = try await store.signIn(seed: 1)
            let other = try SignedInDevice(seed: 5, user: user, at: now)
            try await store.accounts.addDevice(other, provenBy: hash)
            _ = try await store.renew(1, to: 2)
            try await store.expect(.reused(SignedInDevice.ID(seed: 1)), fromRenewing: 1, to: 3)
            try await store.expectDevice(nil, 2)
            try await store.expectDevice(nil, 3)
            try await store.expect(.unknown, fromRenewing: 2, to: 4)
            try await store.expect(.unknown, fromRenewing: 1, to: 4)
            try await store.expectDevice(other, 5)
            // The user signs in again.
            try await store.accounts.addDevice(SignedInDevice(seed: 1, user: user, at: now), provenBy: hash)
        },
        check("a token that was used many renewals ago removes its device") { store in
            _ = try await store.signIn(seed: 1)
            for seed in UInt64(1)...5 { _ = try await store.renew(seed, to: seed + 1) }
            try await store.expect(.reused(SignedInDevice.ID(seed: 1)), fromRenewing: 2, to: 9)
            try await store.expectDevice(nil, 6)
        },
        check("the last used token with the refresh token that its device has gets new access, until that is used") {
            store in
            let user = try await store.signIn(seed: 1)
            let other = try SignedInDevice(seed: 50, user: user, at: now)
            try await store.accounts.addDevice(other, provenBy: hash)
            let first = try await store.renew(1, to: 2)
            for seed in UInt64(11)...13 {
                let later = now.addingTimeInterval(Double(seed))
                let repeated = try await store.repeatRenewal(1, to: 2, access: seed, at: later)
                let expected = SignedInDevice(
                    id: first.id, user: user,
                    tokens: try DeviceTokens(
                        access: TokenDigest(seed: 2 * seed),
                        accessExpiresAt: later.addingTimeInterval(DeviceTokens.accessLifetime),
                        refresh: TokenDigest(seed: 5),
                        refreshExpiresAt: later.addingTimeInterval(DeviceTokens.refreshLifetime)))
                try expect(repeated, equals: .renewed(expected, of: User(seed: 1)), "the repeated renewal")
                try await store.expectDevice(expected, seed)
                try await store.expectDevice(nil, seed == 11 ? 2 : seed - 1)
            }
            _ = try await store.renew(2, to: 3, at: now.addingTimeInterval(20))
            let late = try await store.repeatRenewal(1, to: 2, access: 14, at: now.addingTimeInterval(21))
            try expect(late, equals: .reused(first.id), "the renewal that is repeated too late")
            try await store.expectDevice(nil, 3)
            try await store.expectDevice(other, 50)
        },
        check("a token that is not the last used one removes its device, also with the token that the device has") {
            store in
            _ = try await store.signIn(seed: 1)
            _ = try await store.renew(1, to: 2, at: now.addingTimeInterval(1))
            _ = try await store.renew(2, to: 3, at: now.addingTimeInterval(2))
            _ = try await store.renew(3, to: 4, at: now.addingTimeInterval(3))
            let renewal = try await store.repeatRenewal(1, to: 4, access: 14, at: now.addingTimeInterval(4))
            try expect(renewal, equals: .reused(SignedInDevice.ID(seed: 1)), "the renewal")
            try await store.expectDevice(nil, 4)
        },
        check("a used token with the refresh token of another device removes its own device only") { store in
            let user = try await store.signIn(seed: 1)
            let other = try SignedInDevice(seed: 50, user: user, at: now)
            try await store.accounts.addDevice(other, provenBy: hash)
            _ = try await store.renew(1, to: 2)
            let renewal = try await store.repeatRenewal(1, to: 50, access: 14, at: now)
            try expect(renewal, equals: .reused(SignedInDevice.ID(seed: 1)), "the renewal")
            try await store.expectDevice(nil, 2)
            try await store.expectDevice(other, 50)
        },
        check("a next refresh token that is known already removes the device") { store in
            let user = try await store.signIn(seed: 1)
            for (seed, next) in [(UInt64(20), UInt64(20)), (21, 1), (22, 30)] {
                let device = try SignedInDevice(seed: seed, user: user, at: now)
                try await store.accounts.addDevice(device, provenBy: hash)
                if seed == 22 {
                    // A token that another device has used.
                    try await store.accounts.addDevice(SignedInDevice(seed: 30, user: user, at: now), provenBy: hash)
                    _ = try await store.renew(30, to: 31)
                }
                let renewal = try await store.repeatRenewal(seed, to: next, access: 40 + seed, at: now)
                try expect(renewal, equals: .reused(device.id), "the renewal to \(next)")
                try await store.expectDevice(nil, seed)
                try await store.expectDevice(nil, 40 + seed)
            }
            try await store.expectDevice(SignedInDevice(seed: 1, user: user, at: now), 1)
        },
        check("repeated renewals at once, with the same next token, all succeed, and one gives the access") { store in
            _ = try await store.signIn(seed: 1)
            let seeds = UInt64(10)...17
            let renewals = try await withThrowingTaskGroup(of: Renewal.self) { group in
                for seed in seeds {
                    group.addTask { try await store.repeatRenewal(1, to: 2, access: seed, at: now) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let renewed = renewals.filter { if case .renewed = $0 { true } else { false } }
            try expect(renewed.count, equals: 8, "the number of renewals")
            var count = 0
            for seed in seeds {
                if try await store.accounts.device(withAccess: TokenDigest(seed: 2 * seed)) != nil { count += 1 }
            }
            try expect(count, equals: 1, "the number of access tokens")
        },
        check("a used token that has expired is unknown, and ends nothing") { store in
            let user = try await store.signIn(seed: 1)
            let end = try DeviceTokens(seed: 1, at: now).refreshExpiresAt
            _ = try await store.renew(1, to: 2, at: end.addingTimeInterval(-10))
            let later = SignedInDevice(
                id: SignedInDevice.ID(seed: 1), user: user,
                tokens: try DeviceTokens(seed: 2, at: end.addingTimeInterval(-10)))
            try await store.expect(.unknown, fromRenewing: 1, to: 3, at: end)
            try await store.expectDevice(later, 2)
            try await store.expect(
                .reused(SignedInDevice.ID(seed: 1)), fromRenewing: 1, to: 3, at: end.addingTimeInterval(-0.001))
            try await store.expectDevice(nil, 2)
        },
        check("of several renewals with one token at once, one succeeds, and another one ends the device") { store in
            let user = try await store.signIn(seed: 1)
            let other = try SignedInDevice(seed: 100, user: user, at: now)
            try await store.accounts.addDevice(other, provenBy: hash)
            let renewals = try await withThrowingTaskGroup(of: Renewal.self) { group in
                for number in UInt64(10)...17 {
                    group.addTask {
                        try await store.accounts.renewDevice(
                            TokenDigest(seed: 3), at: now, with: DeviceTokens(seed: number, at: now))
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let renewed = renewals.filter { if case .renewed = $0 { true } else { false } }
            try expect(renewed.count, equals: 1, "the number of renewals")
            let reused = Renewal.reused(SignedInDevice.ID(seed: 1))
            try expect(renewals.filter { $0 == reused }.count, equals: 1, "the number of reuses")
            for number in UInt64(10)...17 { try await store.expectDevice(nil, number) }
            try await store.expectDevice(other, 100)
        },
        check("devices are renewed at once") { store in
            let user = try await store.signIn(seed: 1)
            let numbers = UInt64(10)...17
            for number in numbers {
                try await store.accounts.addDevice(SignedInDevice(seed: number, user: user, at: now), provenBy: hash)
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in numbers { group.addTask { _ = try await store.renew(number, to: number + 20) } }
                try await group.waitForAll()
            }
            for number in numbers {
                let device = SignedInDevice(
                    id: SignedInDevice.ID(seed: number), user: user,
                    tokens: try DeviceTokens(seed: number + 20, at: now))
                try await store.expectDevice(device, number + 20)
            }
        },
    ]

    static let expiry: [ContractCheck<Subject>] = [
        check("devices are removed from the moment on at which their refresh token expires") { store in
            let user = try await store.signIn(seed: 1)
            let later = try SignedInDevice(seed: 2, user: user, at: now.addingTimeInterval(1))
            try await store.accounts.addDevice(later, provenBy: hash)
            let first = try SignedInDevice(seed: 1, user: user, at: now)
            // Their access tokens have expired long ago.
            try await store.accounts.removeExpiredDevices(at: first.tokens.refreshExpiresAt.addingTimeInterval(-0.001))
            try await store.expectDevice(first, 1)
            try await store.accounts.removeExpiredDevices(at: first.tokens.refreshExpiresAt)
            try await store.expectDevice(nil, 1)
            try await store.expectDevice(later, 2)
            try await store.expect(.unknown, fromRenewing: 1, to: 3)
            try await store.expect(Account(user: try User(seed: 1), password: hash), of: user, "the account")
        },
        check("used tokens are known until they expire") { store in
            _ = try await store.signIn(seed: 1)
            let end = try DeviceTokens(seed: 1, at: now).refreshExpiresAt
            _ = try await store.renew(1, to: 2, at: now.addingTimeInterval(100))
            try await store.accounts.removeExpiredDevices(at: end.addingTimeInterval(-1))
            try await store.expect(
                .reused(SignedInDevice.ID(seed: 1)), fromRenewing: 1, to: 3, at: end.addingTimeInterval(-1))
        },
        check("used tokens are forgotten when they have expired") { store in
            let user = try await store.signIn(seed: 1)
            let end = try DeviceTokens(seed: 1, at: now).refreshExpiresAt
            _ = try await store.renew(1, to: 2, at: now.addingTimeInterval(100))
            try await store.accounts.removeExpiredDevices(at: end)
            // Even if the clock goes back.
            try await store.expect(.unknown, fromRenewing: 1, to: 3, at: now)
            let device = SignedInDevice(
                id: SignedInDevice.ID(seed: 1), user: user,
                tokens: try DeviceTokens(seed: 2, at: now.addingTimeInterval(100)))
            try await store.expectDevice(device, 2)
        },
    ]
}
