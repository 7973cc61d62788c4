import Foundation
import TestConcurrency
import Testing
import TravelPresentation

@testable import traveline

/// `traveline import` of folders, as processes.
@Suite("The import of a folder", .serialized)
struct FolderImportTests {
    /// Writes photos that say when they were taken, and a track of 1 May 2024, 09:00 to 10:40 in Korea.
    private func files(_ photos: [(name: String, date: String)]) -> String {
        let points = (0...100).map { minute in
            let time = "2024-05-01T\(minute < 60 ? "00" : "01"):\(minute % 60 < 10 ? "0" : "")\(minute % 60):00Z"
            return "<trkpt lat=\"\(35.1 + Double(min(minute, 50)) * 0.001)\" lon=\"129.1\"><time>\(time)</time></trkpt>"
        }
        let track = "<gpx version=\"1.1\"><trk><name>걷기</name><trkseg>\(points.joined())</trkseg></trk></gpx>"
        let jpegs = photos.map { photo in
            "base64 -d <<< '\(Data(ImageFileTests.jpeg(photo.date)).base64EncodedString())' > photos/\(photo.name) && "
        }
        return "export d='--database db' && $traveline seed --count 1 $d > /dev/null && mkdir -p photos/.hidden && "
            + "echo '\(track)' > photos/walk.gpx && echo note > photos/notes.txt && echo x > photos/.hidden/x.jpg && "
            + jpegs.joined()
    }

    @Test("a folder becomes one trip, says what was guessed and left out, and grows by what is new")
    func folder() throws {
        let photos = [
            ("a1.jpg", "2024:05:01 09:55:00"), ("a2.jpg", "2024:05:01 10:20:00"), ("a10.jpg", "2024:05:02 12:00:00"),
            ("old.jpg", "2010:01:01 00:00:00"),
        ]
        let script =
            files(photos) + """
                $traveline import photos $d --lang en && cp photos/a1.jpg photos/copy.jpg && \
                base64 -d <<< '\(Data(ImageFileTests.jpeg("2024:05:03 09:00:00")).base64EncodedString())' > photos/new.jpg && \
                $traveline import photos --title Other $d --lang en | cut -c 37- && \
                $traveline show $($traveline search --json $d | grep -o '"id":"[^"]*' | head -1 | cut -c 7-) --lang en $d | grep -c pict
                """
        try Program.run(script) { result, _ in
            let lines = result.output.split(separator: "\n").map(String.init)
            #expect(lines.count == 3, "\(result.output)\(result.error)")
            #expect(
                lines.first?.hasSuffix("  걷기  Busan  2024-05-01 – 2024-05-02  3 entries  3 photos") == true, "\(lines)")
            #expect(lines.dropFirst().first == "  걷기  Busan  2024-05-01 – 2024-05-03  4 entries  4 photos", "\(lines)")
            for text in [
                "3 photos added",
                "1 photo of other days, 2010-01-01, left out: old.jpg; if the clock was wrong, import again "
                    + "with --camera-offset", "1 file is neither a photo nor a track: notes.txt",
                "1 photo added; 3 were there already",
            ] { #expect(result.error.contains("traveline: \(text)"), "\(result.error)") }
        }
    }

    @Test("photos that are named become a trip, with the clock that is given")
    func namedFiles() throws {
        let photos = [("1.jpg", "2010:01:01 08:00:00"), ("2.jpg", "2010:01:01 09:30:00")]
        let script =
            files(photos) + """
                $traveline import photos/1.jpg photos/2.jpg photos/walk.gpx --camera-offset +5234d02:00 --title 바다 $d --lang en; \
                $traveline import photos/1.jpg photos/notes.txt $d; echo "rc $?"; \
                $traveline import photos/1.jpg --camera-offset soon $d; echo "rc $?"; \
                $traveline import photos/walk.gpx --title x $d; echo "rc $?"; \
                mkdir empty; $traveline import empty $d; echo "rc $?"
                """
        try Program.run(script) { result, _ in
            let lines = result.output.split(separator: "\n").map(String.init)
            #expect(
                lines.first?.hasSuffix("  바다  Busan  2024-05-01  3 entries  2 photos") == true,
                "\(result.output)\(result.error)")
            #expect(lines.dropFirst() == ["rc 65", "rc 64", "rc 64", "rc 65"], "\(result.output)\(result.error)")
            for text in [
                "+5234d 02:00 added to the clock of cameras without a name",
                "--camera-offset needs a time such as +01:02",
                "--title is for photos", "there are no photos or tracks",
            ] { #expect(result.error.contains(text), "\(result.error)") }
        }
    }

    @Test("a track more than a week from the other files is left out and named")
    func farTrack() throws {
        let script =
            files([("1.jpg", "2024:05:01 09:55:00")]) + """
                sed s/2024-05-01/2024-03-01/g photos/walk.gpx > photos/old.gpx; $traveline import photos $d --lang en
                """
        try Program.run(script) { result, _ in
            #expect(
                result.output.hasSuffix("  photos  Busan  2024-05-01  2 entries  1 photo\n"),
                "\(result.output)\(result.error)")
            #expect(
                result.error.contains("photos/old.gpx is of other days; import it alone"), "\(result.error)")
        }
    }

    @Test("a folder whose photos cannot be stored makes no trip")
    func damagedPhotos() throws {
        // Without the scan: its metadata can be read, and not removed.
        let damaged = Data(ImageFileTests.jpeg("2024:05:01 09:55:00").dropLast(10)).base64EncodedString()
        let script =
            files([]) + """
                mkdir broken && base64 -d <<< '\(damaged)' > broken/1.jpg && \
                $traveline import broken $d --lang en; echo "rc $?"; $traveline me trips --json $d
                """
        try Program.run(script) { result, _ in
            #expect(result.output.split(separator: "\n") == ["rc 65", "[]"], "\(result.output)\(result.error)")
            #expect(
                result.error.contains("1 photo left out, whose metadata cannot be removed: 1.jpg"), "\(result.error)")
            #expect(result.error.contains("none of its photos can be stored"), "\(result.error)")
            #expect(!result.error.contains("undo"), "\(result.error)")
        }
    }

    @Test(
        "the time to add to a clock is days, hours and minutes, for all cameras or for one",
        arguments: [
            ("+01:02", nil, 62), ("-3d", nil, -4_320), ("+1d00:30", nil, 1_470), ("NIKON D90=-00:01", "NIKON D90", -1),
            ("X=+2d", "X", 2_880),
        ] as [(String, String?, Int)])
    func offsets(text: String, camera: String?, minutes: Int) throws {
        #expect(try offsets(text) == [camera: minutes])
    }

    @Test("other texts are no time to add", arguments: ["", "1:00", "+", "+1", "+00:60", "D90=", "+1d1", "1d"])
    func noOffsets(text: String) {
        #expect(throws: UsageError.self) { try offsets(text) }
    }

    private func offsets(_ text: String) throws -> [String?: Int] {
        let options = [OptionHelp("--camera-offset", "OFFSET", Text("", ""))]
        return try Arguments(["--camera-offset", text], options: options) { UsageError($0, $0) }.cameraOffsets()
    }
}
