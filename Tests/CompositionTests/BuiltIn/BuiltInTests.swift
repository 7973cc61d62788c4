import Composition
import Foundation
import Testing

@Suite("Built-in dependencies")
struct BuiltInTests {
    private static let live = withDependencies {
        $0.context = .live
    } operation: {
        DependencyValues.current
    }

    @Test("the live built-in dependencies are those of the system")
    func live() async throws {
        let live = Self.live
        #expect(abs(live.date.now.timeIntervalSinceNow) < 3600)
        #expect(live.uuid() != live.uuid())
        #expect(live.calendar == .autoupdatingCurrent)
        #expect(live.clock is ContinuousClock)
        #expect(live.random { $0.next() } != live.random { $0.next() })
    }

    @Test("a constant date is the same by `now` and by call")
    func constantDate() {
        let moment = Date(timeIntervalSince1970: 1_000_000)
        let date = DateGenerator.constant(moment)
        #expect(date.now == moment)
        #expect(date() == moment)
    }

    @Test("incrementing identifiers count in hexadecimal from 0, separately for each generator")
    func incrementingIdentifiers() {
        let uuid = UUIDGenerator.incrementing
        let made = (0..<258).map { _ in uuid().uuidString }
        #expect(made[0] == "00000000-0000-0000-0000-000000000000")
        #expect(made[1] == "00000000-0000-0000-0000-000000000001")
        #expect(made[257] == "00000000-0000-0000-0000-000000000101")
        #expect(UUIDGenerator.incrementing().uuidString == made[0])
    }

    @Test("incrementing identifiers are unique under concurrent calls")
    func identifiersAreUnique() async {
        let uuid = UUIDGenerator.incrementing
        let made = await withTaskGroup(of: UUID.self) { group in
            for _ in 0..<1000 { group.addTask { uuid() } }
            return await group.reduce(into: Set<UUID>()) { $0.insert($1) }
        }
        #expect(made.count == 1000)
    }

    @Test("a constant identifier stays the same")
    func constantIdentifier() {
        let id = UUID()
        let uuid = UUIDGenerator.constant(id)
        #expect([uuid(), uuid()] == [id, id])
    }

    @Test("a seeded source has the same sequence for the same seed, and its copies share one sequence")
    func seededSource() {
        func rolls(_ random: RandomSource, _ count: Int) -> [Int] {
            (0..<count).map { _ in random { Int.random(in: 1...6, using: &$0) } }
        }
        let all = rolls(.seeded(7), 20)
        #expect(Set(all) == [1, 2, 3, 4, 5, 6])
        #expect(rolls(.seeded(7), 20) == all)
        #expect(rolls(.seeded(8), 20) != all)
        let random = RandomSource.seeded(7)
        let copy = random
        #expect(rolls(random, 10) + rolls(copy, 10) == all)
    }

    @Test("a seeded source follows the published SplitMix64 sequence")
    func publishedNumbers() {
        let random = RandomSource.seeded(1_234_567)
        let numbers = (0..<3).map { _ in random { $0.next() } }
        #expect(numbers == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
    }

    @Test("a random source returns the result and rethrows the error of its closure")
    func randomClosures() {
        struct Failure: Error {}
        let random = RandomSource { 0 }
        #expect(random { ["a", "b"].shuffled(using: &$0) }.count == 2)
        #expect(throws: Failure.self) { try random { _ in throw Failure() } }
    }
}
