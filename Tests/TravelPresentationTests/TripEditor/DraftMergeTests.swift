import Foundation
import TestConcurrency
import TestReporting
import Testing
import TravelDomainTesting

@testable import TravelPresentation

@Suite("The merge of a form", .limitedConcurrency)
struct DraftMergeTests {
    /// The values of the parts of a form, as one of three each: the model of a draft.
    private typealias Values<Part: DraftPart> = [Part: Int]

    private static let key = LinkKey()

    private static func trip(_ values: Values<TripDraft.Part>) throws -> TripDraft {
        func value(_ part: TripDraft.Part) -> Int { values[part] ?? 0 }
        var content = TripContent(
            title: try Title("Title \(value(.title))"), region: Region.allCases[value(.choice(.region))],
            days: try DayRange(
                CalendarDay("2024-05-0\(1 + value(.firstDay))"), through: CalendarDay("2024-06-0\(1 + value(.lastDay))")
            ))
        content.themes = [[], [Theme.allCases[0]], [Theme.allCases[0], Theme.allCases[1]]][value(.choice(.theme))]
        content.companions =
            [[], [Companion.allCases[1]], [Companion.allCases[2]]][value(.choice(.companion))]
        content.headcount = [nil, Headcount.allCases[0], Headcount.allCases[1]][value(.choice(.headcount))]
        content.budget = [nil, Budget.allCases[0], Budget.allCases[1]][value(.choice(.budget))]
        content.transportation =
            [nil, Transportation.allCases[0], Transportation.allCases[1]][value(.choice(.transportation))]
        content.audience = [.onlyMe, .everyone, .byLink(key)][value(.audience)]
        content.thumbnail = [nil, TripImage.ID(seed: 1), TripImage.ID(seed: 2)][value(.image)]
        return TripDraft(content)
    }

    private static func entry(_ values: Values<EntryDraft.Part>) throws -> EntryDraft {
        func value(_ part: EntryDraft.Part) -> Int { values[part] ?? 0 }
        let pictures = (1...2).map { Picture(TripImage.ID(seed: $0)) }
        return EntryDraft(
            try TimelineEntry(
                id: .init(seed: 1), day: 1 + value(.day), time: TimeOfDay(hour: 9 + value(.time)),
                title: Title("Title \(value(.title))"), text: EntryText("Text \(value(.text))"),
                place: value(.place) == 0 ? nil : Place(name: "Place \(value(.place))"),
                pictures: Array(pictures.prefix(value(.pictures)))))
    }

    /// Compares the merge of three generated forms with what the model says of each part.
    private func check<Draft: EditorDraft>(_ seed: UInt64, _ draft: (Values<Draft.Part>) throws -> Draft) throws {
        var random = SeededGenerator(seed: seed)
        func values() -> Values<Draft.Part> {
            var values = Values<Draft.Part>()
            for part in Draft.Part.allCases { values[part] = Int.random(in: 0...2, using: &random) }
            return values
        }
        let (base, mine, theirs) = (values(), values(), values())
        let chosen = Set(Draft.Part.allCases.filter { _ in Bool.random(using: &random) })
        let hasBase = Int.random(in: 0...4, using: &random) > 0
        var (expected, collisions, arrived) = (mine, [Draft.Part](), [Draft.Part]())
        for part in Draft.Part.allCases where mine[part] != theirs[part] {
            if hasBase, base[part] == mine[part] {
                arrived.append(part)
                expected[part] = theirs[part]
            } else if !hasBase || base[part] != theirs[part] {
                collisions.append(part)
                if chosen.contains(part) { expected[part] = theirs[part] }
            }
        }
        let merge = try DraftMerge(
            base: hasBase ? draft(base) : nil, mine: draft(mine), theirs: draft(theirs), chosen: chosen)
        #expect(merge.collisions == collisions && merge.arrived == arrived)
        #expect(merge.isSettled == (collisions + arrived).isEmpty)
        let wanted = try draft(expected)
        for part in Draft.Part.allCases {
            #expect(merge.result.hasSame(part, as: wanted), "\(part.name)")
            #expect(merge.result.text(of: part, in: .english) == wanted.text(of: part, in: .english), "\(part.name)")
        }
        #expect(
            merge.result.problems(in: nil).keys.filter { $0 != Draft.imageField }.count
                == wanted.problems(in: nil).count)
        for language in Language.allCases {
            #expect(merge.collidingLines(in: language).allSatisfy { $0.line.differs && !$0.line.label.isEmpty })
            #expect(merge.arrivedLines(in: language).allSatisfy { $0.differs })
        }
        // A page keeps what the form began with as text.
        let kept = try #require(Draft(restorable: draft(base).restorable))
        for part in Draft.Part.allCases { #expect(try kept.hasSame(part, as: draft(base)), "\(part.name)") }
        #expect(Draft(restorable: "?") == nil && Draft(restorable: "") == nil)
    }

    @Test("of generated trips has each part of the side that changed it", arguments: 0..<100 as Range<UInt64>)
    func trips(seed: UInt64) throws { try check(seed, Self.trip) }

    @Test("of generated entries has each part of the side that changed it", arguments: 0..<100 as Range<UInt64>)
    func entries(seed: UInt64) throws { try check(seed, Self.entry) }

    @Test("names each part once, in ASCII")
    func names() {
        let names = TripDraft.Part.allCases.map(\.name)
        #expect(Set(names).count == names.count && names.allSatisfy { $0.allSatisfy { $0.isASCII && $0 != " " } })
        for part in TripDraft.Part.allCases { #expect(TripDraft.Part(name: part.name) == part) }
        #expect(TripDraft.Part(name: "season") == nil && EntryDraft.Part(name: "text") == .text)
    }
}
