extension RecordedTravel {
    /// Lets the author pass.
    ///
    /// - Throws: ``TravelError/forbidden(_:)`` for everyone else.
    public func requireAuthor(_ user: User.ID) throws(TravelError) {
        guard user == author.id else { throw .forbidden(.travel(id)) }
    }

    /// The trip with other content and the same timeline.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` with ``Violation/Rule/entriesInTheWay(_:)`` when entries lie on days that it
    ///   would no longer have.
    public func with(_ content: TravelContent) throws(TravelError) -> RecordedTravel {
        let inTheWay = timeline.filter { $0.day > content.days.count }
        guard inTheWay.isEmpty else { throw .invalid(.init(.dates, .entriesInTheWay(inTheWay.map(\.id)))) }
        return try RecordedTravel(
            id: id, author: author, createdAt: createdAt, content: content, timeline: timeline)
    }

    /// The trip with `entry` in its timeline, in place of the one with the same identity if there is one.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when the entry lies on a day that the trip does not have.
    public func saving(_ entry: TimelineEntry) throws(TravelError) -> RecordedTravel {
        try RecordedTravel(
            id: id, author: author, createdAt: createdAt, content: content,
            timeline: timeline.filter { $0.id != entry.id } + [entry])
    }

    /// The trip without that entry.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when its timeline has no such entry.
    public func removing(_ entry: TimelineEntry.ID) throws(TravelError) -> RecordedTravel {
        let rest = timeline.filter { $0.id != entry }
        guard rest.count < timeline.count else { throw .notFound(.entry(entry)) }
        return try RecordedTravel(id: id, author: author, createdAt: createdAt, content: content, timeline: rest)
    }
}
