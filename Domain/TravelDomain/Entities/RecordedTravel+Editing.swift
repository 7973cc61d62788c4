extension RecordedTravel {
    /// Checks that `user` is the author.
    ///
    /// - Throws: ``TravelError/forbidden(_:)`` when `user` is someone else.
    public func requireAuthor(_ user: User.ID) throws(TravelError) {
        guard user == author.id else { throw .forbidden(.travel(id)) }
    }

    /// Returns a copy with `content` and the same timeline.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` with ``Violation/Rule/entriesInTheWay(_:)`` when entries lie on days that
    ///   `content` does not include.
    public func with(_ content: TravelContent) throws(TravelError) -> RecordedTravel {
        let inTheWay = timeline.filter { $0.day > content.days.count }
        guard inTheWay.isEmpty else { throw .invalid(.init(.dates, .entriesInTheWay(inTheWay.map(\.id)))) }
        return try RecordedTravel(
            id: id, author: author, createdAt: createdAt, content: content, timeline: timeline)
    }

    /// Returns a copy with `entry` in its timeline; `entry` replaces an entry with the same ID.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when the entry lies on a day that the travel does not have.
    public func saving(_ entry: TimelineEntry) throws(TravelError) -> RecordedTravel {
        try RecordedTravel(
            id: id, author: author, createdAt: createdAt, content: content,
            timeline: timeline.filter { $0.id != entry.id } + [entry])
    }

    /// Returns a copy without that entry.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when the timeline has no such entry.
    public func removing(_ entry: TimelineEntry.ID) throws(TravelError) -> RecordedTravel {
        let rest = timeline.filter { $0.id != entry }
        guard rest.count < timeline.count else { throw .notFound(.entry(entry)) }
        return try RecordedTravel(id: id, author: author, createdAt: createdAt, content: content, timeline: rest)
    }
}
