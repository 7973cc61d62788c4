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
        return EntryDraft(
            try TimelineEntry(
                id: .init(seed: 1), day: 1 + value(.day), time: TimeOfDay(hour: 9 + value(.time)),
                title: Title("Title \(value(.title))"), text: EntryText("Text \(value(.text))"),
                place: value(.place) == 0 ? nil : Place(name: "Place \(value(.place))")))
    }

    /// Compares the merge of three generated forms with what the model says of each part.
    private func check<Draft: EditorDraft>(
        _ seed: UInt64, _ parts: [Draft.Part], _ draft: (Values<Draft.Part>) throws -> Draft
    ) throws {
        var random = SeededGenerator(seed: seed)
        func values() -> Values<Draft.Part> {
            var values = Values<Draft.Part>()
            for part in parts { values[part] = Int.random(in: 0...2, using: &random) }
            return values
        }
        let (base, mine, theirs) = (values(), values(), values())
        let chosen = Set(parts.filter { _ in Bool.random(using: &random) })
        let hasBase = Int.random(in: 0...4, using: &random) > 0
        var (expected, collisions, arrived) = (mine, [Draft.Part](), [Draft.Part]())
        for part in parts where mine[part] != theirs[part] {
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
        for part in parts {
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
        for part in parts { #expect(try kept.hasSame(part, as: draft(base)), "\(part.name)") }
        #expect(Draft(restorable: "?") == nil && Draft(restorable: "") == nil)
    }

    @Test("of generated trips has each part of the side that changed it", arguments: 0..<100 as Range<UInt64>)
    func trips(seed: UInt64) throws { try check(seed, TripDraft.Part.allCases, Self.trip) }

    @Test("of generated entries has each part of the side that changed it", arguments: 0..<100 as Range<UInt64>)
    func entries(seed: UInt64) throws { try check(seed, [.day, .time, .title, .text, .place], Self.entry) }

    @Test("names each part once, in ASCII")
    func names() {
        let names = TripDraft.Part.allCases.map(\.name)
        #expect(Set(names).count == names.count && names.allSatisfy { $0.allSatisfy { $0.isASCII && $0 != " " } })
        for part in TripDraft.Part.allCases { #expect(TripDraft.Part(name: part.name) == part) }
        #expect(TripDraft.Part(name: "season") == nil && EntryDraft.Part(name: "text") == .text)
        let id = TripImage.ID(seed: 7)
        let ofEntries: [EntryDraft.Part] = [
            .day, .time, .title, .text, .place, .picture(id), .pictureText(id), .pictureTime(id), .picturePosition(id),
            .pictureOrder,
        ]
        for part in ofEntries { #expect(EntryDraft.Part(name: part.name) == part && part.name.allSatisfy(\.isASCII)) }
        #expect(Set(ofEntries.map(\.name)).count == ofEntries.count)
        for text in ["", "picture-", "picture-7", "picture-text-", "pictures", "picture-order-\(id)"] {
            #expect(EntryDraft.Part(name: text) == nil, "\(text)")
        }
    }

    // MARK: Pictures

    /// A picture as a model has it: three facts, and whether its image is new in the form.
    private struct Photo: Equatable {
        var facts = [0, 0, 0]
        var isNew = false
    }

    /// The pictures of a form: their order, and what each says.
    private struct Album {
        var order: [UInt64] = []
        var photos: [UInt64: Photo] = [:]

        mutating func add(_ number: UInt64, isNew: Bool = false, at index: Int) {
            order.insert(number, at: index)
            photos[number] = Photo(isNew: isNew)
        }

        /// Does what a person may do with the pictures.
        mutating func change(_ times: Int, adding first: UInt64, isNew: Bool, using random: inout SeededGenerator) {
            for step in 0..<times {
                let index = Int.random(in: 0...order.count, using: &random)
                guard order.indices.contains(index), Int.random(in: 0...3, using: &random) > 0 else {
                    add(first + UInt64(step), isNew: isNew, at: Bool.random(using: &random) ? order.count : index)
                    continue
                }
                let number = order[index]
                switch Int.random(in: 0...3, using: &random) {
                case 0:
                    order.remove(at: index)
                    photos[number] = nil
                case 1:
                    order.remove(at: index)
                    order.insert(number, at: Int.random(in: 0...order.count, using: &random))
                default:
                    photos[number]?.facts[Int.random(in: 0...2, using: &random)] = Int.random(in: 1...2, using: &random)
                }
            }
        }

        func draft() throws -> EntryDraft {
            var draft = EntryDraft()
            draft.pictures = try order.map { number in
                let (id, photo) = (TripImage.ID(seed: number), photos[number] ?? Photo())
                let coordinate = try Coordinate(latitude: 35, longitude: 129)
                let picture = Picture(
                    id, text: photo.facts[0] == 0 ? nil : try PictureText("Text \(photo.facts[0])"),
                    taken: photo.facts[1] == 0
                        ? nil
                        : PhotoDate(day: try CalendarDay("2024-05-0\(photo.facts[1])"), time: try TimeOfDay(hour: 9)),
                    position: [nil, .shown(coordinate), .mineOnly(coordinate)][photo.facts[2]])
                return photo.isNew
                    ? DraftPicture(picture, new: try TripImage(seed: number), from: "\(number)") : DraftPicture(picture)
            }
            return draft
        }

        /// Whether both have the pictures that both have in the same order.
        func isOrdered(as other: Album) -> Bool {
            order.filter { other.photos[$0] != nil } == other.order.filter { photos[$0] != nil }
        }
    }

    @Test(
        "of generated pictures keeps what either side has added, removed and changed, and asks about what both have changed",
        arguments: 0..<200 as Range<UInt64>)
    func pictures(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var base = Album()
        for number in 0..<UInt64.random(in: 0...6, using: &random) { base.add(number, at: base.order.count) }
        var (mine, theirs) = (base, base)
        mine.change(Int.random(in: 0...6, using: &random), adding: 100, isNew: true, using: &random)
        theirs.change(Int.random(in: 0...6, using: &random), adding: 200, isNew: false, using: &random)
        let takesTheirs = Bool.random(using: &random)
        var (photos, collisions) = ([UInt64: Photo](), Set<EntryDraft.Part>())
        for number in Set(mine.order + theirs.order) {
            let id = TripImage.ID(seed: number)
            switch (base.photos[number], mine.photos[number], theirs.photos[number]) {
            case (nil, let mine?, nil): photos[number] = mine
            case (nil, nil, let theirs?): photos[number] = theirs
            case (_?, _, nil): break
            case (let base?, nil, let theirs?):
                guard base != theirs else { break }
                collisions.insert(.picture(id))
                if takesTheirs { photos[number] = theirs }
            case (let base?, let mine?, let theirs?):
                let parts: [EntryDraft.Part] = [.pictureText(id), .pictureTime(id), .picturePosition(id)]
                var merged = mine
                for fact in 0..<3 where mine.facts[fact] != theirs.facts[fact] {
                    let isAsked = mine.facts[fact] != base.facts[fact] && theirs.facts[fact] != base.facts[fact]
                    if isAsked { collisions.insert(parts[fact]) }
                    if isAsked ? takesTheirs : mine.facts[fact] == base.facts[fact] {
                        merged.facts[fact] = theirs.facts[fact]
                    }
                }
                photos[number] = merged
            default: Issue.record("no picture is new on both sides")
            }
        }
        let draft = (base: try base.draft(), mine: try mine.draft(), theirs: try theirs.draft())
        let merge = DraftMerge(
            base: draft.base, mine: draft.mine, theirs: draft.theirs, chosen: takesTheirs ? collisions : [])
        #expect(Set(merge.collisions) == collisions && merge.collisions.count == collisions.count)
        let result = merge.result
        let numbers = result.pictures.compactMap { picture in
            photos.keys.first { TripImage.ID(seed: $0) == picture.id }
        }
        #expect(
            numbers.count == result.pictures.count && Set(numbers) == Set(photos.keys) && numbers.count == photos.count)
        let merged = Album(order: numbers, photos: photos)
        #expect(try merged.draft().pictures == result.pictures)
        #expect(merged.isOrdered(as: mine.isOrdered(as: base) ? theirs : mine))
        for language in Language.allCases {
            #expect(merge.collidingLines(in: language).allSatisfy { $0.line.differs && !$0.line.label.isEmpty })
            #expect(merge.arrivedLines(in: language).allSatisfy { $0.differs })
        }
        // Merged again, there is nothing left to tell or to ask.
        #expect(DraftMerge(base: draft.theirs, mine: result, theirs: draft.theirs).isSettled)
    }

    @Test("without what both began with asks about each difference but for pictures that are gone or new")
    func picturesWithoutBase() throws {
        var (mine, theirs) = (Album(), Album())
        for number in 1...3 as ClosedRange<UInt64> { mine.add(number, isNew: number == 2, at: mine.order.count) }
        for number in [1, 4] as [UInt64] { theirs.add(number, at: theirs.order.count) }
        theirs.photos[1]?.facts = [1, 0, 0]
        let merge = DraftMerge(base: nil, mine: try mine.draft(), theirs: try theirs.draft())
        let ids = (1...4).map { TripImage.ID(seed: $0) }
        #expect(merge.collisions == [.pictureText(ids[0]), .picture(ids[3])] && merge.arrived == [.picture(ids[2])])
        #expect(merge.result.pictures.map(\.id) == [ids[0], ids[1]])
    }
}
