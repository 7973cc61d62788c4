/// A person with an account, such as the author of a travel.
///
/// ```swift
/// let mina = User(nickname: try Nickname("Mina"))    // with a new ID
/// ```
public struct User: Hashable, Sendable, Identifiable {
    /// The ID of the person, the same in every store.
    public let id: Identifier<User>
    /// The name that others see, which is unique.
    public let nickname: Nickname
    /// The picture of the person that others see, if they have one; an ``ImageRepository`` has its bytes.
    public let avatar: TravelImage.ID?

    /// Creates a user with that nickname and that picture.
    public init(id: ID = ID(), nickname: Nickname, avatar: TravelImage.ID? = nil) {
        self.id = id
        self.nickname = nickname
        self.avatar = avatar
    }
}
