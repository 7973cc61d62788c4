import StreamsTesting
import TestTurns
import Testing
import TravelDomainTesting

@testable import TravelPresentation

@Suite("Home: likes", .takesTurns)
struct HomeLikeTests {
    private let world = HomeWorld()
    private let home: ScreenRun<HomeFlow>
    private let id = Travel.ID(seed: 45)

    init() {
        home = ScreenRun(on: world.scheduler, HomeFlow(world.useCases, person: world.person.asObservable()))
        home.send(.appeared, for: 150)
    }

    private var like: TravelCard.Like? { home.state.rows.first { $0.id == id }?.like }

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

    @Test("a like that fails after the person took it back is no failure")
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
        let last = Travel.ID(seed: 26)
        world.change { travels in
            for index in 0..<21 {
                let id = travels[index].id
                travels[index] = travels[index].liked(id == last, id == last ? 6 : index == 20 ? 4 : 5)
            }
        }
        home.send(.sortPicked(.mostLiked), for: 150)
        home.send(.reachedEnd, for: 150)
        #expect(home.state.rows.first?.id == last)
        home.send(.likeTapped(last), for: 150)
        world.change { travels in travels[20] = travels[20].liked(false, 6) }
        #expect(home.state.rows.first?.id == Travel.ID(seed: 25))
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
            let id = Travel.ID(seed: .random(in: 42...45, using: &random))
            switch Int.random(in: 0..<10, using: &random) {
            case 0...4: home.send(.likeTapped(id))
            case 5: home.send(.refreshed)
            case 6: home.send(.sortPicked(Bool.random(using: &random) ? .newest : .mostLiked))
            case 7: Bool.random(using: &random) ? world.fail("like", "first") : world.fail("unlike")
            case 8: world.fail()
            default: world.change { $0[1] = $0[1].liked($0[1].isLiked, $0[1].likeCount + ($0[1].isLiked ? 0 : 1)) }
            }
            home.pass(.random(in: 0...150, using: &random))
        }
        world.fail()
        home.send(.sortPicked(.newest), .retryTapped, for: 1_000)
        world.change { _ in }
        for card in home.state.rows { #expect(card.like == world.likes[card.id]) }
        #expect(home.state.rows.count == 20)
    }

    @Test("a like without a signed-in person asks to sign in")
    func signedOut() {
        world.scheduler.perform { world.person.accept(nil) }
        home.pass(150)
        home.send(.likeTapped(id), for: 150)
        #expect(home.events == [.open(.signIn)])
        #expect(!world.calls.contains("like"))
    }

    @Test("a like of a row that has left does nothing")
    func absentRow() {
        home.send(.likeTapped(Travel.ID(seed: 99)), for: 150)
        #expect(world.calls == ["first"])
        home.send(.likeTapped(id), .returned(.removedTravel(id)), for: 150)
        #expect(like == nil)
        #expect(home.events.isEmpty)
    }
}
