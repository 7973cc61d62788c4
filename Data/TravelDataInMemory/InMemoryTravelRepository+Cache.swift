public import TravelDomain

extension InMemoryTravelRepository: TravelCache {
    public func store(_ fetched: FetchedTravels) async throws {
        try Task.checkCancellation()
        // Created first, so that an invalid one changes nothing.
        let recorded = try fetched.travels.map {
            let timeline = fetched.timelines[$0.id]
            return try TravelDetails(
                travel: $0, timeline: timeline ?? [], track: timeline == nil ? nil : fetched.tracks[$0.id]
            ).recorded
        }
        for person in fetched.people { know(person) }
        for person in fetched.missingPeople { removePerson(person) }
        for id in fetched.missingTravels { travels[id] = nil }
        for (travel, recorded) in zip(fetched.travels, recorded) {
            store(recorded, isComplete: fetched.timelines[travel.id] != nil)
            storeLikes(of: travel, viewer: fetched.viewer)
            if let viewer = fetched.viewer { blocked[viewer]?.remove(travel.author.id) }
            know(travel.author)
        }
        for (person, authors) in fetched.blocked {
            for author in authors { know(author) }
            blocked[person] = Set(authors.map(\.id))
        }
        for image in fetched.images where lacks(image.id) {
            if let travel = travelShowing(image.id) { travels[travel]?.images.append(image) }
            for person in people.values where person.avatar == image.id { avatars[person.id] = image }
        }
        answers.merge(fetched.answers) { $1 }
        changes.notify()
    }

    public func lastAnswer(to question: String) async throws -> Date? {
        try Task.checkCancellation()
        return answers[question]
    }

    public func knowledge(of id: Travel.ID) async throws -> TravelKnowledge {
        try Task.checkCancellation()
        guard let travel = travels[id] else { return .unknown }
        return travel.isTimelineKnown ? .complete(try current(travel.recorded)) : .withoutTimeline
    }

    public func lacksBytes(of image: TravelImage.ID) async throws -> Bool {
        try Task.checkCancellation()
        return lacks(image)
    }

    private func lacks(_ image: TravelImage.ID) -> Bool {
        let isKnown = (travels.values.flatMap(\.images) + avatars.values).contains { $0.id == image }
        return !isKnown && (travelShowing(image) != nil || people.values.contains { $0.avatar == image })
    }

    /// Stores a person with a picture whose bytes may be unknown.
    private func know(_ person: User) {
        people[person.id] = person
        if avatars[person.id]?.id != person.avatar { avatars[person.id] = nil }
    }

    private func store(_ recorded: RecordedTravel, isComplete: Bool) {
        let known = travels[recorded.id]
        // Another travel with this ID was refused by the other store.
        if let known, known.recorded.createdAt != recorded.createdAt {
            travels[recorded.id] = nil
        } else if let known, known.isTimelineKnown, !isComplete {
            return
        }
        makeRoom(for: recorded)
        var travel = travels[recorded.id] ?? StoredTravel(recorded: recorded, images: [])
        (travel.recorded, travel.isTimelineKnown) = (recorded, isComplete)
        if isComplete { travel.images.removeAll { !recorded.images.contains($0.id) } }
        travels[recorded.id] = travel
    }

    /// Removes the other travels that have one of the entries or images.
    private func makeRoom(for recorded: RecordedTravel) {
        let (newEntries, newImages) = (Set(recorded.timeline.map(\.id)), Set(recorded.images))
        guard !newEntries.isEmpty || !newImages.isEmpty else { return }
        for other in travels.values where other.recorded.id != recorded.id {
            let hasEntry = other.recorded.timeline.contains { newEntries.contains($0.id) }
            if hasEntry || other.recorded.images.contains(where: newImages.contains) {
                travels[other.recorded.id] = nil
            }
        }
    }

    private func storeLikes(of seen: Travel, viewer: User.ID?) {
        guard var travel = travels[seen.id] else { return }
        if let viewer {
            if seen.isLiked { travel.likers.insert(viewer) } else { travel.likers.remove(viewer) }
        }
        // There are fewer likes than known people who like it: which of them removed their like is unknown.
        for liker in travel.likers.sorted() where travel.likers.count > seen.likeCount && liker != viewer {
            travel.likers.remove(liker)
        }
        travel.otherLikes = max(0, seen.likeCount - travel.likers.count)
        if viewer != seen.author.id {
            travel.reporters = Set(travel.reporters.sorted().prefix(Visibility.toleratedReports))
        }
        if !travel.isTimelineKnown { travel.seenThumbnail = seen.thumbnail }
        travels[seen.id] = travel
    }

    private func travelShowing(_ image: TravelImage.ID) -> Travel.ID? {
        travels.values.first { $0.thumbnail == image || $0.recorded.images.contains(image) }?.recorded.id
    }
}
