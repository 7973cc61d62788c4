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

    func image(_ id: TripImage.ID?) -> TripImage? {
        images.first { $0.id == id }
    }
}

/// The part of a timeline on one day.
struct TripDay {
    /// The day of the trip, 1-based.
    let number: Int
    let date: CalendarDay
    /// The entries in order; at least one.
    let entries: [TimelineEntry]
}

extension RecordedTrip {
    var daysWithEntries: [TripDay] { Self.days(timeline, from: content.days.first) }

    /// The days that have entries with a place on the map, in order, with these entries only.
    var daysWithPlaces: [TripDay] { Self.days(timeline.filter { $0.coordinate != nil }, from: content.days.first) }

    private static func days(_ entries: [TimelineEntry], from first: CalendarDay) -> [TripDay] {
        entries.chunked { $0.day == $1.day }.map {
            TripDay(number: $0[0].day, date: first.adding(days: $0[0].day - 1), entries: $0)
        }
    }
}

extension Array {
    /// Divides the array into the longest runs in which `belong` holds for all neighbours.
    func chunked(_ belong: (Element, Element) -> Bool) -> [[Element]] {
        var chunks: [[Element]] = []
        for element in self {
            if let last = chunks.last?.last, belong(last, element) {
                chunks[chunks.count - 1].append(element)
            } else {
                chunks.append([element])
            }
        }
        return chunks
    }
}
