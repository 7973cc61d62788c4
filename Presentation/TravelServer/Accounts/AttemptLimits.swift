#if Server
import Foundation
import Synchronization

/// Too many attempts were made: there may be another one after some seconds.
package struct TooManyAttempts: Error, Hashable, CustomStringConvertible {
    package let seconds: Int

    package var description: String { "Too many attempts: wait \(seconds) seconds." }
}

/// Limits how often passwords can be tried.
///
/// An attempt counts for a while, unless it succeeds: for its account and address together, for its address, and for its
/// account from any address. The last count does not apply to an address from which the account has signed in during the
/// last month: whoever guesses the password of someone from elsewhere does not lock them out. An unknown nickname counts
/// like that of an account.
final class AttemptLimits: Sendable {
    struct Limits: Sendable {
        /// Attempts of one address for one account within ``window``.
        var perAccountAndAddress = 10
        /// Attempts of one address within ``window``, for any accounts.
        var perAddress = 50
        /// Attempts for one account within ``accountWindow``, of addresses from which it has not signed in.
        var perAccount = 100
        /// New accounts of one address within ``window``.
        var accountsPerAddress = 20
        var window: TimeInterval = 15 * 60
        var accountWindow: TimeInterval = 60 * 60
        /// The time for which an address of an account is known.
        var known: TimeInterval = 30 * 24 * 60 * 60
        /// The number of counts that are remembered, and of known addresses.
        var memory = 20_000
    }

    /// What an attempt counts for.
    enum Subject: Hashable {
        case accountAndAddress(String, String)
        case account(String)
        case address(String)
        case newAccounts(ofAddress: String)
    }

    private struct State {
        var counts: [Subject: (count: Int, until: Date)] = [:]
        /// The addresses from which accounts have signed in, as pairs.
        var known: [Subject: (count: Int, until: Date)] = [:]
    }

    private let limits: Limits
    private let now: @Sendable () -> Date
    private let state = Mutex(State())

    init(_ limits: Limits, now: @escaping @Sendable () -> Date) {
        self.limits = limits
        self.now = now
    }

    /// Makes an attempt with a password. Only a wrong password counts.
    ///
    /// - Throws: ``TooManyAttempts`` before the attempt is made; its errors.
    func limiting<Value>(
        _ account: String, from address: String, _ attempt: () async throws -> Value
    ) async throws -> Value {
        let counted = try beginSignIn(account, from: address)
        do {
            let value = try await attempt()
            takeBack(counted)
            return value
        } catch {
            if error as? TravelError != .wrongCredentials { takeBack(counted) }
            throw error
        }
    }

    /// Counts an attempt to sign in. Returns what it counts for, which ``takeBack(_:)`` takes.
    ///
    /// - Parameters:
    ///   - account: The account, or a text that is none.
    ///   - address: The address of the client; of IPv6, the first half.
    func beginSignIn(_ account: String, from address: String) throws(TooManyAttempts) -> [Subject] {
        let pair = Subject.accountAndAddress(account, address)
        return try begin { state, now in
            let isKnown = state.known[pair].map { $0.until > now } == true
            return [pair, .address(address)] + (isKnown ? [] : [.account(account)])
        }
    }

    /// Counts a new account.
    func beginSignUp(from address: String) throws(TooManyAttempts) {
        _ = try begin { _, _ in [.newAccounts(ofAddress: address)] }
    }

    /// Remembers that an account has signed in from an address.
    func signedIn(_ account: String, from address: String) {
        let now = now()
        state.withLock { state in
            makeRoom(for: 1, in: &state.known, now)
            state.known[.accountAndAddress(account, address)] = (1, now.addingTimeInterval(limits.known))
        }
    }

    /// Takes an attempt back that was successful, or could not be made.
    func takeBack(_ subjects: [Subject]) {
        state.withLock { state in
            for subject in subjects {
                guard let current = state.counts[subject] else { continue }
                state.counts[subject] = current.count > 1 ? (current.count - 1, current.until) : nil
            }
        }
    }

    private func begin(_ subjects: (State, Date) -> [Subject]) throws(TooManyAttempts) -> [Subject] {
        let now = now()
        let result: Result<[Subject], TooManyAttempts> = state.withLock { state in
            let subjects = subjects(state, now)
            let full = subjects.compactMap { subject in
                state.counts[subject].flatMap { $0.until > now && $0.count >= limit(of: subject) ? $0.until : nil }
            }
            if let until = full.max() {
                return .failure(TooManyAttempts(seconds: max(1, Int(until.timeIntervalSince(now).rounded(.up)))))
            }
            makeRoom(for: subjects.count, in: &state.counts, now)
            for subject in subjects {
                let current = state.counts[subject].flatMap { $0.until > now ? $0 : nil }
                state.counts[subject] = ((current?.count ?? 0) + 1, current?.until ?? now + window(of: subject))
            }
            return .success(subjects)
        }
        return try result.get()
    }

    /// Whoever fills the memory with addresses must not free their own from it: the oldest go, down to a half.
    private func makeRoom(for count: Int, in memory: inout [Subject: (count: Int, until: Date)], _ now: Date) {
        guard memory.count + count > limits.memory else { return }
        memory = memory.filter { $0.value.until > now }
        guard memory.count + count > limits.memory else { return }
        let oldest = memory.sorted { $0.value.until < $1.value.until }.prefix(memory.count / 2)
        for (subject, _) in oldest { memory[subject] = nil }
    }

    private func limit(of subject: Subject) -> Int {
        switch subject {
        case .accountAndAddress: limits.perAccountAndAddress
        case .account: limits.perAccount
        case .address: limits.perAddress
        case .newAccounts: limits.accountsPerAddress
        }
    }

    private func window(of subject: Subject) -> TimeInterval {
        if case .account = subject { limits.accountWindow } else { limits.window }
    }
}
#endif
