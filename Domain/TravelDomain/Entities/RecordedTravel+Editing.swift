#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension RecordedTravel {
    /// Checks that `user` is the author.
    ///
    /// - Throws: ``TravelError/forbidden(_:)`` when `user` is someone else.
    public func requireAuthor(_ user: User.ID) throws(TravelError) {
        guard user == author.id else { throw .forbidden(.travel(id)) }
    }

    /// Returns a copy with `content` and the same timeline and track, changed at `now`; `nil` keeps the time of the last change.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` with ``Violation/Rule/entriesInTheWay(_:)`` when entries lie on days that
    ///   `content` does not include.
    public func with(_ content: TravelContent, at now: Date? = nil) throws(TravelError) -> RecordedTravel {
        let inTheWay = timeline.filter { $0.day > content.days.count }
        guard inTheWay.isEmpty else { throw .invalid(.init(.dates, .entriesInTheWay(inTheWay.map(\.id)))) }
        return try copy(content, timeline, at: now)
    }

    /// Returns a copy with `entry` in its timeline, changed at `now`; `entry` replaces an entry with the same ID.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when the entry lies on a day that the travel does not have, or when it
    ///   would be one more than ``maximumEntryCount``.
    public func saving(_ entry: TimelineEntry, at now: Date? = nil) throws(TravelError) -> RecordedTravel {
        try copy(content, timeline.filter { $0.id != entry.id } + [entry], at: now)
    }

    /// Returns a copy without that entry, changed at `now`.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when the timeline has no such entry.
    public func removing(_ entry: TimelineEntry.ID, at now: Date? = nil) throws(TravelError) -> RecordedTravel {
        let rest = timeline.filter { $0.id != entry }
        guard rest.count < timeline.count else { throw .notFound(.entry(entry)) }
        return try copy(content, rest, at: now)
    }

    private func copy(
        _ content: TravelContent, _ timeline: [TimelineEntry], at now: Date?
    ) throws(TravelError) -> RecordedTravel {
        try RecordedTravel(
            id: id, author: author, createdAt: createdAt, updatedAt: now ?? updatedAt, version: version,
            content: content, timeline: timeline, track: track)
    }
}

extension RecordedTravel {
    /// Returns what a store stores when an edit turns `before` into this travel.
    ///
    /// The ID, the author and the time of recording are those of `before`. If the content, the timeline or the
    /// track differs, the version is the next one; otherwise the result is `before`.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` never, because this travel is valid.
    public func revision(of before: RecordedTravel) throws(TravelError) -> RecordedTravel {
        guard content != before.content || timeline != before.timeline || track != before.track else { return before }
        return try RecordedTravel(
            id: before.id, author: before.author, createdAt: before.createdAt, updatedAt: updatedAt,
            version: before.version.next, content: content, timeline: timeline, track: track)
    }

    /// Checks that this travel has the version that an edit expects; `nil` expects any.
    ///
    /// - Throws: ``TravelError/outdated(_:)`` with this travel when it has another version.
    public func requireVersion(_ expected: TravelVersion?) throws(TravelError) {
        guard expected == nil || expected == version else { throw .outdated(self) }
    }
}
