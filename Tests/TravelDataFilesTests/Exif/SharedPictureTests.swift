import Foundation
import TestConcurrency
import Testing
import TravelDomain
import TravelDomainTesting
import TravelFileSamples

@testable import TravelDataFiles

@Suite("Pictures in shared files", .limitedConcurrency)
struct SharedPictureTests {
    /// A trip that shows pictures, one an entry, and the first one as its own.
    private static func trip(_ pictures: [[UInt8]]) throws -> ExportedTrip {
        let images = try pictures.map { try TripImage(bytes: Data($0)) }
        let trip = try TripBuilder(seed: 1).with {
            $0.thumbnail = images.first?.id
            $0.timeline = try images.enumerated().map {
                try TimelineEntry(
                    day: 1, time: TimeOfDay(hour: $0), title: Title("a"), text: EntryText("b"),
                    place: Place(name: "c", coordinate: Coordinate(latitude: 1, longitude: 2)),
                    pictures: [Picture($1.id)])
            }
        }.build()
        return try ExportedTrip(trip, images: images)
    }

    private static func gives(_ file: Data, _ secret: [UInt8]) -> Bool { file.range(of: Data(secret)) != nil }

    @Test("no file that is made for sharing has the place, XMP, comments or trailing data of a picture; JSON has them")
    func sharedFiles() throws {
        let built = PictureFile().formats
        let exported = try Self.trip(built.map(\.bytes))
        let secrets = [Array(PictureFile.secret.utf8), PictureFile.latitude]
        let pictures = exported.images.compactMap(SharedPicture.init)
        #expect(pictures.map(\.mediaType) == ["image/jpeg", "image/png", "image/webp", "image/gif"])
        let files =
            pictures.map(\.bytes) + [
                GPXWriter().data(for: exported.trip), try GeoJSONWriter().data(for: exported.trip),
            ]
        for (file, secret) in files.flatMap({ file in secrets.map { (file, $0) } }) {
            #expect(!Self.gives(file, secret))
            #expect(!Self.gives(file, Array(Data(secret).base64EncodedString().utf8)))
        }
        let backup = try TravelJSONReader().trips(in: TravelJSONWriter().data(for: [exported]))
        #expect(backup == [exported])
        #expect(built.allSatisfy { Self.gives(Data($0.bytes), secrets[0]) })
    }

    @Test("a picture keeps its data, colour profile and orientation", arguments: 1...8)
    func kept(orientation: Int) throws {
        for (format, bytes) in PictureFile(orientation: orientation).formats {
            let image = try TripImage(bytes: Data(bytes))
            let shared = try #require(SharedPicture(image)).bytes
            #expect(ImageFormat(of: shared) == format)
            let hasPicture = Self.gives(shared, PictureFile.picture)
            #expect(hasPicture, "\(format)")
            let again = try #require(SharedPicture(try TripImage(bytes: shared))).bytes
            #expect(again == shared, "\(format)")
            if format == .gif { continue }
            let hasProfile = Self.gives(shared, PictureFile.profile)
            #expect(hasProfile, "\(format)")
            let file = ByteReader(shared).exifBlock.flatMap(TIFFFile.init)
            let tag = file?.short(.orientation, in: file?.firstDirectory ?? [:])
            #expect(tag == (orientation == 1 ? nil : orientation))
        }
    }

    @Test("the parts of a shared JPEG file are those that a decoder needs, in their order")
    func partsOfJPEG() throws {
        let shared = try #require(SharedPicture(try TripImage(bytes: Data(PictureFile(orientation: 1).jpeg)))).bytes
        var markers: [UInt8] = []
        for (index, byte) in shared.enumerated().dropLast() where byte == 0xFF && shared[index + 1] >= 0xC0 {
            markers.append(shared[index + 1])
        }
        #expect(
            markers == [0xD8, 0xE0, 0xE2, 0xEE, 0xDB, 0xC2, 0xC4, 0xDA, 0xD0, 0xDA, 0xD0, 0xD9])
    }

    @Test("a shared PNG file is exact: signature, header, Exif with a checksum, profile, data, end")
    func partsOfPNG() throws {
        let shared = try #require(SharedPicture(try TripImage(bytes: Data(PictureFile().png)))).bytes
        let tail = Data([0, 0, 0, 0]) + Data("IEND".utf8) + Data([0xAE, 0x42, 0x60, 0x82])
        #expect(shared.suffix(12) == tail)
        let types = ["IHDR", "eXIf", "iCCP", "IDAT", "IEND"].map { shared.range(of: Data($0.utf8))?.lowerBound ?? -1 }
        #expect(types == types.sorted() && types[0] == 12)
    }

    @Test("a damaged picture is shared without its metadata, or not at all, and never traps")
    func damaged() throws {
        for (format, bytes) in PictureFile().formats {
            for length in 12..<bytes.count {
                let shared = SharedPicture(try TripImage(bytes: Data(bytes.prefix(length))))
                let gives = shared.map { Self.gives($0.bytes, Array(PictureFile.secret.utf8)) } ?? false
                #expect(!gives, "\(format), \(length) bytes")
            }
            var random = SeededGenerator(seed: 1)
            for _ in 0..<2_000 {
                var changed = bytes
                for _ in 0...Int.random(in: 0..<4, using: &random) {
                    changed[Int.random(in: 12..<changed.count, using: &random)] = .random(in: 0...255, using: &random)
                }
                let shared = SharedPicture(try TripImage(bytes: Data(changed)))
                #expect(shared.map { ImageFormat(of: $0.bytes) == format } ?? true)
            }
        }
    }

    @Test("a damaged picture, and HEIC where it cannot be converted, cannot be shared")
    func unshareable() throws {
        var heic = ExifFile()
        heic.image = [(0x013B, PictureFile.secret)]
        #expect(SharedPicture(try TripImage(bytes: Data(PictureFile().png.prefix(40)))) == nil)
        for format in [ExifFile.Container.heic, .avif] {
            #expect(SharedPicture(try TripImage(bytes: heic.data(in: format))) == nil, "\(format)")
        }
    }
}
