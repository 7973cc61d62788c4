/// Changes the nickname of the signed-in user. Nobody can rename anyone else.
public struct ChangeNickname: Sendable {
    private let users: any UserRepository
    private let session: any SessionRepository

    public init(users: any UserRepository, session: any SessionRepository) {
        self.users = users
        self.session = session
    }

    /// Changes the nickname, also on all trips of the user, and returns the renamed user.
    ///
    /// The nickname that the user has already stays, whatever it is.
    ///
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; ``TravelError/invalid(_:)`` when nobody may choose the
    ///   nickname (see ``Nickname/requireChoosable()``); ``TravelError/conflict(_:)`` when someone else has one that looks
    ///   like it; other errors of the repositories; `CancellationError`.
    public func callAsFunction(_ nickname: Nickname) async throws -> User {
        let user = try await session.requireUser()
        do {
            try nickname.requireChoosable()
        } catch {
            guard try await users.user(user).nickname == nickname else { throw error }
        }
        try await users.rename(user, to: nickname, by: user)
        return try await users.user(user)
    }
}

/// Checks, while someone types, whether they can use a nickname.
///
/// ```swift
/// let check = CheckNickname(users: repository, session: session)    // Mina is signed in
/// try await check("M")                                              // .tooShort
/// try await check("Mina")                                           // .unchanged
/// ```
public struct CheckNickname: Sendable {
    /// The result of a check.
    public enum Verdict: Hashable, Sendable {
        /// The signed-in user already has this nickname.
        case unchanged
        case tooShort
        case tooLong
        case controlCharacter
        /// The nickname breaks another rule, such as one for nicknames that someone chooses (``Nickname/requireChoosable()``).
        case invalid(Violation)
        /// Someone else has the nickname, or one that looks like it.
        case taken
        case available
    }

    private let users: any UserRepository
    private let session: any SessionRepository

    public init(users: any UserRepository, session: any SessionRepository) {
        self.users = users
        self.session = session
    }

    /// Checks `text`, without leading and trailing white space, as a nickname of the signed-in user; when nobody is
    /// signed in, as that of a new user.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when the signed-in user has no account and the text is a valid
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
        do {
            try nickname.requireChoosable()
        } catch {
            return Self.verdict(on: error)
        }
        return try await users.isTaken(nickname, exceptBy: user) ? .taken : .available
    }

    private static func verdict(on error: TravelError) -> Verdict {
        switch error {
        case .invalid(Violation(.nickname, .tooShort(minimum: Nickname.length.lowerBound))): .tooShort
        case .invalid(Violation(.nickname, .tooLong(maximum: Nickname.length.upperBound))): .tooLong
        case .invalid(let violation) where violation.rule != .controlCharacter: .invalid(violation)
        default: .controlCharacter
        }
    }
}

/// Changes the picture of the signed-in user. Nobody can change anyone else's.
///
/// ```swift
/// let changeAvatar = ChangeAvatar(users: repository, session: session)
/// let photo = try TripImage(bytes: data)
/// try await changeAvatar(photo).avatar == photo.id    // true
/// try await changeAvatar(nil).avatar == nil           // true
/// ```
public struct ChangeAvatar: Sendable {
    private let users: any UserRepository
    private let session: any SessionRepository
    private let review: any ImageReview

    public init(
        users: any UserRepository, session: any SessionRepository, review: any ImageReview = .everyImage
    ) {
        self.users = users
        self.session = session
        self.review = review
    }

    /// Sets the picture, or removes it if `image` is `nil`, and returns the user with it.
    ///
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; ``TravelError/notFound(_:)`` when the signed-in
    ///   user has no account; ``TravelError/conflict(_:)`` when a trip or someone else has the image; the errors of
    ///   the review; other errors of the repositories; `CancellationError`.
    @discardableResult
    public func callAsFunction(_ image: TripImage?) async throws -> User {
        let user = try await session.requireUser()
        if let image { try await review.review(image) }
        try await users.setAvatar(image, of: user, by: user)
        return try await users.user(user)
    }
}
