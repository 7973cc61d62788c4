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
