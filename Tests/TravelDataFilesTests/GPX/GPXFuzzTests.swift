import Foundation
import TestReporting
import TestConcurrency
import Testing
import TravelDomain

@testable import TravelDataFiles

/// Mutated GPX files: `GPX_MUTATIONS` of them, or a few. They are read in another process, which a trap ends.
#if os(Linux) || os(macOS)
@Suite("GPX files that were mutated", .limitedConcurrency(within: .seconds(3_600)))
struct GPXFuzzTests {
    @Test("a mutated file is read or refused with an error of one line, whatever its chunks are")
    func mutations() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("gpx-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }  // The folder is a temporary one.
        await #expect(processExitsWith: .success) { [path = path as String] in
            try Data().write(to: URL(filePath: path))
            let log = try #require(FileHandle(forWritingAtPath: path))
            for seed in 0..<MutatedGPX.count {
                let file = MutatedGPX(seed: seed).data
                // What a process wrote before it ended names the file that ended it.
                try log.seek(toOffset: 0)
                try log.write(contentsOf: Data("\(seed)".utf8))
                let whole = Self.outcome { () throws(TravelFileError) in try GPXReader().track(in: file) }
                let pieces = Self.outcome { () throws(TravelFileError) in
                    try GPXReader.track(in: file, inChunksOf: 1 + Int(seed % 7))
                }
                #expect(whole == pieces, "seed \(seed)")
                guard case .failure(let error) = whole else { continue }
                #expect(error.description.count < 250 && !error.description.contains("\n"), "seed \(seed)")
            }
        }
        let last = try String(contentsOfFile: path, encoding: .utf8)
        #expect(last == "\(MutatedGPX.count - 1)", "ended at seed \(last)")
    }

    private static func outcome(_ read: () throws(TravelFileError) -> Track) -> Result<Track, TravelFileError> {
        Result { () throws(TravelFileError) in try read() }
    }

    @Test(
        "a file that ends Foundation's parser for Linux is read or refused",
        arguments: [
            "<gpx version='1.1'><trks\u{FFFD}g></trks\u{FFFD}g></gpx>", "<gpx version='1.1' l\u{FFFD}='1'/>",
            "<gpx version='1.1' xmlns:\u{FFFD}='a'/>", "<gpx version='1.1'><!--\u{FFFD}--></gpx>",
            "<gpx version='1.1'>&\u{FFFD};</gpx>", "<gpx version='1.1'><?\u{FFFD} a?></gpx>", "<gpx <?p?>",
        ])
    func trapsOfFoundation(text: String) {
        // One byte that is no UTF-8 stands in place of each replacement character.
        let bytes = Data(text.unicodeScalars.flatMap { $0 == "\u{FFFD}" ? [0xE8] : Array(String($0).utf8) })
        let error = #expect(throws: TravelFileError.self) { try GPXReader().track(in: bytes) }
        #expect(error?.description.hasPrefix("Line 1, column ") == true)
    }

    @Test("processing instructions are ignored, with and without data")
    func instructions() throws {
        let text = "<?a?><gpx version=\"1.1\"><?p?><wpt lat=\"1\" lon=\"2\"><name>a<?q r?>b</name></wpt></gpx><?z?>"
        let track = try GPXReader().track(in: Data(text.utf8))
        #expect(track.waypoints.map(\.name) == ["ab"])
    }
}
#endif

/// A GPX file with a few random changes.
struct MutatedGPX {
    let data: Data

    /// How many files a test reads: `GPX_MUTATIONS`, or a few.
    static let count = ProcessInfo.processInfo.environment["GPX_MUTATIONS"].flatMap(UInt64.init) ?? 1_000

    private static let files = [
        """
        <?xml version="1.0" encoding="UTF-8" standalone="no"?>
        <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1" xmlns:x="urn:x">
        <metadata><name>가 &amp; b</name></metadata>
        <wpt lat="37.5" lon="127"><name><![CDATA[<a> ]] b]]></name><!-- c --></wpt>
        <trk><trkseg><trkpt lat="1" lon="2"><ele>3</ele><x:y z='1'>4</x:y></trkpt></trkseg></trk></gpx>

        """,
        "<gpx><wpt lat='1' lon='2'/><?p?><rte><rtept lat='3' lon='4'><desc>\r\n&#xAC00;&#13;</desc></rtept></rte></gpx>",
        "<?xml version='1.0' encoding='EUC-KR'?><gpx version='1.0'><time>2024-05-01T00:00:00Z</time></gpx><!-- e -->",
        "<!--a--><g:gpx xmlns:g='http://www.topografix.com/GPX/1/0'><g:wpt lat='9' lon='8'>é</g:wpt></g:gpx>",
    ]

    /// Texts, separated by line feeds, and bytes that are no UTF-8.
    private static let tokens =
        """
        <?p?>
        <?p q?>
        <?
        ?>
        <?xml version='1.0'?>
        <!--
        -->
        --
        <![CDATA[
        ]]>
        &
        &amp;
        &x;
        &#0;
        &#xD800;
        &#xFFFFFFFFFF;
        &#
        ;
        <!DOCTYPE a [<!ENTITY b 'c'>]>
        <!
        <
        >
        /
        </
        />
        '
        \"
        =
        \r
        \t
         a='b'
         xmlns=''
         xmlns:a='b'
        :
        <a>
        </a>
        <wpt>
        <gpx
        </gpx>
         encoding='ISO-8859-1'
         encoding='UTF-16'
        \u{0}
        \u{FEFF}
        가
        🏝
        \u{301}
        <é/>
        """
        .utf8.split(separator: 0x0A).map(Array.init) + [
            [0xE8], [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xEF, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0x80],
            [0xFE, 0xFF], [0x0A],
        ]

    init(seed: UInt64, isText: Bool = false) {
        var random = SeededGenerator(seed: seed)
        var bytes = Array(Self.files[Int.random(in: 0..<Self.files.count, using: &random)].utf8)
        // In other encodings before as well as after the changes.
        let encodings: [String.Encoding] = [
            .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian, .isoLatin1, .utf16, .utf32,
        ]
        if !isText, Int.random(in: 0..<4, using: &random) == 0 {
            let encoding = encodings[Int.random(in: 0..<encodings.count, using: &random)]
            if let data = String(decoding: bytes, as: UTF8.self).data(using: encoding) { bytes = Array(data) }
        }
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let start = Int.random(in: 0...bytes.count, using: &random)
            let end = min(bytes.count, start + Int.random(in: 0...12, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0 where start < bytes.count: bytes[start] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.removeSubrange(start..<end)
            case 2: bytes.insert(contentsOf: bytes[start..<end], at: Int.random(in: 0...bytes.count, using: &random))
            case 3: bytes.removeSubrange(start...)
            default:
                let token = Self.tokens[Int.random(in: 0..<Self.tokens.count, using: &random)]
                bytes.insert(contentsOf: token, at: start)
            }
        }
        data = Data(bytes)
    }
}
