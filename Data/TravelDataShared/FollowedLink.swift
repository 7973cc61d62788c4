package import TravelDomain

/// A store as someone sees it who presents the key of a link: a conforming type looks up and changes trips, and `store` does
/// the rest.
package protocol FollowedLink: TravelStore {
    associatedtype Store: TravelStore

    var store: Store { get }
}

extension FollowedLink {
    package func following(_ key: LinkKey) -> any TravelStore { store.following(key) }

    package func search(_ query: TripQuery) async throws -> TripPage { try await store.search(query) }

    package func observe(_ query: TripQuery) -> any AsyncSequence<TripPage, any Error> & Sendable {
        store.observe(query)
    }

    package func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title] {
        try await store.titles(containing: text, viewer: viewer, limit: limit)
    }

    package func add(_ trips: [RecordedTrip], images: [TripImage]) async throws {
        try await store.add(trips, images: images)
    }

    package func keep(_ picture: Data, of image: TripImage, in size: PictureSize) async throws {
        try await store.keep(picture, of: image, in: size)
    }

    package func user(_ id: User.ID) async throws -> User { try await store.user(id) }

    package func isTaken(_ nickname: Nickname, exceptBy user: User.ID?) async throws -> Bool {
        try await store.isTaken(nickname, exceptBy: user)
    }

    package func add(_ user: User) async throws { try await store.add(user) }

    package func rename(_ id: User.ID, to nickname: Nickname, by user: User.ID) async throws {
        try await store.rename(id, to: nickname, by: user)
    }

    package func setAvatar(_ image: TripImage?, of id: User.ID, by user: User.ID) async throws {
        try await store.setAvatar(image, of: id, by: user)
    }

    package func removeUser(_ id: User.ID, by user: User.ID) async throws { try await store.removeUser(id, by: user) }

    package func block(_ author: User.ID, by user: User.ID) async throws -> Bool {
        try await store.block(author, by: user)
    }

    package func unblock(_ author: User.ID, by user: User.ID) async throws { try await store.unblock(author, by: user) }

    package func blocked(by user: User.ID) async throws -> [User] { try await store.blocked(by: user) }
}
