#if Server
import Foundation
import Synchronization

/// Limits how often a password can be tried, for each account and for each address.
///
/// An attempt counts for a while, unless it was successful. An unknown nickname counts like that of an account.
final class AttemptLimits: Sendable {
    struct Limits: Sendable {
        /// Attempts for one account within ``window``.
        var perAccount = 10
        /// Attempts of one address within ``window``, for any accounts.
        var perAddress = 50
        /// New accounts of one address within ``window``.
        var accountsPerAddress = 20
        var window: TimeInterval = 15 * 60
        /// The number of accounts and addresses that are remembered.
        var memory = 20_000
    }

    enum Subject: Hashable {
        case account(String)
        case address(String)
        case newAccounts(ofAddress: String)
    }

    private let limits: Limits
    private let now: @Sendable () -> Date
    private let state = Mutex<[Subject: (count: Int, until: Date)]>([:])

    init(_ limits: Limits, now: @escaping @Sendable () -> Date) {
        self.limits = limits
        self.now = now
    }

    /// Counts an attempt for each of the subjects.
    ///
    /// - Returns: The seconds after which there may be another one if there were too many; `nil` if the attempt may be made.
    func begin(_ subjects: [Subject]) -> Int? {
        let now = now()
        return state.withLock { state in
            let full = subjects.compactMap { subject in
                state[subject].flatMap { $0.until > now && $0.count >= limit(of: subject) ? $0.until : nil }
            }
            if let until = full.max() { return max(1, Int(until.timeIntervalSince(now).rounded(.up))) }
            if state.count + subjects.count > limits.memory {
                state = state.filter { $0.value.until > now }
                // Whoever fills the memory with addresses must not free their own from it: the oldest go, down to a half.
                if state.count + subjects.count > limits.memory {
                    let oldest = state.sorted { $0.value.until < $1.value.until }.prefix(state.count / 2)
                    for (subject, _) in oldest { state[subject] = nil }
                }
            }
            for subject in subjects {
                let current = state[subject].flatMap { $0.until > now ? $0 : nil }
                state[subject] = ((current?.count ?? 0) + 1, current?.until ?? now.addingTimeInterval(limits.window))
            }
            return nil
        }
    }

    /// Takes a successful attempt back.
    func succeed(_ subjects: [Subject]) {
        state.withLock { state in
            for subject in subjects {
                guard let current = state[subject] else { continue }
                state[subject] = current.count > 1 ? (current.count - 1, current.until) : nil
            }
        }
    }

    private func limit(of subject: Subject) -> Int {
        switch subject {
        case .account: limits.perAccount
        case .address: limits.perAddress
        case .newAccounts: limits.accountsPerAddress
        }
    }
}
#endif
