import Foundation
import Testing
import TestTurns
@testable import TravelDataFiles
import TravelDomain
import TravelDomainTesting

@Suite("Travel JSON", .takesTurns)
struct TravelJSONTests {
    @Test("travels are equal after writing and reading JSON, whatever they contain", arguments: 0..<40 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var generated = GeneratedTravels(seed: seed)
        let travels = try (0..<Int(seed % 4)).map { _ in try generated.exported() }
        let file = try TravelJSONWriter().data(for: travels)
        let read = try TravelJSONReader().travels(in: file)
        #expect(read == travels)
        // Strings are equal when they are canonically equivalent; files keep every code point.
        let scalars = { (travels: [ExportedTravel]) in
            travels.flatMap {
                $0.travel.timeline.map { Array($0.title.text.unicodeScalars + $0.text.text.unicodeScalars) }
            }
        }
        #expect(scalars(read) == scalars(travels))
        #expect(try TravelJSONWriter().data(for: read) == file)
    }

    @Test("every trait of a travel is equal after writing and reading JSON")
    func traits() throws {
        for headcount in Headcount.allCases {
            var builder = try TravelBuilder(seed: 1)
            builder.headcount = headcount
            builder.themes = Set(Theme.allCases)
            builder.companions = Set(Companion.allCases)
            builder.budget = Budget.allCases[headcount.rawValue % Budget.allCases.count]
            builder.transportation = Transportation.allCases[headcount.rawValue % 2]
            builder.region = Region.allCases[headcount.rawValue]
            let travel = try ExportedTravel(builder.build(), images: [])
            #expect(try TravelJSONReader().travels(in: TravelJSONWriter().data(for: [travel])) == [travel])
        }
    }

    @Test("a travel file may begin with a byte order mark and contain unknown keys")
    func extras() throws {
        let travel = try ExportedTravel(TravelBuilder(seed: 1).build(), images: [])
        let text = String(decoding: try TravelJSONWriter().data(for: [travel]), as: UTF8.self)
        let changed = "\u{FEFF}" + text.replacingOccurrences(of: "\"region\"", with: "\"new\": [1, {}], \"region\"")
        #expect(changed != text)
        #expect(try TravelJSONReader().travels(in: Data(changed.utf8)) == [travel])
    }

    @Test("an exported travel has exactly the images that it shows, and requires all of them")
    func images() throws {
        let (shown, other) = (try TravelImage(seed: 1), try TravelImage(seed: 2))
        let travel = try TravelBuilder(seed: 1).with { $0.thumbnail = shown.id }.build()
        #expect(try ExportedTravel(travel, images: [other, shown]).images == [shown])
        #expect(throws: TravelError.notFound(.image(shown.id))) { try ExportedTravel(travel, images: [other]) }
        #expect(throws: TravelError.conflict(.image(shown.id))) { try ExportedTravel(travel, images: [shown, shown]) }
    }

    @Test("a damaged travel file is read or throws, but never crashes", arguments: 0..<12 as Range<UInt64>)
    func damage(seed: UInt64) throws {
        var generated = GeneratedTravels(seed: seed)
        let file = try TravelJSONWriter().data(for: [generated.exported(), generated.exported()])
        for _ in 0..<25 {
            let damaged = generated.damaged(file)
            do {
                _ = try TravelJSONReader().travels(in: damaged)
            } catch {
                #expect(!error.description.isEmpty && error.description.allSatisfy { !$0.isNewline })
            }
        }
    }

    @Test("a travel file that is cut at any byte throws truncated")
    func truncation() throws {
        let travel = try ExportedTravel(TravelBuilder(seed: 1).build(), images: [])
        let file = try TravelJSONWriter().data(for: [travel])
        for length in 1..<file.count - 2 {
            let error = #expect(throws: TravelFileError.self) {
                try TravelJSONReader().travels(in: file.prefix(length))
            }
            #expect(error?.problem == .truncated)
        }
    }

    @Test("a travel file above the size limit throws before it is parsed")
    func size() throws {
        let file = try TravelJSONWriter().data(for: [])
        #expect(try TravelJSONReader(maximumSize: file.count).travels(in: file) == [])
        #expect(throws: TravelFileError(.tooLarge(maximumBytes: file.count - 1))) {
            try TravelJSONReader(maximumSize: file.count - 1).travels(in: file)
        }
    }

    @Test("travels are read from a file, and a file that cannot be opened throws with the reason")
    func files() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "travels-\(UUID()).json")
        defer { try? FileManager.default.removeItem(at: url) }  // The system eventually empties that directory.
        let travel = try ExportedTravel(TravelBuilder(seed: 1).build(), images: [])
        try TravelJSONWriter().data(for: [travel]).write(to: url)
        #expect(try TravelJSONReader().travels(at: url) == [travel])
        let missing = url.appending(path: "inside")
        #expect(throws: TravelFileError(.unreadable("there is no such file"))) {
            try TravelJSONReader().travels(at: missing)
        }
    }
}
