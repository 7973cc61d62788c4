/// Checks, while someone types, whether they can use a nickname.
///
/// ```swift
/// let check = CheckNickname(users: repository, session: session)    // Mina is signed in
/// try await check("M")                                              // .tooShort
/// try await check("Mina")                                           // .unchanged
/// ```
public struct CheckNickname: Sendable {
    /// The result of a check.
    ///
    /// ```swift
    /// let canSave = [.available, .unchanged].contains(try await check(text))
    /// ```
    public enum Verdict: Hashable, Sendable {
        /// The signed-in person already has this nickname.
        case unchanged
        /// The nickname has fewer characters than are required.
        case tooShort
        /// The nickname has more characters than are allowed.
        case tooLong
        /// The nickname contains a line break or another control character.
        case controlCharacter
        /// Someone else has the nickname, or one that folds to the same text.
        case taken
        /// The nickname is valid, and nobody else has it.
        case available
    }

    private let users: any UserRepository
    private let session: any SessionRepository

    /// Creates the use case; `session` provides the signed-in person.
    public init(users: any UserRepository, session: any SessionRepository) {
        self.users = users
        self.session = session
    }

    /// Checks `text`, without leading and trailing white space, as a nickname of the signed-in person; when nobody is
    /// signed in, as that of a new person.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when the signed-in person has no account and the text is a valid
    ///   nickname; other errors of the repositories; `CancellationError`.
    public func callAsFunction(_ text: String) async throws -> Verdict {
        let nickname: Nickname
        do {
            nickname = try Nickname(text)
        } catch {
            return Self.verdict(on: error)
        }
        let user = try await session.session()?.user
        if let user, try await users.user(user).nickname == nickname { return .unchanged }
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
