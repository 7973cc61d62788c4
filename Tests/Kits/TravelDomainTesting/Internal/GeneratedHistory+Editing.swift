#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import ContractTesting
import TravelDomain

extension GeneratedHistory {
    mutating func editContent(in store: any TravelEditingRepository) async throws {
        let travel = travelID()
        var content = try samples.content()
        let image = try imageToShow(in: travel)
        content.thumbnail = image.id
        let changed =
            random(0...9) == 0 ? model.stored.first { $0.recorded.id == travel }?.recorded.content ?? content : content
        let now = random(0...1) == 0 ? Date(timeIntervalSinceReferenceDate: Double(step) * 1_000.1) : nil
        let other = random(0...7) == 0 ? try samples.travel(by: [samples.person()]) : nil
        let time = sourceText(now as Any)
        let call = "try $0.with(content, at: \(time))" + (other == nil ? "" : ", as another travel")
        try await edit(
            "an edit of content", "{ \(call) }, content: \(sourceText(changed))", travel, adding: image.new, in: store
        ) { travel throws(TravelError) in
            let result = try travel.with(changed, at: now)
            guard let other else { return result }
            // The repository must ignore these parts of the result.
            return try RecordedTravel(
                id: other.id, author: other.author, createdAt: other.createdAt, updatedAt: result.updatedAt,
                version: other.version.next.next, content: result.content, timeline: result.timeline,
                track: result.track)
        }
    }

    mutating func saveEntry(in store: any TravelEditingRepository) async throws {
        let travel = travelID()
        let recorded = model.stored.first { $0.recorded.id == travel }?.recorded
        let image = try imageToShow(in: travel)
        let isBeyondTheEnd = random(0...24) == 0
        let days = recorded?.content.days.count ?? 1
        let fresh = try samples.entry(days: days, image: image.id)
        let old = random(0...2) == 0 ? recorded?.timeline.randomElement(using: &samples.random) : nil
        let others = model.stored.filter { $0.recorded.id != travel }.flatMap(\.recorded.timeline)
        let foreign = random(0...19) == 0 && image.new.isEmpty ? others.randomElement(using: &samples.random) : nil
        let entry = try TimelineEntry(
            id: foreign?.id ?? old?.id ?? fresh.id, day: isBeyondTheEnd ? days + 1 : fresh.day, time: fresh.time,
            title: fresh.title, text: fresh.text, place: fresh.place, image: foreign == nil ? fresh.image : nil)
        try await edit(
            "an entry saved", "{ try $0.saving(\(sourceText(entry))) }", travel, adding: image.new, in: store
        ) { travel throws(TravelError) in try travel.saving(entry) }
    }

    mutating func deleteEntry(in store: any TravelEditingRepository) async throws {
        let travel = travelID()
        let entries = model.stored.first { $0.recorded.id == travel }?.recorded.timeline
        let entry = entries?.randomElement(using: &samples.random)?.id ?? TimelineEntry.ID(using: &samples.random)
        try await edit("an entry deleted", "{ try $0.removing(\(sourceText(entry))) }", travel, in: store) {
            travel throws(TravelError) in try travel.removing(entry)
        }
    }

    mutating func deleteTravel(in store: any TravelEditingRepository) async throws {
        let (travel, before) = (travelID(), model.stored)
        try await edit("a travel deleted", "{ _ in nil }", travel, in: store) { _ in nil }
        guard before.count > model.stored.count else { return }
        removed += before.map(\.recorded).filter { $0.id == travel && $0.images.isEmpty }
    }

    private mutating func edit(
        _ what: String, _ body: @autoclosure () -> String, _ travel: Travel.ID, adding images: [TravelImage] = [],
        in store: any TravelEditingRepository,
        _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel?
    ) async throws {
        let (editor, before) = (editor(of: travel), try model.recorded(travel))
        let version = version(of: before)
        calls.note(
            "try await store.update(\(sourceText(travel)), expecting: \(sourceText(version as Any)), "
                + "by: \(sourceText(editor)), adding: \(sourceText(images))) " + body())
        let expected = Result { () throws(TravelError) in
            try model.update(travel, expecting: version, by: editor, adding: images, change)
        }
        if let before, case .success(before) = expected { count("\(what): unchanged") }
        try await expectSame(what, expected) {
            try await store.update(travel, expecting: version, by: editor, adding: images) {
                travel throws(TravelError) in
                guard travel == before else {
                    throw .unavailable(.init("The change received \(travel).", canRetry: false))
                }
                return try change(travel)
            }
        }
    }

    /// Usually none, in some cases the version of the travel, or another one.
    private mutating func version(of travel: RecordedTravel?) -> TravelVersion? {
        switch random(0...5) {
        case 0...2: nil
        case 3...4: travel?.version ?? .first
        default: TravelVersion(number: random(1...3))
        }
    }

    /// No image, a new one, one that the travel already shows, or one that it cannot show.
    private mutating func imageToShow(in travel: Travel.ID) throws -> (id: TravelImage.ID?, new: [TravelImage]) {
        let images = model.stored.first { $0.recorded.id == travel }?.images ?? []
        switch random(0...11) {
        case 0...3: return (nil, [])
        case 4: return (nil, [try samples.image()])
        case 5...8:
            let image = try samples.image()
            return (image.id, [image])
        case 9: return (images.randomElement(using: &samples.random)?.id, [])
        case 10: return (imageID(), [])
        default:
            let image = try TravelImage(id: imageID(), bytes: samples.image().bytes)
            return (image.id, [image])
        }
    }
}
