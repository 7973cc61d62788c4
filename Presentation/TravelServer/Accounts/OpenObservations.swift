#if Server
import Foundation
import Synchronization
internal import TravelDomain

/// The observations of signed-in users that are open. Each ends as soon as its session ends on this server.
final class OpenObservations: Sendable {
    private struct Observation {
        let device: SignedInDevice
        let end: AsyncStream<Never>.Continuation
    }

    private struct State {
        var open: [Int: Observation] = [:]
        var last = 0
    }

    private let state = Mutex(State())

    /// Calls `body` with a stream that ends when the session of the device ends.
    func observing<Value>(
        as device: SignedInDevice, _ body: (AsyncStream<Never>) async throws -> Value
    ) async rethrows -> Value {
        let (session, end) = AsyncStream<Never>.makeStream()
        let number = state.withLock { state in
            state.last += 1
            state.open[state.last] = Observation(device: device, end: end)
            return state.last
        }
        defer { _ = state.withLock { $0.open.removeValue(forKey: number) } }
        return try await body(session)
    }

    /// Ends the observations of a device that was signed out.
    func end(of device: SignedInDevice.ID) {
        end { $0.id == device }
    }

    /// Ends the observations of all devices of a user.
    func end(of user: User.ID) {
        end { $0.user == user }
    }

    private func end(where hasEnded: (SignedInDevice) -> Bool) {
        let ended = state.withLock { state in state.open.values.filter { hasEnded($0.device) } }
        for observation in ended { observation.end.finish() }
    }
}

/// Accounts that end the observations of the devices that they sign out, and keep the devices that they have found until
/// the store changes.
struct ObservedAccounts: AccountRepository {
    let base: any AccountRepository
    let observations: OpenObservations
    let changeCount: @Sendable () -> UInt64?
    private let devices = KeptReads<TokenDigest, SignedInDevice>(limit: 10_000)

    func addAccount(_ user: User, password: PasswordHash, at time: Date, invitation: TokenDigest?) async throws {
        try await base.addAccount(user, password: password, at: time, invitation: invitation)
    }

    func addInvitations(_ invitations: [TokenDigest], at time: Date) async throws {
        try await base.addInvitations(invitations, at: time)
    }

    func hasInvitation(_ invitation: TokenDigest) async throws -> Bool { try await base.hasInvitation(invitation) }

    func account(named nickname: Nickname) async throws -> Account? { try await base.account(named: nickname) }

    func account(of user: User.ID) async throws -> Account? { try await base.account(of: user) }

    func setPassword(_ password: PasswordHash, replacing former: PasswordHash, of user: User.ID) async throws {
        try await base.setPassword(password, replacing: former, of: user)
        observations.end(of: user)
    }

    func rehash(_ password: PasswordHash, replacing former: PasswordHash, of user: User.ID) async throws {
        try await base.rehash(password, replacing: former, of: user)
    }

    func addDevice(_ device: SignedInDevice, provenBy password: PasswordHash) async throws {
        try await base.addDevice(device, provenBy: password)
    }

    func device(withAccess digest: TokenDigest) async throws -> SignedInDevice? {
        // Counted first: a change that the device may lack makes it outdated.
        let count = changeCount()
        if let count, let device = devices.value(for: digest, at: count) { return device }
        let device = try await base.device(withAccess: digest)
        if let count, let device { devices.keep(device, for: digest, size: 1, at: count) }
        return device
    }

    func renewDevice(_ refresh: TokenDigest, at now: Date, with tokens: DeviceTokens) async throws -> Renewal {
        let renewal = try await base.renewDevice(refresh, at: now, with: tokens)
        if case .reused(let device) = renewal { observations.end(of: device) }
        return renewal
    }

    func removeDevice(_ id: SignedInDevice.ID) async throws {
        try await base.removeDevice(id)
        observations.end(of: id)
    }

    func removeExpiredDevices(at now: Date) async throws { try await base.removeExpiredDevices(at: now) }
}
#endif
