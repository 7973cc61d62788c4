/// A person with an account, such as the author of a travel.
///
/// ```swift
/// let mina = User(nickname: try Nickname("Mina"))    // with a new ID
/// ```
public struct User: Hashable, Sendable, Identifiable {
    /// The ID of the person.
    public let id: Identifier<User>
    /// The name that others see.
    public let nickname: Nickname

    /// Creates a user with that nickname.
    public init(id: ID = ID(), nickname: Nickname) {
        self.id = id
        self.nickname = nickname
    }
}
