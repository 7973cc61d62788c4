import Foundation
import TestConcurrency
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("The contract of accounts", .limitedConcurrency)
struct FlawedAccountsTests {
    @Test(
        "a repository of accounts with a flaw fails the check for it",
        arguments: [
            (FlawedAccounts.Flaw.nicknamesAreCompared, "the account of Mina is found by \"mINA\""),
            (.usersAreTakenOver, "an account of a user who exists throws a conflict and changes nothing"),
            (.signUpsOverlap, "of several people who sign up with one nickname at once, one gets it"),
            (.formerPasswordsAreIgnored, "a password that was changed in the meantime cannot be replaced"),
            (.formerPasswordsAreIgnored, "of several changes at once, one replaces the password"),
            (.devicesOutliveChanges, "a new password replaces the former one and signs all devices of the user out"),
            (.anyPasswordAddsDevices, "a device cannot be added with another password than that of its user"),
            (.anyPasswordAddsDevices, "no device that signs in during a change is left with the former password"),
            (.expiredDevicesAreHidden, "the times at which tokens expire are kept to the last bit"),
            (.timesAreRounded, "the times at which tokens expire are kept to the last bit, also those in the past"),
            (.removalIsIgnored, "removing a device ends its tokens, and no others"),
            (.tokensDoNotExpire, "a token expires at the moment it says, and not before; an expired one ends nothing"),
            (.renewalsLosePictures, "a renewal replaces both tokens, and keeps the device and its user"),
            (.usedTokensAreForgotten, "a token that is used again removes its device, and nothing else"),
            (.reuseEndsAllDevices, "a token that is used again removes its device, and nothing else"),
            (.onlyLastUseIsKnown, "a token that was used many renewals ago removes its device"),
            (.repeatsEndDevices, "the last used token with the refresh token that its device has gets new access"),
            (.anyRepeatIsRenewed, "a token that is not the last used one removes its device, also with the token"),
            (.knownTokensAreTaken, "a next refresh token that is known already removes the device"),
            (.renewalsOverlap, "of several renewals with one token at once, one succeeds"),
            (.expiredDevicesStay, "devices are removed from the moment on at which their refresh token expires"),
            (.expiredDevicesStay, "used tokens are forgotten when they have expired"),
            (.accessTokensExpireDevices, "devices are removed from the moment on at which their refresh token expires"),
            (.changesAreRehashed, "a password that was changed in the meantime is not rehashed, nor is that of nobody"),
            (.rehashingSignsOut, "a password is rehashed while the devices of the user stay signed in"),
            (.cancellationIsIgnored, "a renewal in a cancelled task throws CancellationError and changes nothing"),
            (.cancelledRehashingIsDone, "a change in a cancelled task throws CancellationError and changes nothing"),
            (.cancelledRemovalsAreDone, "a sign-in and a sign-out in a cancelled task throw CancellationError"),
        ])
    func flaws(flaw: FlawedAccounts.Flaw, check: String) async throws {
        try await expectViolation(of: check, among: AccountRepositoryContract.checks, by: flaw) { flaw in
            let store = InMemoryTripRepository()
            return AccountRepositoryContract.Subject(
                accounts: FlawedAccounts(store, flaw), users: store)
        }
    }
}

/// A repository with one flaw.
actor FlawedAccounts: AccountRepository {
    enum Flaw {
        case nicknamesAreCompared, usersAreTakenOver, signUpsOverlap, formerPasswordsAreIgnored, devicesOutliveChanges
        case anyPasswordAddsDevices, expiredDevicesAreHidden, timesAreRounded, removalIsIgnored, tokensDoNotExpire
        case usedTokensAreForgotten, reuseEndsAllDevices, onlyLastUseIsKnown, renewalsOverlap, expiredDevicesStay
        case accessTokensExpireDevices, cancellationIsIgnored, changesAreRehashed, rehashingSignsOut
        case cancelledRehashingIsDone, cancelledRemovalsAreDone, renewalsLosePictures
        case repeatsEndDevices, anyRepeatIsRenewed, knownTokensAreTaken
    }

    private let sound: InMemoryTripRepository
    private let flaw: Flaw?
    private var devices: [SignedInDevice] = []
    private var used: [TokenDigest] = []
    private var issued: [TokenDigest] = []

    init(_ sound: InMemoryTripRepository, _ flaw: Flaw?) {
        (self.sound, self.flaw) = (sound, flaw)
    }

    func addAccount(_ user: User, password: PasswordHash, at time: Date, invitation: TokenDigest?) async throws {
        do {
            try await sound.addAccount(user, password: password, at: time, invitation: invitation)
        } catch TravelError.conflict(.user(user.id)) where flaw == .usersAreTakenOver {
            try await sound.removeUser(user.id, by: user.id)
            try await sound.addAccount(user, password: password, at: time, invitation: invitation)
        } catch TravelError.conflict(.user(let other)) where flaw == .signUpsOverlap {
            try await sound.rename(other, to: Nickname("\(devices.count) others"), by: other)
            try await sound.addAccount(user, password: password, at: time, invitation: invitation)
        }
    }

    func addInvitations(_ invitations: [TokenDigest], at time: Date) async throws {
        try await sound.addInvitations(invitations, at: time)
    }

    func hasInvitation(_ invitation: TokenDigest) async throws -> Bool {
        try await sound.hasInvitation(invitation)
    }

    func account(named nickname: Nickname) async throws -> Account? {
        let account = try await sound.account(named: nickname)
        return flaw == .nicknamesAreCompared && account?.user.nickname != nickname ? nil : account
    }

    func account(of user: User.ID) async throws -> Account? { try await sound.account(of: user) }

    func setPassword(_ password: PasswordHash, replacing former: PasswordHash, of user: User.ID) async throws {
        do {
            try await sound.setPassword(password, replacing: former, of: user)
        } catch TravelError.wrongCredentials where flaw == .formerPasswordsAreIgnored {
            guard let current = try await sound.account(of: user)?.password else { return }
            return try await setPassword(password, replacing: current, of: user)
        }
        if flaw == .devicesOutliveChanges {
            for device in devices where device.user == user { try await sound.addDevice(device, provenBy: password) }
        }
    }

    func rehash(_ password: PasswordHash, replacing former: PasswordHash, of user: User.ID) async throws {
        if flaw == .cancelledRehashingIsDone {
            return try await Task.detached { [sound] in
                try await sound.rehash(password, replacing: former, of: user)
            }.value
        }
        let current = try await sound.account(of: user)?.password ?? former
        let replaced = flaw == .changesAreRehashed ? current : former
        try await sound.rehash(password, replacing: replaced, of: user)
        if flaw == .rehashingSignsOut, replaced == current {
            for device in devices where device.user == user { try await sound.removeDevice(device.id) }
        }
    }

    func addDevice(_ device: SignedInDevice, provenBy password: PasswordHash) async throws {
        let current = try await sound.account(of: device.user)?.password ?? password
        try await sound.addDevice(device, provenBy: flaw == .anyPasswordAddsDevices ? current : password)
        devices.append(device)
        issued.append(device.tokens.refresh)
    }

    func device(withAccess digest: TokenDigest) async throws -> SignedInDevice? {
        guard let device = try await sound.device(withAccess: digest) else { return nil }
        let tokens = device.tokens
        let start = Date(timeIntervalSinceReferenceDate: 0)
        if flaw == .expiredDevicesAreHidden, tokens.accessExpiresAt < start { return nil }
        guard flaw == .timesAreRounded else { return device }
        func rounded(_ time: Date) -> Date {
            Date(timeIntervalSinceReferenceDate: (time.timeIntervalSinceReferenceDate * 1_000).rounded() / 1_000)
        }
        return SignedInDevice(
            id: device.id, user: device.user,
            tokens: try DeviceTokens(
                access: tokens.access, accessExpiresAt: rounded(tokens.accessExpiresAt), refresh: tokens.refresh,
                refreshExpiresAt: rounded(tokens.refreshExpiresAt)))
    }

    func renewDevice(_ refresh: TokenDigest, at now: Date, with tokens: DeviceTokens) async throws -> Renewal {
        switch flaw {
        case .usedTokensAreForgotten where used.contains(refresh): return .unknown
        case .onlyLastUseIsKnown where used.dropLast().contains(refresh): return .unknown
        default: break
        }
        let isKnown = issued.contains(tokens.refresh)
        let isRepeat = isKnown && used.contains(refresh)
        if flaw == .repeatsEndDevices, isRepeat, let device = devices.first {
            try await sound.removeDevice(device.id)
            return .reused(device.id)
        }
        if flaw == .anyRepeatIsRenewed, isRepeat, let last = used.last {
            return try await sound.renewDevice(last, at: now, with: tokens)
        }
        if flaw == .knownTokensAreTaken, !isRepeat, isKnown {
            return .unknown
        }
        let time = flaw == .tokensDoNotExpire ? .distantPast : now
        let renewal =
            flaw == .cancellationIsIgnored
            ? try await Task.detached { [sound] in
                try await sound.renewDevice(refresh, at: time, with: tokens)
            }.value : try await sound.renewDevice(refresh, at: time, with: tokens)
        if case .renewed(let device, let user) = renewal {
            used.append(refresh)
            issued.append(tokens.refresh)
            if flaw == .renewalsLosePictures {
                return .renewed(device, of: User(id: user.id, nickname: user.nickname))
            }
        }
        if flaw == .renewalsOverlap, case .reused = renewal {
            let user = try await sound.user(devices[0].user)
            return .renewed(SignedInDevice(id: devices[0].id, user: user.id, tokens: tokens), of: user)
        }
        if flaw == .reuseEndsAllDevices, case .reused = renewal {
            try await sound.removeExpiredDevices(at: .distantFuture)
        }
        return renewal
    }

    func removeDevice(_ id: SignedInDevice.ID) async throws {
        if flaw != .removalIsIgnored { try await sound.removeDevice(id) }
    }

    func removeExpiredDevices(at now: Date) async throws {
        guard flaw != .expiredDevicesStay else { return }
        if flaw == .cancelledRemovalsAreDone {
            return try await Task.detached { [sound] in try await sound.removeExpiredDevices(at: now) }.value
        }
        let advance = DeviceTokens.refreshLifetime - DeviceTokens.accessLifetime
        try await sound.removeExpiredDevices(
            at: flaw == .accessTokensExpireDevices ? now.addingTimeInterval(advance) : now)
    }
}
