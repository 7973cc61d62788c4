import Foundation
import Testing
import TestConcurrency
@testable import TravelDataFiles
import TravelDomain
import TravelDomainTesting
import TravelFileSamples

@Suite("Trip JSON", .limitedConcurrency)
struct TravelJSONTests {
    @Test("trips are equal after writing and reading JSON, whatever they contain", arguments: 0..<40 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var generated = GeneratedTrips(seed: seed)
        let trips = try (0..<Int(seed % 4)).map { _ in try generated.exported() }
        let file = try TravelJSONWriter().data(for: trips)
        let read = try TravelJSONReader().trips(in: file)
        #expect(read == trips)
        // Strings are equal when they are canonically equivalent; files keep every code point.
        let scalars = { (trips: [ExportedTrip]) in
            trips.flatMap {
                $0.trip.timeline.map { Array($0.title.text.unicodeScalars + $0.text.text.unicodeScalars) }
            }
        }
        #expect(scalars(read) == scalars(trips))
        #expect(try TravelJSONWriter().data(for: read) == file)
    }

    @Test("every trait of a trip is equal after writing and reading JSON")
    func traits() throws {
        for headcount in Headcount.allCases {
            var builder = try TripBuilder(seed: 1)
            builder.headcount = headcount
            builder.themes = Set(Theme.allCases)
            builder.companions = Set(Companion.allCases)
            builder.budget = Budget.allCases[headcount.rawValue % Budget.allCases.count]
            builder.transportation = Transportation.allCases[headcount.rawValue % 2]
            builder.region = Region.allCases[headcount.rawValue]
            let trip = try ExportedTrip(builder.build(), images: [])
            #expect(try TravelJSONReader().trips(in: TravelJSONWriter().data(for: [trip])) == [trip])
        }
    }

    @Test("a trip file may begin with a byte order mark and contain unknown keys")
    func extras() throws {
        let trip = try ExportedTrip(TripBuilder(seed: 1).build(), images: [])
        let text = String(decoding: try TravelJSONWriter().data(for: [trip]), as: UTF8.self)
        let changed = "\u{FEFF}" + text.replacingOccurrences(of: "\"region\"", with: "\"new\": [1, {}], \"region\"")
        #expect(changed != text)
        #expect(try TravelJSONReader().trips(in: Data(changed.utf8)) == [trip])
    }

    @Test("a trip file from before version 0.1, with another key for its trips, is read")
    func earlierKey() throws {
        let trip = try ExportedTrip(TripBuilder(seed: 1).build(), images: [])
        let text = String(decoding: try TravelJSONWriter().data(for: [trip]), as: UTF8.self)
        let earlier = text.replacingOccurrences(of: "\"trips\"", with: "\"travels\"")
        #expect(earlier != text)
        #expect(try TravelJSONReader().trips(in: Data(earlier.utf8)) == [trip])
    }

    @Test("an exported trip has exactly the images that it shows, and requires all of them")
    func images() throws {
        let (shown, other) = (try TripImage(seed: 1), try TripImage(seed: 2))
        let trip = try TripBuilder(seed: 1).with { $0.thumbnail = shown.id }.build()
        #expect(try ExportedTrip(trip, images: [other, shown]).images == [shown])
        #expect(throws: TravelError.notFound(.image(shown.id))) { try ExportedTrip(trip, images: [other]) }
        #expect(throws: TravelError.conflict(.image(shown.id))) { try ExportedTrip(trip, images: [shown, shown]) }
    }

    @Test("a damaged trip file is read or throws, but never crashes", arguments: 0..<12 as Range<UInt64>)
    func damage(seed: UInt64) throws {
        var generated = GeneratedTrips(seed: seed)
        let file = try TravelJSONWriter().data(for: [generated.exported(), generated.exported()])
        for _ in 0..<25 {
            let damaged = generated.damaged(file)
            do {
                _ = try TravelJSONReader().trips(in: damaged)
            } catch {
                #expect(!error.description.isEmpty && error.description.allSatisfy { !$0.isNewline })
            }
        }
    }

    @Test("a trip file that is cut at any byte throws truncated")
    func truncation() throws {
        let trip = try ExportedTrip(TripBuilder(seed: 1).build(), images: [])
        let file = try TravelJSONWriter().data(for: [trip])
        for length in 1..<file.count - 2 {
            let error = #expect(throws: TravelFileError.self) {
                try TravelJSONReader().trips(in: file.prefix(length))
            }
            #expect(error?.problem == .truncated)
        }
    }

    @Test("a trip file above the size limit throws before it is parsed")
    func size() throws {
        let file = try TravelJSONWriter().data(for: [])
        #expect(try TravelJSONReader(maximumSize: file.count).trips(in: file) == [])
        #expect(throws: TravelFileError(.tooLarge(maximumBytes: file.count - 1))) {
            try TravelJSONReader(maximumSize: file.count - 1).trips(in: file)
        }
    }

    @Test("trips are read from a file, and a file that cannot be opened throws with the reason")
    func files() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "trips-\(UUID()).json")
        defer { try? FileManager.default.removeItem(at: url) }  // The system eventually empties that directory.
        let trip = try ExportedTrip(TripBuilder(seed: 1).build(), images: [])
        try TravelJSONWriter().data(for: [trip]).write(to: url)
        #expect(try TravelJSONReader().trips(at: url) == [trip])
        let missing = url.appending(path: "inside")
        #expect(throws: TravelFileError(.unreadable("there is no such file"))) {
            try TravelJSONReader().trips(at: missing)
        }
    }
}
