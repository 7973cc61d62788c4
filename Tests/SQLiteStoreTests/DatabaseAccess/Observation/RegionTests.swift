import DatabaseAccess
import Testing

@Suite("What commits change and fetches read")
struct RegionTests {
    @Test("topics overlap if they have one in common, with the same case")
    func topics() {
        let read = Region(topics: ["cities", "Visits"])
        #expect(Region(topics: ["visitors", "Visits"]).overlaps(read))
        #expect(!Region(topics: ["visits", "Cities"]).overlaps(read))
        #expect(!Region(topics: []).overlaps(read))
    }

    @Test("tables and columns overlap regardless of case")
    func tables() {
        var (read, written) = (Region(), Region())
        read.insert(table: "Cities", column: "Name")
        written.insert(table: "cities", column: "population")
        #expect(!written.overlaps(read))
        written.insert(table: "CITIES", column: "name")
        #expect(written.overlaps(read))
        written = Region()
        written.insert(table: "cities")
        #expect(written.overlaps(read))
    }

    @Test("everything overlaps all that is not empty")
    func everything() {
        for other in [Region(topics: ["cities"]), .everything] {
            #expect(Region.everything.overlaps(other))
            #expect(other.overlaps(.everything))
        }
        #expect(!Region.everything.overlaps(Region()))
        #expect(Region().isEmpty)
        #expect(!Region.everything.isEmpty)
    }
}
