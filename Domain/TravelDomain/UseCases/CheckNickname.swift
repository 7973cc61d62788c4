/// Checks, while someone types, whether they can use a nickname.
///
/// ```swift
/// let check = CheckNickname(users: repository)
/// try await check("M", for: mina)        // .tooShort
/// try await check("Mina", for: mina)     // .unchanged
/// ```
public struct CheckNickname: Sendable {
    /// The result of a check.
    public enum Verdict: Hashable, Sendable {
        /// The user already has this nickname.
        case unchanged
        /// The nickname has too few characters.
        case tooShort
        /// The nickname has too many characters.
        case tooLong
        /// The nickname contains a line break or another control character.
        case controlCharacter
        /// Someone else has the nickname.
        case taken
        /// The user can choose the nickname.
        case available
    }

    private let users: any UserRepository

    /// Creates the use case.
    public init(users: any UserRepository) {
        self.users = users
    }

    /// Checks `text`, without leading and trailing blanks, as a nickname of `user`.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such person and the text is a valid nickname; other
    ///   errors of the repository; `CancellationError`.
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
