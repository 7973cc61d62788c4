import TravelDomainTesting

/// A store behind a ``Network``, which observations pass by.
struct RemoteStore: ForwardingStore {
    let base: any TravelStore
    let network: Network

    func store(for call: InterceptedStore.Call) async throws -> any TravelStore { base }

    func forward<Value>(
        _ call: InterceptedStore.Call, _ body: (any TravelStore) async throws -> Value
    ) async throws -> Value {
        try await network.call {
            if call == .removeUser, network.quality.refusesPasswords { throw TravelError.wrongCredentials }
            return try await body(base)
        }
    }

    /// One call, as to a server.
    func details(of id: Travel.ID, viewer: User.ID?) async throws -> TravelDetails {
        try await network.call { try await base.details(of: id, viewer: viewer) }
    }

    func add(_ travels: [RecordedTravel], images: [TravelImage]) async throws {
        try await network.call {
            try review(images)
            try await base.add(travels, images: images)
        }
    }

    func update(
        _ id: Travel.ID, expecting version: TravelVersion?, by user: User.ID, adding images: [TravelImage],
        _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel?
    ) async throws -> RecordedTravel? {
        try await network.call {
            try review(images)
            return try await base.update(id, expecting: version, by: user, adding: images, change)
        }
    }

    func setAvatar(_ image: TravelImage?, of id: User.ID, by user: User.ID) async throws {
        try await network.call {
            try review(image.map { [$0] } ?? [])
            try await base.setAvatar(image, of: id, by: user)
        }
    }

    private func review(_ images: [TravelImage]) throws {
        if network.quality.refusesImages, let image = images.first { throw TravelError.refused(.image(image.id)) }
    }
}
