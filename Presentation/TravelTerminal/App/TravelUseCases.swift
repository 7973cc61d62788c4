#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The use cases of the screens about travels, over the repositories of a store.
struct TravelUseCases: Sendable {
    let store: any TerminalScreens.Store
    let session: any SessionRepository
    let now: @Sendable () -> Date

    func home(_ recentKeywords: any RecentKeywordRepository) -> HomeFlow.UseCases {
        let watch = WatchTravels(travels: store, session: session)
        let search = SearchTravels(travels: store, session: session)
        let like = LikeTravel(travels: store, session: session)
        let suggest = SuggestKeywords(titles: store, recent: recentKeywords, session: session)
        return .init(
            firstPage: { .following(watch($0)) }, page: { try await search($0, after: $1) },
            setLiked: { try await like($0, travel: $1) }, suggest: { try await suggest($0) },
            remember: { keyword in try await recentKeywords.updateRecentKeywords { $0.remember(keyword) } },
            forget: { keyword in try await recentKeywords.updateRecentKeywords { $0.forget(keyword) } })
    }

    var timeline: TimelineFlow.UseCases {
        let like = LikeTravel(travels: store, session: session)
        let report = ReportTravel(moderation: store, session: session)
        let block = BlockAuthor(moderation: store, session: session)
        let deleteTravel = DeleteTravel(travels: store, session: session)
        let deleteEntry = DeleteEntry(travels: store, session: session)
        return .init(
            show: { [self] in details(of: $0) }, setLiked: { try await like($0, travel: $1) },
            report: { travel in
                try await report(travel)
                return true
            },
            block: { try await block($0) }, deleteTravel: { try await deleteTravel($0) },
            deleteEntry: { try await deleteEntry($0, in: $1) })
    }

    func travelEditor(
        _ readImage: @escaping @Sendable (String) async throws -> PickedImage
    ) -> TravelEditorFlow.UseCases {
        let record = RecordTravel(travels: store, users: store, session: session, now: now)
        let edit = EditTravel(travels: store, session: session)
        return .init(
            load: { [self] in try await recorded($0) },
            record: { content, id, image in try await record(content, adding: image) },
            edit: { [self] content, base, image in
                try await edit(base.id, content, adding: image)
                return try await recorded(base.id)
            },
            readImage: readImage)
    }

    func entryEditor(
        _ places: any PlaceRepository, _ readImage: @escaping @Sendable (String) async throws -> PickedImage
    ) -> EntryEditorFlow.UseCases {
        let save = SaveEntry(travels: store, session: session)
        let searchPlaces = SearchPlaces(places: places)
        return .init(
            load: { [self] in try await recorded($0) },
            save: { [self] entry, base, image in
                try await save(entry, adding: image, in: base.id)
                return try await recorded(base.id)
            },
            searchPlaces: { try await searchPlaces($0) }, readImage: readImage)
    }

    var myPage: MyPageViewModel.UseCases {
        let watch = WatchTravels(travels: store, session: session)
        return .init(
            travels: { _ in .following(watch(TravelCriteria())) },
            likedTravels: { _ in .following(watch(TravelCriteria())) })
    }

    private func details(of id: Travel.ID) -> Observable<TravelDetails> {
        Observable.task { [session] in try await session.session()?.user }.flatMap { [store] viewer in
            let travel: Observable<Travel> = .following(store.observeTravel(id, viewer: viewer))
            let timeline: Observable<[TimelineEntry]> = .following(store.observeTimeline(of: id, viewer: viewer))
            return Observable.combineLatest(travel, timeline) { TravelDetails(travel: $0, timeline: $1) }
        }
    }

    private func recorded(_ id: Travel.ID) async throws -> RecordedTravel {
        let viewer = try await session.session()?.user
        let travel = try await store.travel(id, viewer: viewer)
        return try RecordedTravel(
            id: id, author: travel.author, createdAt: travel.createdAt, content: travel.content,
            timeline: try await store.timeline(of: id, viewer: viewer))
    }
}

extension Observable {
    /// The elements of a sequence, which each subscription iterates over by itself.
    static func following<Sequence: AsyncSequence & Sendable>(_ sequence: Sequence) -> Observable<Element>
    where Sequence.Element == Element {
        sequence.asObservable()
    }
}
