import Foundation
internal import TravelDataShared

enum FileContents {
    /// Reads the whole file at `url`, which may also be a pipe.
    ///
    /// Stops as soon as more than `limit` bytes have arrived, so that an endless source cannot fill the memory.
    static func data(at url: URL, limit: Int) throws(TravelFileError) -> Data {
        var data = Data()
        do {
            let file = try FileHandle(forReadingFrom: url)
            while data.count <= limit, let more = try file.read(upToCount: 1 << 20), !more.isEmpty {
                data.append(more)
            }
        } catch {
            throw TravelFileError(.unreadable(reason(for: error)))
        }
        return data
    }

    /// The size of the pieces in which files are parsed, and the number of first bytes by which a format is known.
    static let headSize = 65_536

    /// The pieces of the file at `url`, one after another; `nil` at its end.
    static func chunks(of url: URL) throws(TravelFileError) -> () throws(XMLDecoder.Failure) -> Data? {
        let file: FileHandle
        do {
            file = try FileHandle(forReadingFrom: url)
        } catch {
            throw TravelFileError(.unreadable(reason(for: error)))
        }
        return { () throws(XMLDecoder.Failure) in
            do {
                return try file.read(upToCount: headSize)
            } catch {
                throw .unreadable(reason(for: error))
            }
        }
    }

    /// The pieces of a file in memory, one after another.
    static func chunks(of data: Data, size: Int = headSize) -> () throws(XMLDecoder.Failure) -> Data? {
        var rest = data
        return { () throws(XMLDecoder.Failure) in
            defer { rest = rest.dropFirst(size) }
            return rest.prefix(size)
        }
    }

    /// The first bytes that `read` returns, at least ``headSize`` if there are as many: a pipe may return fewer at a time.
    static func head(_ read: () throws(XMLDecoder.Failure) -> Data?) throws(TravelFileError) -> Data {
        var head = Data()
        do throws(XMLDecoder.Failure) {
            while head.count < headSize, let more = try read(), !more.isEmpty { head += more }
        } catch {
            guard case .unreadable(let reason) = error else { throw TravelFileError(.truncated) }
            throw TravelFileError(.unreadable(reason))
        }
        return head
    }

    /// Whether the first bytes are those of a gzip file or a zip archive.
    static func isPacked(_ head: Data) -> Bool { isGzip(head) || isZip(head) }

    private static func isGzip(_ head: Data) -> Bool { head.starts(with: [0x1F, 0x8B]) }
    private static func isZip(_ head: Data) -> Bool { head.starts(with: [0x50, 0x4B, 3, 4]) }

    /// The content of a file that is packed by gzip, or the map of a zip archive (KMZ), or both; other data as it is.
    static func unpacked(_ data: Data) throws(TravelFileError) -> Data {
        let limit = TravelFileReader.maximumSize
        guard data.count <= limit else { throw TravelFileError(.tooLarge(maximumBytes: limit)) }
        let data = isGzip(data) ? try Inflate.gzip(data, limit: limit) : data
        guard isZip(data) else { return data }
        let archive = try ZipArchive(data)
        func isMap(_ entry: ZipArchive.Entry) -> Bool { entry.name.lowercased().hasSuffix(".kml") }
        guard let map = archive.entries.first(where: { $0.name == "doc.kml" }) ?? archive.entries.first(where: isMap)
        else {
            throw TravelFileError(.notKML("a zip archive without a file of that kind"))
        }
        return try archive.content(of: map, limit: limit)
    }

    /// The name of the first element, if the bytes begin an XML file.
    static func root(of head: Data) -> String? {
        guard var xml = try? XMLReader(read: chunks(of: head)) else { return nil }
        // A fault behind its name, such as the end of the bytes, is of no interest here.
        _ = try? xml.next()
        return xml.root
    }

    /// Describes an error of the system in words, without the name of the file.
    static func reason(for error: any Error) -> String {
        let error = error as NSError
        let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
        return switch (cause.domain, cause.code) {
        case (NSPOSIXErrorDomain, Int(ENOENT)), (NSPOSIXErrorDomain, Int(ENOTDIR)),
            (NSCocoaErrorDomain, CocoaError.fileReadNoSuchFile.rawValue),
            (NSCocoaErrorDomain, CocoaError.fileNoSuchFile.rawValue):
            "there is no such file"
        case (NSPOSIXErrorDomain, Int(EACCES)), (NSPOSIXErrorDomain, Int(EPERM)),
            (NSCocoaErrorDomain, CocoaError.fileReadNoPermission.rawValue):
            "permission denied"
        case (NSPOSIXErrorDomain, Int(EISDIR)): "it is a directory"
        default: "the system returned error \(cause.code) of \(cause.domain)"
        }
    }
}

/// A trip with the images that it shows: the complete content of an export.
///
/// ```swift
/// let exported = try ExportedTrip(trip, images: [photo])
/// let file = try TravelJSONWriter().data(for: [exported])
/// try TravelJSONReader().trips(in: file) == [exported]    // true
/// ```
public struct ExportedTrip: Hashable, Sendable {
    public let trip: RecordedTrip
    /// The images of the trip without duplicates, in the order of `RecordedTrip.images`.
    public let images: [TripImage]

    /// Collects the images that `trip` shows from `images`; images that it does not show are left out.
    ///
    /// - Throws: `TravelError.notFound` when the trip shows an image that is not among `images`, and
    ///   `TravelError.conflict` when two of them have the same ID.
    public init(_ trip: RecordedTrip, images: [TripImage]) throws(TravelError) {
        var new = try NewImages(images)
        self.trip = trip
        self.images = try new.take(for: trip)
    }
}
