import Testing
import TravelDomain
import TravelDomainTesting

@Suite("Sample values")
struct SamplesTests {
    @Test("the random numbers of a seed are those of SplitMix64")
    func knownNumbers() {
        var random = SeededGenerator(seed: 1_234_567)
        #expect(
            [random.next(), random.next(), random.next()] == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            ])
    }

    @Test("the same seed gives the same samples, and another seed different ones")
    func samplesFollowFromTheirSeed() throws {
        func travels(seed: UInt64) throws -> [RecordedTravel] {
            var samples = TravelGenerator(seed: seed)
            return try samples.travels(50, by: [samples.person(), samples.person()])
        }
        #expect(try travels(seed: 7) == travels(seed: 7))
        #expect(try travels(seed: 7) != travels(seed: 8))
    }

    @Test("samples contain every value of every filter, and repeated times")
    func samplesAreVaried() throws {
        var samples = TravelGenerator(seed: 1)
        let travels = try samples.travels(1_000, by: [samples.person()])
        #expect(Set(travels.map(\.content.region)) == Set(Region.allCases))
        #expect(Set(travels.flatMap(\.content.themes)) == Set(Theme.allCases))
        #expect(Set(travels.flatMap(\.content.companions)) == Set(Companion.allCases))
        #expect(Set(travels.map(\.content.days.season)) == Set(Season.allCases))
        #expect(Set(travels.map(\.content.days.period)) == Set(Period.allCases))
        #expect(Set(travels.map(\.content.headcount)) == Set(Headcount.allCases + [nil]))
        #expect(Set(travels.map(\.content.budget)) == Set(Budget.allCases + [nil]))
        #expect(Set(travels.map(\.content.transportation)) == Set(Transportation.allCases + [nil]))
        #expect(Set(travels.map(\.createdAt)).count < travels.count)
        #expect(Set(travels.map(\.id)).count == travels.count)
    }

    @Test("a builder builds the travel of its seed with the changed parts")
    func buildersFollowFromTheirSeed() throws {
        let builder = try TravelBuilder(seed: 3)
        let changed = builder.with { $0.region = .jeju }
        #expect(try builder.build() == TravelBuilder(seed: 3).build())
        #expect(try changed.build().content.region == .jeju)
        #expect(try changed.build().id == Travel.ID(seed: 3))
        #expect(throws: TravelError.self) { try builder.with { $0.title = "" }.build() }
    }

    @Test("IDs of different seeds differ and are UUIDs of version 4")
    func identitiesFollowFromTheirSeed() {
        let ids = (0..<1_000).map { Travel.ID(seed: $0) }
        #expect(Set(ids).count == 1_000)
        #expect(ids.allSatisfy { Array($0.description)[14] == "4" && "89ab".contains(Array($0.description)[19]) })
        #expect(ids[7] == Travel.ID(seed: 7))
    }
}
