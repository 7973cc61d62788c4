/// Tells, while someone types, whether they could go by a nickname.
///
/// ```swift
/// let check = CheckNickname(users: repository)
/// try await check("M", for: mina)        // .tooShort
/// try await check("Mina", for: mina)     // .unchanged
/// ```
public struct CheckNickname: Sendable {
    /// What is to be said of a nickname.
    public enum Verdict: Hashable, Sendable {
        /// It is the one they have.
        case unchanged
        /// It has too few characters.
        case tooShort
        /// It has too many characters.
        case tooLong
        /// It holds a line break or another control character.
        case controlCharacter
        /// Someone else has it.
        case taken
        /// They could have it.
        case available
    }

    private let users: any UserRepository

    /// Looks in `users`.
    public init(users: any UserRepository) {
        self.users = users
    }

    /// The verdict on `text`, less the white space around it, as a nickname of `user`.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such person, what the repository throws, or
    ///   `CancellationError`.
    public func callAsFunction(_ text: String, for user: User.ID) async throws -> Verdict {
        let nickname: Nickname
        do {
            nickname = try Nickname(text)
        } catch {
            return Self.verdict(on: error)
        }
        if try await users.user(user).nickname == nickname { return .unchanged }
        return try await users.isTaken(nickname, exceptBy: user) ? .taken : .available
    }

    private static func verdict(on error: TravelError) -> Verdict {
        switch error {
        case .invalid(Violation(.nickname, .tooShort(minimum: Nickname.length.lowerBound))): .tooShort
        case .invalid(Violation(.nickname, .tooLong(maximum: Nickname.length.upperBound))): .tooLong
        default: .controlCharacter
        }
    }
}
