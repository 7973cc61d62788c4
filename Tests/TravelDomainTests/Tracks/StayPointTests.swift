import Foundation
import Testing
import TravelDomain

@Suite("Stays")
struct StayTests {
    /// Steps at intervals of one minute, at these distances north in metres.
    private func stays(_ norths: [Double], every minutes: Double = 1) throws -> [StayPoint] {
        StayPoint.all(
            in: try norths.enumerated().map { number, north in
                TimedTrack.Step(
                    coordinate: try Walk.place(north: north),
                    time: Walk.morning.addingTimeInterval(Double(number) * minutes * 60))
            })
    }

    private let approach = [-900.0, -600, -300]
    private let departure = [300.0, 600, 900]

    @Test("a stay lasts at least 15 minutes within 100 metres")
    func minimum() throws {
        #expect(try stays(approach + [Double](repeating: 0, count: 15) + departure).isEmpty)
        let stays = try stays(approach + [Double](repeating: 0, count: 16) + departure)
        #expect(stays.map(\.steps) == [3..<19])
        #expect(stays.map(\.duration) == [15 * 60])
        #expect(stays.map { Walk.minutes($0.arrival) } == [3])
    }

    @Test("a stay is at the mean of its points")
    func centre() throws {
        let stay = try #require(try stays(approach + [0, 40, 80, 40], every: 10).first)
        #expect(try stay.centre.distance(to: Walk.place(north: 40)) < 1)
    }

    @Test("a stay can consist of two points only, if the recorder paused")
    func pause() throws {
        #expect(try stays([0, 300, 320, 700], every: 40).map(\.steps) == [1..<3])
    }

    @Test("outliers do not interrupt a stay")
    func strayFixes() throws {
        let still = [Double](repeating: 0, count: 10)
        #expect(try stays(approach + still + [400] + still + departure, every: 0.9).map(\.steps) == [3..<24])
    }

    @Test("leaving a place ends a stay, even if the traveller returns")
    func return_() throws {
        let still = [Double](repeating: 0, count: 20)
        let stays = try stays(still + [300, 600, 300] + still)
        #expect(stays.map(\.steps) == [0..<20, 23..<43])
    }

    @Test("a continuous walk has no stays, however slow it is")
    func slowWalk() throws {
        #expect(try stays((0..<200).map { Double($0) * 10 }).isEmpty)
    }

    @Test("stays are found across the date line")
    func dateLine() throws {
        let steps = try [179.9999, -179.9999, 179.9999, -179.9999].enumerated().map { number, longitude in
            TimedTrack.Step(
                coordinate: try Coordinate(latitude: 0, longitude: longitude),
                time: Walk.morning.addingTimeInterval(Double(number) * 600))
        }
        let stays = StayPoint.all(in: steps)
        #expect(stays.map(\.steps) == [0..<4])
        #expect(stays.allSatisfy { abs($0.centre.longitude) > 179.99 })
    }

    @Test("a track without steps has no stays")
    func none() {
        #expect(StayPoint.all(in: []).isEmpty)
    }
}
