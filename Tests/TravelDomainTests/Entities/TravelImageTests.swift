import Foundation
import Testing
import TravelDomain
import TravelDomainTesting

@Suite("Images")
struct TravelImageTests {
    @Test(
        "the format is detected from the bytes",
        arguments: [
            ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg), ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
            (Array("GIF87a".utf8), .gif), (Array("GIF89a...".utf8), .gif), (Array("RIFF\0\0\0\0WEBPVP8 ".utf8), .webP),
            (Array("\0\0\0\u{18}ftypheic".utf8), .heic), (Array("\0\0\0\u{18}ftypmif1....".utf8), .heic),
            (Array("\0\0\0\u{1C}ftypavif".utf8), .avif),
            ([0xFF, 0xD8], nil), ([0x89, 0x50, 0x4E, 0x47], nil), (Array("GIF88a".utf8), nil),
            (Array("RIFF\0\0\0\0WAVE".utf8), nil), (Array("\0\0\0\u{18}ftypmp42".utf8), nil),
            (Array("<svg></svg>".utf8), nil), (Array("BM".utf8), nil), ([0], nil),
        ] as [([UInt8], ImageFormat?)])
    func formats(bytes: [UInt8], format: ImageFormat?) throws {
        guard let format else {
            let expected = "a JPEG, PNG, GIF, WebP, HEIC or AVIF picture"
            #expect(throws: TravelError.invalid(Violation(.image, .malformed(expected: expected)))) {
                try TravelImage(bytes: Data(bytes))
            }
            return
        }
        #expect(try TravelImage(bytes: Data(bytes)).format == format)
        // A slice of other bytes, whose indices do not begin at 0.
        #expect(try TravelImage(bytes: Data([1, 2, 3] + bytes).dropFirst(3)).format == format)
    }

    @Test("an image has between 1 byte and 10 MiB")
    func sizes() throws {
        #expect(throws: TravelError.invalid(Violation(.image, .empty))) { try TravelImage(bytes: Data()) }
        let largest = Data([0xFF, 0xD8, 0xFF]) + Data(count: 10 * 1_048_576 - 3)
        #expect(try TravelImage(bytes: largest).bytes.count == 10_485_760)
        #expect(throws: TravelError.invalid(Violation(.image, .tooLarge(maximumBytes: 10_485_760)))) {
            try TravelImage(bytes: largest + [0])
        }
    }
}
