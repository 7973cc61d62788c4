package import TravelDomain

/// The body with which an account is created, and a device signs in: `{"nickname", "password"}`.
package struct CredentialsRecord: Codable, Sendable {
    package let nickname: Nickname
    package let password: Password

    private enum Key: String, CodingKey { case nickname, password }

    package init(nickname: Nickname, password: Password) {
        self.nickname = nickname
        self.password = password
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        nickname = try values.nickname(.nickname)
        password = try values.password(.password)
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(nickname.text, forKey: .nickname)
        try values.encode(password.text, forKey: .password)
    }
}

/// The body with which a device renews its tokens: `{"refreshToken"}`.
package struct RefreshRecord: Codable, Sendable {
    package let refresh: Token

    private enum Key: String, CodingKey { case refreshToken }

    package init(_ refresh: Token) {
        self.refresh = refresh
    }

    package init(from decoder: any Decoder) throws {
        refresh = try decoder.container(keyedBy: Key.self).token(.refreshToken)
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(refresh.text, forKey: .refreshToken)
    }
}

/// The body that changes a password: `{"old", "new"}`.
package struct PasswordChangeRecord: Codable, Sendable {
    package let old: Password
    package let new: Password

    private enum Key: String, CodingKey { case old, new }

    package init(old: Password, new: Password) {
        self.old = old
        self.new = new
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        old = try values.password(.old)
        new = try values.password(.new)
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(old.text, forKey: .old)
        try values.encode(new.text, forKey: .new)
    }
}

/// The body with which an account is removed: `{"password"}`.
package struct PasswordRecord: Codable, Sendable {
    package let password: Password

    private enum Key: String, CodingKey { case password }

    package init(_ password: Password) {
        self.password = password
    }

    package init(from decoder: any Decoder) throws {
        password = try decoder.container(keyedBy: Key.self).password(.password)
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(password.text, forKey: .password)
    }
}

/// The body that changes a nickname: `{"nickname"}`.
package struct NicknameRecord: Codable, Hashable, Sendable {
    package let nickname: Nickname

    private enum Key: String, CodingKey { case nickname }

    package init(_ nickname: Nickname) {
        self.nickname = nickname
    }

    package init(from decoder: any Decoder) throws {
        nickname = try decoder.container(keyedBy: Key.self).nickname(.nickname)
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(nickname.text, forKey: .nickname)
    }
}

/// The answer about a nickname: `{"taken"}`.
package struct TakenRecord: Codable, Hashable, Sendable {
    package let taken: Bool

    package init(_ taken: Bool) {
        self.taken = taken
    }
}

/// The answer to a device that has signed in: `{"user", "accessToken", "accessExpiresAt", "refreshToken",
/// "refreshExpiresAt"}`.
package struct SignedInRecord: Codable, Hashable, Sendable {
    package let signedIn: SignedIn

    private enum Key: String, CodingKey { case user, accessToken, accessExpiresAt, refreshToken, refreshExpiresAt }

    package init(_ signedIn: SignedIn) {
        self.signedIn = signedIn
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        signedIn = SignedIn(
            user: try values.decode(UserRecord.self, forKey: .user).user,
            access: try values.token(.accessToken), accessExpiresAt: try values.date(.accessExpiresAt),
            refresh: try values.token(.refreshToken), refreshExpiresAt: try values.date(.refreshExpiresAt))
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(UserRecord(signedIn.user), forKey: .user)
        try values.encode(signedIn.access.text, forKey: .accessToken)
        try values.encode(ExactTime.text(for: signedIn.accessExpiresAt), forKey: .accessExpiresAt)
        try values.encode(signedIn.refresh.text, forKey: .refreshToken)
        try values.encode(ExactTime.text(for: signedIn.refreshExpiresAt), forKey: .refreshExpiresAt)
    }
}

extension KeyedDecodingContainer {
    fileprivate func nickname(_ key: Key) throws -> Nickname {
        try value(key, as: String.self) { text throws(TravelError) in try Nickname(text) }
    }

    fileprivate func password(_ key: Key) throws -> Password {
        try value(key, as: String.self) { text throws(TravelError) in try Password(text) }
    }

    fileprivate func token(_ key: Key) throws -> Token {
        guard let token = Token(try decode(String.self, forKey: key)) else {
            throw TravelJSONError(.unexpected(expected: "a token"), at: path(to: key))
        }
        return token
    }
}
