import Foundation
import TestTurns
import Testing
import TravelDomainTesting

@testable import TravelDataCached

@Suite("The file format of the outbox", .takesTurns)
struct StoredWriteTests {
    @Test(
        "every kind of write, and every conflict, is read as it was written", arguments: 1...10 as ClosedRange<UInt64>)
    func roundTrips(seed: UInt64) throws {
        for write in try writes(seed: seed) {
            let waiting = QueuedWrite(number: 3, write: write)
            #expect(try QueuedWrite(waiting.item()).write == write)
            #expect(try QueuedWrite(waiting.item()).conflict == nil)
            let later = TravelConflict.Reason(rawValue: "reasonOfALaterVersion")
            let refusals: [(TravelConflict.Reason, RecordedTravel?)] = [
                (.outdated, try TravelBuilder(seed: 4).build()), (.refused, nil), (later, nil),
            ]
            for (reason, theirs) in refusals {
                let conflict = TravelConflict(id: 3, wanted: write, reason: reason, theirs: theirs)
                let refused = try QueuedWrite(QueuedWrite(number: 3, write: write, conflict: conflict).item())
                #expect(refused.write == write && refused.conflict == conflict)
            }
        }
    }

    @Test("times at the ends of the range are exact")
    func extremeTimes() throws {
        for time in [Double.infinity, -.infinity, .leastNonzeroMagnitude, -.greatestFiniteMagnitude, 1.1] {
            let travel = try TravelBuilder(seed: 1).with { $0.createdAt = Date(timeIntervalSinceReferenceDate: time) }
            let write = TravelWrite.add([try travel.build()], images: [])
            #expect(try QueuedWrite(QueuedWrite(number: 1, write: write).item()).write == write)
        }
    }

    @Test(
        "an item that is damaged or from a later version is an outage that names the item",
        arguments: [
            "", "{}", "[1]", #"{"kind":"teleport"}"#, #"{"kind":"remove"}"#, #"{"kind":"addUser","nickname":"x"}"#,
        ])
    func damagedItems(text: String) {
        let error = TravelError.unavailable(
            .init("Item 12 of the outbox was not written by this version.", canRetry: false))
        #expect(throws: error) { try QueuedWrite(OutboxItem(number: 12, bytes: Data(text.utf8))) }
    }

    private func writes(seed: UInt64) throws -> [TravelWrite] {
        var samples = TravelGenerator(seed: seed)
        let (a, b) = (try samples.person(), try samples.person())
        let images = [try samples.image(), try samples.image()]
        var travels = try samples.travels(5, by: [a, b])
        travels[0] = try travels[0].saving(samples.entry(image: images[0].id))
        let (id, version) = (travels[1].id, try #require(TravelVersion(number: 7)))
        return [
            .add(travels, images: images), .add([], images: []),
            .update(travels[0], replacing: version, images: images), .remove(id, replacing: version, by: a.id),
            .setLiked(true, id, by: a.id), .setLiked(false, id, by: b.id), .report(id, by: a.id),
            .block(a.id, by: b.id), .unblock(a.id, by: b.id), .addUser(a), .rename(a.id, b.nickname),
            .setAvatar(a.id, nil), .removeUser(a.id),
        ]
    }
}
