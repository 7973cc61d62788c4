package import TravelDomain

/// The body with which an account is created: `{"nickname", "password", "invitation"?}`.
package struct SignUpRecord: Codable, Sendable {
    package let nickname: Nickname
    package let password: Password
    package let invitation: Token?

    private enum Key: String, CodingKey { case invitation }

    package init(nickname: Nickname, password: Password, invitation: Token? = nil) {
        (self.nickname, self.password, self.invitation) = (nickname, password, invitation)
    }

    package init(from decoder: any Decoder) throws {
        let credentials = try CredentialsRecord(from: decoder)
        (nickname, password) = (credentials.nickname, credentials.password)
        let values = try decoder.container(keyedBy: Key.self)
        guard let text = try values.decodeIfPresent(String.self, forKey: .invitation) else {
            invitation = nil
            return
        }
        // Another text is the code of no invitation.
        invitation = try values.checked(.invitation) { () throws(TravelError) in
            guard let code = Token(text) else { throw .invalid(.noInvitation) }
            return code
        }
    }

    package func encode(to encoder: any Encoder) throws {
        try CredentialsRecord(nickname: nickname, password: password).encode(to: encoder)
        var values = encoder.container(keyedBy: Key.self)
        try values.encodeIfPresent(invitation?.text, forKey: .invitation)
    }
}

/// The body with which a device signs in: `{"nickname", "password"}`.
package struct CredentialsRecord: Codable, Sendable {
    @StringCoded package private(set) var nickname: Nickname
    @StringCoded package private(set) var password: Password

    package init(nickname: Nickname, password: Password) {
        self.nickname = nickname
        self.password = password
    }
}

/// The body with which a device renews its tokens: `{"refreshToken", "nextRefreshToken"}`; the second one is optional.
package struct RefreshRecord: Codable, Sendable {
    package let refresh: Token
    /// The token that the device has chosen to follow `refresh`.
    package let next: Token?

    private enum Key: String, CodingKey { case refreshToken, nextRefreshToken }

    package init(_ refresh: Token, next: Token? = nil) {
        (self.refresh, self.next) = (refresh, next)
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        refresh = try values.token(.refreshToken)
        next = try values.decodeIfPresent(String.self, forKey: .nextRefreshToken).map { _ in
            try values.token(.nextRefreshToken)
        }
        guard next?.isPlausible ?? true else {
            throw TravelJSONError(
                .unexpected(expected: "a token of 256 random bits"), at: values.path(to: .nextRefreshToken))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(refresh.text, forKey: .refreshToken)
        try values.encodeIfPresent(next?.text, forKey: .nextRefreshToken)
    }
}

/// The body that changes a password: `{"old", "new"}`.
package struct PasswordChangeRecord: Codable, Sendable {
    @StringCoded package private(set) var old: Password
    @StringCoded package private(set) var new: Password

    package init(old: Password, new: Password) {
        self.old = old
        self.new = new
    }
}

/// The body with which an account is removed: `{"password"}`.
package struct PasswordRecord: Codable, Sendable {
    @StringCoded package private(set) var password: Password

    package init(_ password: Password) {
        self.password = password
    }
}

/// The body that changes a nickname: `{"nickname"}`.
package struct NicknameRecord: Codable, Sendable {
    @StringCoded package private(set) var nickname: Nickname

    package init(_ nickname: Nickname) {
        self.nickname = nickname
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
    fileprivate func token(_ key: Key) throws -> Token {
        guard let token = Token(try decode(String.self, forKey: key)) else {
            throw TravelJSONError(.unexpected(expected: "a token"), at: path(to: key))
        }
        return token
    }
}

/// A value of the domain that JSON has as a string.
package protocol StringValue: Sendable {
    var text: String { get }
    init(_ text: some StringProtocol) throws(TravelError)
}

extension Nickname: StringValue {}
extension Password: StringValue {}

/// Codes a property as a string. A violated rule of the domain is reported with its place.
@propertyWrapper
package struct StringCoded<Value: StringValue>: Codable, Sendable {
    package var wrappedValue: Value

    package init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }

    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        do {
            wrappedValue = try Value(text)
        } catch .invalid(let violation) {
            throw TravelJSONError(.invalid(violation), at: decoder.codingPath)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue.text)
    }
}
