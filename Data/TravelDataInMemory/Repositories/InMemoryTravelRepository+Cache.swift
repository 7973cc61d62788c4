#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import TravelDomain

extension InMemoryTravelRepository: TravelCache {
    /// Stores what another store has answered, all or nothing.
    ///
    /// - Throws: `CancellationError` when the task is cancelled; nothing changes then.
    public func store(_ seen: SeenTravels) async throws {
        try Task.checkCancellation()
        // Made first, so that an invalid one changes nothing.
        let recorded = try seen.travels.map { try RecordedTravel(seen: $0, timeline: seen.timelines[$0.id]) }
        for person in seen.people { authors[person.id] = person }
        for person in seen.missingPeople where authors[person] != nil { removePerson(person) }
        for id in seen.missingTravels {
            if let travel = travels[id] { remove(travel) }
        }
        for (travel, recorded) in zip(seen.travels, recorded) {
            store(recorded, isComplete: seen.timelines[travel.id] != nil)
            storeLikes(of: travel, viewer: seen.viewer)
            authors[travel.author.id] = travel.author
        }
        for (person, authors) in seen.blocked {
            for author in authors { self.authors[author.id] = author }
            blocked[person] = Set(authors.map(\.id))
        }
        for image in seen.images where images[image.id] == nil {
            guard let travel = travelShowing(image.id) else { continue }
            images[image.id] = StoredImage(image: image, travel: travel)
        }
        answers.merge(seen.answers) { $1 }
        changes.notify()
    }

    /// Returns the time of the last answer to `question`.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func lastAnswer(to question: String) async throws -> Date? {
        try Task.checkCancellation()
        return answers[question]
    }

    /// Returns how much of a travel is known, whoever sees it.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func knowledge(of id: Travel.ID) async throws -> TravelKnowledge {
        try Task.checkCancellation()
        guard let travel = travels[id] else { return .unknown }
        return travel.isTimelineKnown ? .complete(try travel.recorded(authors: authors)) : .withoutTimeline
    }

    /// Returns whether a known travel shows the image, while its bytes are not known.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func lacksBytes(of image: TravelImage.ID) async throws -> Bool {
        try Task.checkCancellation()
        return images[image] == nil && travelShowing(image) != nil
    }

    private func store(_ recorded: RecordedTravel, isComplete: Bool) {
        // Another travel with this ID was refused by the other store.
        if let other = travels[recorded.id], other.recorded.createdAt != recorded.createdAt { remove(other) }
        guard var travel = travels[recorded.id] else {
            makeRoom(for: recorded)
            for number in index.add([recorded]) {
                travels[recorded.id] = StoredTravel(recorded, number: number)
                travels[recorded.id]?.isTimelineKnown = isComplete
            }
            entries.formUnion(recorded.timeline.lazy.map(\.id))
            return
        }
        guard isComplete || !travel.isTimelineKnown else { return }
        makeRoom(for: recorded)
        let before = travel.recorded
        (travel.recorded, travel.isTimelineKnown) = (recorded, isComplete)
        travels[recorded.id] = travel
        index.replace(travel.number, with: recorded.content)
        entries.subtract(before.timeline.lazy.map(\.id))
        entries.formUnion(recorded.timeline.lazy.map(\.id))
        if isComplete {
            for image in Set(before.images).subtracting(recorded.images) { images[image] = nil }
        }
    }

    /// Removes the other travels that have one of the entries or images.
    private func makeRoom(for recorded: RecordedTravel) {
        let (newEntries, newImages) = (Set(recorded.timeline.map(\.id)), Set(recorded.images))
        guard !newEntries.isEmpty || !newImages.isEmpty else { return }
        for other in travels.values where other.recorded.id != recorded.id {
            let hasEntry = other.recorded.timeline.contains { newEntries.contains($0.id) }
            if hasEntry || other.recorded.images.contains(where: newImages.contains) { remove(other) }
        }
    }

    private func storeLikes(of seen: Travel, viewer: User.ID?) {
        guard var travel = travels[seen.id] else { return }
        let before = travel.likeCount
        if let viewer {
            if seen.isLiked { travel.likers.insert(viewer) } else { travel.likers.remove(viewer) }
        }
        // There are fewer likes than people who are known to like it: who took theirs back is not known.
        for liker in travel.likers.sorted() where travel.likers.count > seen.likeCount && liker != viewer {
            travel.likers.remove(liker)
        }
        travel.otherLikes = max(0, seen.likeCount - travel.likers.count)
        if viewer != seen.author.id {
            travel.reporters = Set(travel.reporters.sorted().prefix(Visibility.toleratedReports))
        }
        if !travel.isTimelineKnown { travel.seenThumbnail = seen.thumbnail }
        travels[seen.id] = travel
        index.setLikes(of: travel.number, from: before, to: travel.likeCount)
    }

    private func travelShowing(_ image: TravelImage.ID) -> Travel.ID? {
        travels.values.first { $0.thumbnail == image || $0.recorded.images.contains(image) }?.recorded.id
    }
}

extension RecordedTravel {
    /// The travel that was seen, with an empty timeline if that is not known.
    fileprivate init(seen travel: Travel, timeline: [TimelineEntry]?) throws(TravelError) {
        try self.init(
            id: travel.id, author: travel.author, createdAt: travel.createdAt, updatedAt: travel.updatedAt,
            version: travel.version, content: travel.content, timeline: timeline ?? [])
    }
}
