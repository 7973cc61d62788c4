#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Makes a travel with a timeline out of a recorded track, and keeps it.
///
/// ```swift
/// let importTrack = ImportTrack(travels: travels, places: places, now: { clock.now })
/// let imported = try await importTrack(track, by: user, fileName: "북한산.gpx")
/// imported.travel.content.title.text    // the name of the recording, else "북한산"
/// ```
///
/// - **Days** are those on the traveller's clock: UTC+9 around South Korea, elsewhere the hour of the longitude. The
///   travel has all days from the first to the last that has a point.
/// - **Times** that are missing or impossible are told from those around them; a track without any is a walk from
///   09:00 on the day it was recorded.
/// - **Entries** are the marked places and, for every day, the departure, the arrival and each stay of 15 minutes
///   or more within 100 metres, unless a marked place tells of it: at most 30 a day. They are called after the mark
///   or a known place within a kilometre.
/// - **Mistakes** of the receiver are passed over: a jump that no vehicle makes is no distance, and a mark that the way
///   did not come within a kilometre of was not passed.
/// - **Identity** follows from the author and what the track holds: the same track again is a conflict.
public struct ImportTrack: Sendable {
    /// How far a known place may be away to tell the region, in metres.
    public static let regionDistance = 30_000.0

    private let travels: any TravelRepository
    private let places: any PlaceRepository
    private let now: @Sendable () -> Date

    /// Adds to `travels`, with names from `places`; `now` tells the time.
    public init(
        travels: any TravelRepository, places: any PlaceRepository, now: @escaping @Sendable () -> Date
    ) {
        self.travels = travels
        self.places = places
        self.now = now
    }

    /// The travel made of `track`, which is in the store when this returns.
    ///
    /// - Parameters:
    ///   - author: Whose travel it will be.
    ///   - fileName: What the travel is called, less `.gpx`, when the track has no name.
    ///   - region: Where the trip went; without one, the region most of its entries are in.
    /// - Throws: ``TravelError/invalid(_:)`` for a track without a point or of more than a year, ``TravelError/conflict(_:)`` when this
    ///   author has imported it before, what a repository throws, or `CancellationError`. Nothing is kept then.
    @concurrent
    public func callAsFunction(
        _ track: Track, by author: User, fileName: String, region: Region? = nil
    ) async throws -> ImportedTrack {
        let now = now()
        let timed = try TimedTrack(track, now: now)
        let timeline = TimelineBuilder(timed)
        let fingerprint = TrackFingerprint(of: track, by: author.id)

        var entries: [TimelineEntry] = []
        var regions: [Region] = []
        for (number, moment) in timeline.moments.enumerated() {
            try Task.checkCancellation()
            let known = try await places.nearest(to: moment.coordinate, within: Self.regionDistance)
            if let known { regions.append(known.region) }
            let wording = try EntryWording(moment, near: known)
            entries.append(
                try TimelineEntry(
                    id: fingerprint.entry(number), day: moment.day, time: moment.time, title: wording.title,
                    text: wording.text, place: wording.place))
        }

        let (told, origin) =
            if let region { (region, ImportedTrack.RegionOrigin.given) } else {
                try await self.region(of: regions, else: timeline.moments[0].coordinate)
            }
        let travel = try RecordedTravel(
            id: fingerprint.travel, author: author, createdAt: now,
            content: TravelContent(title: Self.title(of: track, fileName: fileName), region: told, days: timeline.days),
            timeline: entries)
        try await travels.add([travel])
        return ImportedTrack(
            travel: travel, regionOrigin: origin,
            isOutsideKorea: timeline.moments.count { $0.coordinate.isAroundKorea } * 2 < timeline.moments.count,
            estimatedTimes: timed.estimatedTimes, omittedEntries: timeline.omitted)
    }

    /// The region most entries are in, the earliest of them between equals; failing that the one of the known place
    /// nearest to `coordinate`, however far.
    private func region(
        of regions: [Region], else coordinate: Coordinate
    ) async throws -> (Region, ImportedTrack.RegionOrigin) {
        let counts = Dictionary(regions.map { ($0, 1) }, uniquingKeysWith: +)
        let most = counts.values.max()
        if let region = regions.first(where: { counts[$0] == most }) { return (region, .entries) }
        let nearest = try await places.nearest(to: coordinate, within: .infinity)
        return (nearest?.region ?? .seoul, .guess)
    }

    private static func title(of track: Track, fileName: String) throws -> Title {
        let isNamed = fileName.lowercased().hasSuffix(".gpx")
        let name = isNamed ? fileName.dropLast(4) : fileName[...]
        return try track.name.flatMap { Title(shortening: $0) } ?? Title(shortening: name) ?? Title("여행 기록")
    }
}
