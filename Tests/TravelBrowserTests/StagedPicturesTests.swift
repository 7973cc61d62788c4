#if Server
import Foundation
import Testing
import TravelDomain
import TravelDomainTesting
import TravelFileSamples
@testable import TravelBrowser

@Suite("Staged pictures")
struct StagedPictureTests {
    private static let png = PictureFile().png

    @Test("pictures are in a folder of the session that nobody else can open, and go with it")
    func folder() throws {
        let pictures = StagedPictures(.init(1 << 20))
        #expect(pictures.folderPath == nil)
        _ = try pictures.stage(Self.png, name: "../../x/y.png")
        let path = try #require(pictures.folderPath)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).count == 1)
        pictures.close()
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(throws: CancellationError.self) { try pictures.stage(Self.png, name: "") }
    }

    @Test("the folder goes with the last reference")
    func released() throws {
        var pictures: StagedPictures? = StagedPictures(.init(1 << 20))
        _ = try pictures?.stage(Self.png, name: "a")
        let path = try #require(pictures?.folderPath)
        pictures = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("a session keeps as many as two entries may have, and the oldest one goes first")
    func count() throws {
        let budget = StagedPictures.Budget(Self.png.count * (StagedPictures.maximumCount + 1))
        let pictures = StagedPictures(budget)
        for number in 0..<200 {
            _ = try pictures.stage(Self.png, name: "\(number)")
            #expect(pictures.count == min(number + 1, StagedPictures.maximumCount))
        }
        let path = try #require(pictures.folderPath)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).count == StagedPictures.maximumCount)
        // What a session had is there for others.
        pictures.close()
        #expect(throws: Never.self) { _ = try StagedPictures(budget).stage(Self.png, name: "") }
    }

    @Test("all sessions share what the disk has")
    func budget() throws {
        let budget = StagedPictures.Budget(Self.png.count)
        let (first, second) = (StagedPictures(budget), StagedPictures(budget))
        _ = try first.stage(Self.png, name: "")
        #expect(throws: TravelError.self) { try second.stage(Self.png, name: "") }
        first.close()
        _ = try second.stage(Self.png, name: "")
    }

    @Test("a file for an import is on the disk as long as somebody refers to it, and goes with its session")
    func waitingFiles() throws {
        let pictures = StagedPictures(.init(1 << 20))
        var files = try (0..<60).map { try pictures.keep([UInt8(0), UInt8($0)], name: "\($0).jpg") }
        let path = try #require(pictures.folderPath)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).count == 60 && pictures.waitingSize == 120)
        #expect(try files[7].read() == Data([0, 7]) && files[7].name == "7.jpg")
        // They do not push out what editors show.
        #expect(pictures.count == 0)
        files.removeLast(58)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).count == 2 && pictures.waitingSize == 4)
        pictures.close()
        #expect(throws: TravelError.self) { try files[0].read() }
        #expect(throws: CancellationError.self) { try pictures.keep([1], name: "") }
    }

    @Test("files for imports share the room of all sessions, and have a part of it in each")
    func waitingBudget() throws {
        let budget = StagedPictures.Budget(10)
        let (first, second) = (StagedPictures(budget), StagedPictures(budget))
        var file: PickedFile? = try first.keep([UInt8](repeating: 0, count: 8), name: "a")
        #expect(file != nil)
        #expect(throws: TravelError.self) { try second.keep([1, 2, 3], name: "b") }
        file = nil
        #expect(try second.keep([1, 2, 3], name: "b").read().count == 3)
        let part = StagedPictures.Budget(3, of: StagedPictures.Budget(10))
        #expect(part.bytes == 3)
    }

    @Test("what is no picture is refused before it is written")
    func refused() async throws {
        let pictures = StagedPictures(.init(1 << 20))
        for bytes in [[], Array("hello".utf8), [UInt8](repeating: 0xFF, count: TripImage.maximumSize + 1)] {
            let picture = try pictures.stage(bytes, name: "a")
            #expect(pictures.isRefused(picture))
            await #expect(throws: TravelError.self) {
                _ = try await pictures.read(picture.path) { _ in throw CancellationError() }
            }
        }
        #expect(pictures.folderPath == nil)
    }

    @Test("what is shown is the picture as it was read, and the same one is read again with its time and place")
    func read() async throws {
        let pictures = StagedPictures(.init(1 << 20))
        let picture = try pictures.stage(Self.png, name: "a.png")
        // With its metadata, it is shown to nobody.
        #expect(pictures.picture(picture.id) == nil)
        let clean = try TripImage(seed: 5)
        let taken = PhotoDate(day: CalendarDay(daysSince1970: 20_000), time: try TimeOfDay("10:00"))
        let read = try await pictures.read(picture.path) { _ in
            PickedImage(clean, taken: taken, coordinate: try Coordinate(latitude: 1, longitude: 2))
        }
        #expect(read.image.id == picture.id && read.image.bytes == clean.bytes && read.taken == taken)
        #expect(pictures.picture(picture.id)?.bytes == clean.bytes)
        let again = try await pictures.read(picture.path) { _ in throw CancellationError() }
        #expect(again == read)
    }

    @Test(
        "the name of a file is its last part, without control characters",
        arguments: [
            ("a.jpg", "a.jpg"), ("C:\\fakepath\\a.jpg", "a.jpg"), ("../../etc/passwd", "passwd"), ("a\u{0}\nb", "a  b"),
            ("", ""), ("///", ""), ("바다 1.jpg", "바다 1.jpg"),
            (String(repeating: "x", count: 200), String(repeating: "x", count: 100)),
        ])
    func names(text: String, name: String) {
        let picture = StagedPicture(name: text)
        #expect(picture.name == name)
        #expect(StagedPicture(path: picture.path) == picture)
    }
}
#endif
