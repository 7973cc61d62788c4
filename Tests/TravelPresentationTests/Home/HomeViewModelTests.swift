import StreamsTesting
import TestTurns
import Testing
import TravelDataInMemory
import TravelPresentation

@Suite("Home", .takesTurns)
struct HomeViewModelTests {
    @Test("the home screen shows skeleton rows, then the first page, and the next page when the end is reached")
    func scrolling() throws {
        let screen = try HomeScreen(answers: [.page(20, hasMore: true), .page(5, hasMore: false)])
        screen.search(at: 10, TravelCriteria())
        screen.reachEnd(at: 500)
        #expect(screen.run() == ["10 loading 0", "110 loaded 20+", "500 loading 20+", "600 loaded 25"])
    }

    @Test("reaching the end of the home screen while a page is loading requests nothing")
    func oneLoadOfAPage() throws {
        let screen = try HomeScreen(answers: [.page(20, hasMore: true), .page(20, hasMore: true)])
        screen.search(at: 10, TravelCriteria())
        for tick in [50, 500, 510, 550] { screen.reachEnd(at: tick) }
        #expect(screen.run() == ["10 loading 0", "110 loaded 20+", "500 loading 20+", "600 loaded 40+"])
        #expect(screen.travels.requests == 2)
    }

    @Test("a new search of the home screen replaces the one before, whose late answer is not shown")
    func newestSearchWins() throws {
        let screen = try HomeScreen(answers: [.page(20, hasMore: true), .page(3, hasMore: false)])
        screen.search(at: 10, TravelCriteria())
        screen.search(at: 60, TravelCriteria(regions: [.jeju]))
        #expect(screen.run() == ["10 loading 0", "60 loading 0", "160 loaded 3"])
    }

    @Test("the home screen of a search without results is empty")
    func nothingFound() throws {
        let screen = try HomeScreen(answers: [.page(0, hasMore: false)])
        screen.search(at: 10, TravelCriteria(keyword: Keyword("x")))
        #expect(screen.run() == ["10 loading 0", "110 empty"])
    }

    @Test("a retry of the home screen requests the failed page again, and keeps the rows")
    func retry() throws {
        let screen = try HomeScreen(answers: [.page(20, hasMore: true), .failure, .page(4, hasMore: false)])
        screen.search(at: 10, TravelCriteria())
        screen.reachEnd(at: 200)
        screen.retry(at: 400)
        #expect(
            screen.run() == [
                "10 loading 0", "110 loaded 20+", "200 loading 20+", "300 failed 20+, retry", "400 loading 20+",
                "500 loaded 24",
            ])
    }

    @Test("a refresh of the home screen loads the first page of the latest search")
    func refresh() throws {
        let screen = try HomeScreen(answers: [.page(20, hasMore: true), .page(7, hasMore: false)])
        screen.search(at: 10, TravelCriteria())
        screen.refresh(at: 300)
        #expect(screen.run() == ["10 loading 0", "110 loaded 20+", "300 loading 0", "400 loaded 7"])
    }

    @Test("a failed refresh of the home screen keeps the rows, and the next page still loads")
    func failedRefresh() throws {
        let screen = try HomeScreen(answers: [.page(20, hasMore: true), .failure, .page(5, hasMore: false)])
        screen.search(at: 10, TravelCriteria())
        screen.refresh(at: 300)
        screen.reachEnd(at: 500)
        #expect(
            screen.run() == [
                "10 loading 0", "110 loaded 20+", "300 loading 0", "400 failed 20+, retry", "500 loading 20+",
                "600 loaded 25",
            ])
    }

    @Test("the home screen loads nothing before a subscription, and its disposal cancels the loading page")
    func disposal() throws {
        let screen = try HomeScreen(answers: [.page(20, hasMore: true)])
        #expect(screen.travels.requests == 0)
        screen.search(at: 10, TravelCriteria())
        screen.leave(at: 50)
        #expect(screen.run() == ["10 loading 0"])
        #expect(screen.travels.cancellations == 1)
        screen.scheduler.expectIdle()
    }
}
