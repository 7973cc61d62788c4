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
            #expect(try read(waiting.item()).write == write)
            #expect(try read(waiting.item()).conflict == nil)
            let later = TravelConflict.Reason(rawValue: "reasonOfALaterVersion")
            let refusals: [(TravelConflict.Reason, RecordedTravel?)] = [
                (.outdated, try TravelBuilder(seed: 4).build()), (.refused, nil), (later, nil),
            ]
            for (reason, theirs) in refusals {
                let conflict = TravelConflict(id: 3, wanted: write, reason: reason, theirs: theirs)
                let refused = try read(QueuedWrite(number: 3, write: write, conflict: conflict).item())
                #expect(refused.write == write && refused.conflict == conflict)
            }
        }
    }

    @Test("times at the ends of the range are exact")
    func extremeTimes() throws {
        for time in [Double.infinity, -.infinity, .leastNonzeroMagnitude, -.greatestFiniteMagnitude, 1.1] {
            let travel = try TravelBuilder(seed: 1).with { $0.createdAt = Date(timeIntervalSinceReferenceDate: time) }
            let write = TravelWrite.add([try travel.build()], images: [])
            #expect(try read(QueuedWrite(number: 1, write: write).item()).write == write)
        }
    }

    @Test(
        "an item that is damaged or from a later version is not read",
        arguments: [
            "", "{}", "[1]", #"{"kind":"teleport"}"#, #"{"kind":"remove"}"#, #"{"kind":"addUser","nickname":"x"}"#,
        ])
    func damagedItems(text: String) {
        #expect(OutboxRecord(OutboxItem(number: 12, bytes: Data(text.utf8))) == nil)
    }

    @Test("a travel that has vanished is read as it was written, and is no write")
    func vanishedTravels() throws {
        let (travel, image) = (try TravelBuilder(seed: 1).build(), try TravelImage(seed: 1))
        let vanished = VanishedTravel(number: 4, travel: travel)
        let item = try OutboxItem(4, StoredWrite(vanished, images: [image]))
        guard case .vanished(let read, let images) = OutboxRecord(item) else {
            Issue.record("the item was not read")
            return
        }
        #expect(read == vanished && images == [image])
    }

    private func read(_ item: OutboxItem) throws -> QueuedWrite {
        guard case .write(let write) = OutboxRecord(item) else { throw UnknownValue() }
        return write
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
