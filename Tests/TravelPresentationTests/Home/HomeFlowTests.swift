import StreamsTesting
import Testing
import TestConcurrency
import TravelDomainTesting
import ViewModelsTesting
@testable import TravelPresentation

@Suite("Home: the list", .limitedConcurrency)
struct HomeFlowTests {
    private let world = HomeWorld()

    private func home(_ criteria: TripCriteria = TripCriteria()) -> ScreenRun<HomeFlow> {
        let flow = HomeFlow(world.useCases, user: world.user.asObservable(), criteria: criteria)
        return ScreenRun(on: world.scheduler, flow)
    }

    /// A home screen that shows its first page.
    private func loaded() -> ScreenRun<HomeFlow> {
        let home = home()
        home.send(.appeared, for: 150)
        return home
    }

    @Test("the home screen shows skeleton rows, then the first page, and further pages until the end")
    func scrolling() {
        let home = home()
        home.send(.appeared, for: 50)
        #expect(home.state.content == .skeleton)
        home.pass(100)
        #expect(home.state.rows.count == 20)
        #expect(home.state.footer == .more)
        home.send(.reachedEnd, for: 50)
        #expect(home.state.footer == .loading)
        home.send(.reachedEnd, for: 100)
        #expect(home.state.rows.count == 40)
        home.send(.reachedEnd, for: 150)
        #expect(home.state.rows.map(\.trip.title.text) == (1...45).reversed().map { "Trip \($0)" })
        #expect(home.state.footer == .end)
        home.send(.reachedEnd, for: 150)
        #expect(world.calls == ["first", "page", "page"])
    }

    @Test("appearing again on the home screen loads nothing")
    func appearsOnce() {
        let home = loaded()
        home.send(.appeared, for: 150)
        #expect(world.calls == ["first"])
    }

    @Test("a refresh of the home screen keeps the rows until the new ones arrive, and also when it fails")
    func refresh() {
        let home = loaded()
        home.send(.refreshed, for: 50)
        #expect(home.state.isRefreshing)
        #expect(home.state.rows.count == 20)
        world.fail("first")
        home.pass(100)
        #expect(home.state.rows.count == 20)
        #expect(!home.state.isRefreshing)
        #expect(home.events == [.notice(.failed(.busy))])
        home.send(.reachedEnd, for: 150)
        #expect(home.state.rows.count == 40)
    }

    @Test("a home screen whose page, refresh or like is cancelled shows what it showed before, and does it again")
    func cancelled() {
        let home = loaded()
        home.send(.refreshed, cancelledAfter: 50)
        #expect(!home.state.isRefreshing && home.state.rows.count == 20)
        home.send(.reachedEnd, cancelledAfter: 50)
        #expect(home.state.footer == .more && home.state.rows.count == 20)
        home.send(.reachedEnd, for: 150)
        #expect(home.state.rows.count == 40)
        let id = home.state.rows[0].id
        home.send(.likeTapped(id), cancelledAfter: 50)
        #expect(home.state.rows[0].like.isLiked == false)
        home.send(.likeTapped(id), for: 150)
        #expect(home.state.rows[0].like.isLiked)
        home.send(.refreshed, for: 150)
        #expect(home.state.rows.count == 20 && !home.state.isRefreshing)
    }

    @Test("a home screen whose first page fails shows the failure, and a retry loads it")
    func retry() {
        world.fail("first")
        let home = loaded()
        #expect(home.state.content == .failed(.busy))
        world.fail()
        home.send(.retryTapped, for: 50)
        #expect(home.state.content == .skeleton)
        home.pass(100)
        #expect(home.state.rows.count == 20)
    }

    @Test("a next page of the home screen that fails is shown below the rows, and a retry loads it")
    func retryOfANextPage() {
        let home = loaded()
        world.fail("page")
        home.send(.reachedEnd, for: 150)
        #expect(home.state.rows.count == 20)
        #expect(home.state.footer == .failed(.busy))
        home.send(.reachedEnd, for: 150)
        #expect(world.calls == ["first", "page"])
        world.fail()
        home.send(.retryTapped, for: 150)
        #expect(home.state.rows.count == 40)
    }

    @Test("filters that change while a page of the home screen is loading drop that page")
    func filterWhilePaging() {
        let home = loaded()
        home.send(.reachedEnd, for: 50)
        home.send(.filter(.chipTapped(.region)), .filter(.optionTapped(.region(.seoul))), .filter(.applied), for: 50)
        #expect(home.state.content == .skeleton)
        #expect(world.cancelled == ["page"])
        home.pass(100)
        #expect(home.state.rows.map(\.trip.title.text) == (26...45).reversed().map { "Trip \($0)" })
    }

    @Test("a search of the home screen without results is empty")
    func empty() {
        let home = home(TripCriteria(regions: [.jeju]))
        home.send(.appeared, for: 150)
        #expect(home.state.content == .empty)
        home.send(.refreshed, for: 50)
        #expect(home.state.content == .empty)
    }

    @Test("a refresh of the home screen that fails is not shown as an empty result, and a retry repeats it")
    func failedRefreshWithoutRows() {
        let home = home(TripCriteria(regions: [.jeju]))
        home.send(.appeared, for: 150)
        world.fail("first")
        home.send(.refreshed, for: 150)
        #expect(home.state.content == .failed(.busy))
        #expect(home.events == [])
        world.fail()
        home.send(.retryTapped, for: 150)
        #expect(home.state.content == .empty)
        #expect(world.calls == ["first", "first", "first"])
    }

    @Test("a home screen whose rows were all removed shows why the next page failed")
    func failedNextPageWithoutRows() {
        let home = loaded()
        world.fail("page", "first")
        home.send(.reachedEnd, for: 150)
        for id in home.state.rows.map(\.id) { home.send(.returned(.removedTrip(id))) }
        #expect(home.state.content == .failed(.busy))
        home.send(.refreshed, for: 50)
        #expect(home.state.content == .skeleton)
        home.pass(100)
        #expect(home.state.content == .failed(.busy))
    }

    @Test("a home screen whose rows were all removed loads the next page by itself")
    func nextPageWithoutRows() {
        let home = loaded()
        for id in home.state.rows.map(\.id) { home.send(.returned(.removedTrip(id))) }
        #expect(home.state.content == .skeleton)
        #expect(home.state.footer == .loading)
        home.pass(150)
        #expect(home.state.rows.map(\.trip.title.text) == (6...25).reversed().map { "Trip \($0)" })
        #expect(world.calls == ["first", "page"])
    }

    @Test("a trip that is added elsewhere appears on the home screen, and moves nothing behind the first page")
    func liveAddition() {
        let home = loaded()
        home.send(.reachedEnd, for: 150)
        world.change { $0.append(.sample(46)) }
        #expect(home.state.rows.map(\.trip.title.text) == (6...46).reversed().map { "Trip \($0)" })
        home.send(.reachedEnd, for: 150)
        #expect(home.state.rows.map(\.trip.title.text) == (1...46).reversed().map { "Trip \($0)" })
    }

    @Test("a trip that is deleted elsewhere leaves the home screen")
    func liveRemoval() {
        let home = loaded()
        world.change { trips in trips.removeAll { $0.id == Trip.ID(seed: 40) } }
        let left = (25...45).reversed().filter { $0 != 40 }
        #expect(home.state.rows.map(\.trip.title.text) == left.map { "Trip \($0)" })
        world.change { $0 = [] }
        #expect(home.state.content == .empty)
    }

    @Test("leaving the home screen cancels its requests")
    func dismissal() {
        let home = home()
        home.send(.appeared, for: 50)
        home.dismiss()
        home.pass(100)
        #expect(world.cancelled == ["first"])
        #expect(home.received.count == 1)
        world.scheduler.expectIdle()
    }

    @Test("signing out empties the home screen immediately and loads it without a viewer")
    func signOut() {
        let home = loaded()
        home.send(.likeTapped(Trip.ID(seed: 45)), for: 50)
        world.scheduler.perform { world.user.accept(nil) }
        #expect(home.state.content == .skeleton)
        #expect(home.state.user == nil)
        home.pass(150)
        #expect(world.cancelled == ["like"])
        #expect(home.state.rows.first?.like == .init(isLiked: false, count: 0))
        #expect(world.calls == ["first", "like", "first"])
    }

    @Test("a session that stays the same loads nothing again")
    func sameSession() {
        let home = loaded()
        world.scheduler.perform { world.user.accept(Person.mina) }
        home.pass(150)
        #expect(world.calls == ["first"])
    }

    @Test("a list of the user's trips waits until the user is known, and empties when they sign out")
    func scopes() {
        let user = PublishRelay<User?>()
        let mine = ScreenRun(
            on: world.scheduler, HomeFlow(world.useCases, user: user.asObservable(), scope: .mine))
        mine.send(.appeared, .appeared, .refreshed, .filter(.sortPicked(.mostLiked)), for: 150)
        #expect(mine.state.content == .skeleton)
        #expect(world.calls.isEmpty)
        world.scheduler.perform { user.accept(Person.mina) }
        #expect(mine.state.trips.query == TripCriteria(author: Person.mina.id, sort: .mostLiked))
        mine.pass(150)
        #expect(mine.state.rows.count == 20)
        world.scheduler.perform { user.accept(nil) }
        #expect(mine.state.content == .skeleton)
        mine.pass(150)
        #expect(world.calls == ["first"])
        world.scheduler.perform { user.accept(Person.jun) }
        #expect(mine.state.trips.query?.author == Person.jun.id)

        let liked = ScreenRun(
            on: world.scheduler, HomeFlow(world.useCases, user: world.user.asObservable(), scope: .liked))
        liked.send(.appeared)
        #expect(liked.state.trips.query == TripCriteria(likedBy: Person.mina.id))
        #expect(liked.state.criteria == TripCriteria())
    }

    @Test("rows and buttons of the home screen open other screens, and a removed trip leaves the list")
    func navigation() {
        let home = loaded()
        let id = Trip.ID(seed: 45)
        home.send(.tripTapped(id), .writeTapped, .myPageTapped, .settingsTapped)
        #expect(home.events == [.open(.trip(id)), .open(.newTrip), .open(.myPage), .open(.settings)])
        home.send(.returned(.removedTrip(id)), .returned(.savedTrip(id)))
        #expect(home.state.rows.first?.id == Trip.ID(seed: 44))
    }

    @Test("a sheet that is closed, and answers to a closed field, request nothing")
    func ignored() {
        FlowSpec(HomeFlow(.silent, user: .never()))
            .when(
                .filter(.applied), .filter(.closed), .filter(.sheetCleared), .filter(.optionTapped(.region(.busan))),
                .refreshed,
                .reachedEnd, .retryTapped, .search(.suggested("", .success(.recent([])))), .filter(.cleared),
                .search(.keywordsSaved(.done))
            ).then()
    }
}

extension HomeFlow.State {
    /// The rows; empty for skeleton rows and failures.
    var rows: IdentifiedRows<TripCard> { if case .rows(let rows) = content { rows } else { [] } }
}

@Suite("Home: likes", .limitedConcurrency)
struct HomeLikeTests {
    private let world = HomeWorld()
    private let home: ScreenRun<HomeFlow>
    private let id = Trip.ID(seed: 45)

    init() {
        home = ScreenRun(on: world.scheduler, HomeFlow(world.useCases, user: world.user.asObservable()))
        home.send(.appeared, for: 150)
    }

    private var like: TripCard.Like? { home.state.rows.first { $0.id == id }?.like }

    @Test("a like shows immediately and is stored")
    func stored() {
        home.send(.likeTapped(id))
        #expect(like == .init(isLiked: true, count: 1))
        home.pass(150)
        #expect(like == .init(isLiked: true, count: 1))
        #expect(world.calls == ["first", "like"])
    }

    @Test("a like that the store refuses rolls back and says why")
    func rollBack() {
        world.fail("like")
        home.send(.likeTapped(id), for: 50)
        #expect(like == .init(isLiked: true, count: 1))
        home.pass(100)
        #expect(like == .init(isLiked: false, count: 0))
        #expect(home.events == [.notice(.failed(.busy))])
    }

    @Test("of several quick taps on a like the last one wins, with one request at a time")
    func quickTaps() {
        home.send(.likeTapped(id), .likeTapped(id), .likeTapped(id), .likeTapped(id))
        #expect(like == .init(isLiked: false, count: 0))
        home.pass(50)
        #expect(world.calls == ["first", "like"])
        home.pass(200)
        #expect(world.calls == ["first", "like", "unlike"])
        #expect(like == .init(isLiked: false, count: 0))
    }

    @Test("a like that fails after the user took it back is no failure")
    func takenBack() {
        world.fail("like")
        home.send(.likeTapped(id), .likeTapped(id), for: 150)
        #expect(like == .init(isLiked: false, count: 0))
        #expect(home.events.isEmpty)
        #expect(world.calls == ["first", "like"])
    }

    @Test("a like survives a refresh that arrives before it is stored")
    func refreshMeanwhile() {
        home.send(.refreshed, for: 50)
        home.send(.likeTapped(id), for: 60)
        #expect(!home.state.isRefreshing)
        #expect(like == .init(isLiked: true, count: 1))
        home.pass(100)
        #expect(like == .init(isLiked: true, count: 1))
    }

    @Test("a like that a newer page already contains is not counted twice")
    func pageMeanwhile() {
        home.send(.likeTapped(id), for: 50)
        world.change { $0[0] = $0[0].liked(true, 8) }
        #expect(like == .init(isLiked: true, count: 8))
        home.pass(100)
        #expect(like == .init(isLiked: true, count: 8))
    }

    @Test("a row that leaves the first page of the most liked ones, because its like was taken back, stays behind it")
    func leavesTheFirstPage() {
        let last = Trip.ID(seed: 26)
        world.change { trips in
            for index in 0..<21 {
                let id = trips[index].id
                trips[index] = trips[index].liked(id == last, id == last ? 6 : index == 20 ? 4 : 5)
            }
        }
        home.send(.filter(.sortPicked(.mostLiked)), for: 150)
        home.send(.reachedEnd, for: 150)
        #expect(home.state.rows.first?.id == last)
        home.send(.likeTapped(last), for: 150)
        world.change { trips in trips[20] = trips[20].liked(false, 6) }
        #expect(home.state.rows.first?.id == Trip.ID(seed: 25))
        #expect(home.state.rows[20].id == last)
        #expect(home.state.rows[20].like == .init(isLiked: false, count: 5))
    }

    @Test("a like that fails after a refresh rolls back to the refreshed row")
    func rollBackAfterRefresh() {
        world.fail("like")
        home.send(.likeTapped(id), for: 50)
        world.change { $0[0] = $0[0].liked(false, 7) }
        #expect(like == .init(isLiked: true, count: 8))
        home.pass(100)
        #expect(like == .init(isLiked: false, count: 7))
    }

    @Test(
        "whatever is tapped, refreshed, changed and refused, the home screen ends with the stored likes",
        arguments: 1...20)
    func randomTaps(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            let id = Trip.ID(seed: .random(in: 42...45, using: &random))
            switch Int.random(in: 0..<10, using: &random) {
            case 0...4: home.send(.likeTapped(id))
            case 5: home.send(.refreshed)
            case 6: home.send(.filter(.sortPicked(Bool.random(using: &random) ? .newest : .mostLiked)))
            case 7: Bool.random(using: &random) ? world.fail("like", "first") : world.fail("unlike")
            case 8: world.fail()
            default: world.change { $0[1] = $0[1].liked($0[1].isLiked, $0[1].likeCount + ($0[1].isLiked ? 0 : 1)) }
            }
            home.pass(.random(in: 0...150, using: &random))
        }
        world.fail()
        home.send(.filter(.sortPicked(.newest)), .retryTapped, for: 1_000)
        world.change { _ in }
        for card in home.state.rows { #expect(card.like == world.likes[card.id]) }
        #expect(home.state.rows.count == 20)
    }

    @Test("a like without a signed-in user asks to sign in")
    func signedOut() {
        world.scheduler.perform { world.user.accept(nil) }
        home.pass(150)
        home.send(.likeTapped(id), for: 150)
        #expect(home.events == [.open(.signIn)])
        #expect(!world.calls.contains("like"))
    }

    @Test("a like of a row that has left does nothing")
    func absentRow() {
        home.send(.likeTapped(Trip.ID(seed: 99)), for: 150)
        #expect(world.calls == ["first"])
        home.send(.likeTapped(id), .returned(.removedTrip(id)), for: 150)
        #expect(like == nil)
        #expect(home.events.isEmpty)
    }
}
