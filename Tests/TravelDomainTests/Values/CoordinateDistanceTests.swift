import Testing
import TravelDomain

@Suite("Distance between coordinates")
struct CoordinateDistanceTests {
    /// A quarter of the circumference of a sphere of the mean earth radius, in metres.
    private static let quarter = 10_007_557.2

    @Test(
        "known distances, in metres",
        arguments: [
            ((0.0, 0.0), (0.0, 0.0), 0.0),
            ((0, 0), (0, 90), quarter),
            ((-90, 0), (0, 0), quarter),
            ((90, 0), (-90, 0), 2 * quarter),
            ((0, 0), (0, 180), 2 * quarter),
            ((37.5, 127), (38.5, 127), quarter / 90),
            ((60, 126), (60, 127), 55_597.0),
            ((37.5547, 126.9707), (35.1152, 129.0422), 328_630),
        ])
    func knownDistances(from: (Double, Double), to: (Double, Double), meters: Double) throws {
        let a = try Coordinate(latitude: from.0, longitude: from.1)
        let b = try Coordinate(latitude: to.0, longitude: to.1)
        #expect(abs(a.distance(to: b) - meters) <= max(meters * 0.001, 0.000_001))
        #expect(abs(a.distance(to: b) - b.distance(to: a)) < 0.000_001)
    }

    @Test("distances across the date line are correct")
    func acrossTheDateLine() throws {
        let a = try Coordinate(latitude: 0, longitude: 179.995)
        let b = try Coordinate(latitude: 0, longitude: -179.995)
        #expect(abs(a.distance(to: b) - 1_112) < 1)
    }

    @Test("distances of one centimetre are resolved")
    func smallDistances() throws {
        let a = try Coordinate(latitude: 33.4586, longitude: 126.9425)
        let b = try Coordinate(latitude: 33.4586 + 0.000_000_1, longitude: 126.9425)
        #expect(abs(a.distance(to: b) - 0.0111) < 0.0001)
    }
}
