import Foundation
import Testing
import TravelDomain

@Suite("The fingerprint of a recording")
struct TrackFingerprintTests {
    @Test(
        "the fingerprint of a track is its 128-bit FNV-1a hash",
        arguments: [
            ("", 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d),
            ("a", 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964),
            ("foobar", 0x343e_1662_793c_64bf_6f0d_3597_ba44_6f18),
        ] as [(String, UInt128)])
    func hash(text: String, value: UInt128) {
        #expect(TrackFingerprint(of: Array(text.utf8)).value == value)
    }

    @Test("equal tracks have equal fingerprints, and every difference changes it")
    func differences() throws {
        let author = User.ID()
        func track(
            name: String? = "길", waypoints: [Waypoint] = [], routes: [[Waypoint]] = [], _ segments: [[TrackPoint]]
        ) -> TrackFingerprint {
            TrackFingerprint(
                of: Track(name: name, waypoints: waypoints, routes: routes, segments: segments), by: author)
        }
        let point = try Walk.point(0, at: 0)
        let mark = try Walk.mark("샘", 0)
        let plain = track([[point, point]])
        #expect(plain == track([[point, point]]))
        let others = [
            track(name: nil, [[point, point]]), track(name: "길 ", [[point, point]]), track([[point], [point]]),
            track([[point]]), track(waypoints: [mark], [[point, point]]), track(routes: [[mark]], [[point, point]]),
            track(waypoints: [try Walk.mark("샘물", 0)], [[point, point]]),
            track(waypoints: [try Walk.mark("샘", 0, note: "")], [[point, point]]),
            track([[point, try Walk.point(0, at: 0, elevation: 0)]]), track([[point, try Walk.point(0, at: nil)]]),
            track([[point, try Walk.point(0.01, at: 0)]]), track([[point, try Walk.point(0, at: 0.01)]]),
            TrackFingerprint(of: Track(name: "길", segments: [[point, point]]), by: User.ID()),
        ]
        #expect(Set(others + [plain]).count == others.count)  // An empty note equals a missing note.
        #expect(others.allSatisfy { $0 != plain })
    }

    @Test("IDs from a fingerprint are UUIDs of version 8, and those of entries are ordered by number")
    func identities() throws {
        let fingerprint = TrackFingerprint(of: Track(), by: User.ID())
        let entries = (0..<1_000).map { fingerprint.entry($0) }
        #expect(entries == entries.sorted())
        #expect(Set(entries).count == 1_000)
        let texts = entries.map(\.description) + [fingerprint.trip.description]
        #expect(
            texts.allSatisfy { text in
                let characters = Array(text)
                return characters[14] == "8" && "89ab".contains(characters[19])
            })
    }
}
