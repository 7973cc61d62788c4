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
            if call == .trip, network.quality.refusesReads { throw TravelError.forbidden(.user(World.other)) }
            if call == .removeUser, network.quality.refusesPasswords { throw TravelError.wrongCredentials }
            return try await body(base)
        }
    }

    /// One call, as to a server.
    func details(of id: Trip.ID, viewer: User.ID?) async throws -> TripDetails {
        try await network.call {
            if network.quality.refusesReads { throw TravelError.forbidden(.user(World.other)) }
            return try await base.details(of: id, viewer: viewer)
        }
    }

    func add(_ trips: [RecordedTrip], images: [TripImage]) async throws {
        try await network.call {
            try review(images)
            for trip in trips { try review(trip) }
            if network.takesIdentity() { await take(trips) }
            try await base.add(trips, images: images)
        }
    }

    func update(
        _ id: Trip.ID, expecting version: TripVersion?, by user: User.ID, adding images: [TripImage],
        _ change: @escaping @Sendable (RecordedTrip) throws(TravelError) -> RecordedTrip?
    ) async throws -> RecordedTrip? {
        try await network.call {
            try review(images)
            return try await base.update(id, expecting: version, by: user, adding: images) {
                trip throws(TravelError) in
                let result = try change(trip)
                try review(result ?? trip)
                return result
            }
        }
    }

    func setAvatar(_ image: TripImage?, of id: User.ID, by user: User.ID) async throws {
        try await network.call {
            try review(image.map { [$0] } ?? [])
            try await base.setAvatar(image, of: id, by: user)
        }
    }

    /// Adds trips of someone else with those IDs, as far as nobody has them.
    private func take(_ trips: [RecordedTrip]) async {
        for trip in trips {
            var content = trip.content
            content.thumbnail = nil
            do {
                content.title = try Title("taken")
                let taken = try RecordedTrip(
                    id: trip.id, author: User(seed: 3), createdAt: trip.createdAt, content: content, timeline: [])
                try await base.add([taken], images: [])
            } catch {
                // The trip is there, or has been there.
            }
        }
    }

    private func review(_ trip: RecordedTrip) throws(TravelError) {
        if let error = network.quality.refusedTitles[trip.content.title.text] { throw error }
    }

    private func review(_ images: [TripImage]) throws {
        if network.quality.refusesImages, let image = images.first { throw TravelError.refused(.image(image.id)) }
    }
}
