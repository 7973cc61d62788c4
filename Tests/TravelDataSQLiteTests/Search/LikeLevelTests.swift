import TestTurns
import Testing

@testable import TravelDataSQLite

@Suite("Levels of likes", .takesTurns)
struct LikeLevelTests {
    @Test("levels are monotonic, and the maximum of each level is correct")
    func levelsGoUp() {
        var last = 0
        for likes in 0..<300_000 {
            let level = LikeLevel.level(of: likes)
            if level != last {
                #expect(level == last + 1)
                #expect(LikeLevel.maximumLikes(of: last) == likes - 1)
            }
            last = level
        }
        #expect(last == LikeLevel.last)
        #expect(LikeLevel.level(of: .max) == LikeLevel.last)
        #expect(LikeLevel.maximumLikes(of: LikeLevel.last) == .max)
    }

    @Test("each number of likes below 64 has its own level", arguments: 0..<64)
    func fewLikes(likes: Int) {
        #expect(LikeLevel.level(of: likes) == likes)
        #expect(LikeLevel.maximumLikes(of: likes) == likes)
    }
}
