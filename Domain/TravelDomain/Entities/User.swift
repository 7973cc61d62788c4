/// Someone who records trips.
public struct User: Hashable, Sendable, Identifiable {
    /// Who it is.
    public let id: Identifier<User>
    /// What others call them.
    public let nickname: Nickname

    /// Someone by that nickname.
    public init(id: ID = ID(), nickname: Nickname) {
        self.id = id
        self.nickname = nickname
    }
}
