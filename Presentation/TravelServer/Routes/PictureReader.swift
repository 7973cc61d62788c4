#if Server
import Foundation
package import TravelDomain
internal import TravelJSON

/// Reads pictures of a store as a viewer sees them, and has smaller ones made that the store does not have yet. Only a few
/// are in memory at a time; clients take turns.
package struct PictureReader: Sendable {
    private let pages: (any TripPages)?
    private let reads: Turns
    private let conversions: Turns

    /// - Parameters:
    ///   - pages: What removes metadata and converts; with `nil`, pictures are returned as they are stored.
    ///   - reads: Limits the pictures that are read at a time.
    ///   - conversions: Limits the pictures that are converted at a time.
    package init(pages: (any TripPages)?, reads: Turns = Turns(limit: 8), conversions: Turns) {
        (self.pages, self.reads, self.conversions) = (pages, reads, conversions)
    }

    /// Calls `use` with a picture in a size, without metadata.
    ///
    /// - Parameters:
    ///   - trips: The store as the viewer sees it.
    ///   - viewer: The user who looks at the picture; `nil` if nobody is signed in.
    ///   - client: The client that takes turns with others.
    ///   - keepingMetadata: Whether its author gets the picture as it is stored.
    /// - Throws: ``TravelError/notFound(_:)`` also for a picture whose metadata cannot be removed; the errors of the store
    ///   and of `use`; `CancellationError`.
    package func withPicture<Value>(
        _ id: TripImage.ID, in size: PictureSize?, of trips: any TravelStore, viewer: User.ID?, for client: String,
        keepingMetadata: Bool = false, _ use: (_ mediaType: String, _ bytes: Data) throws -> Value
    ) async throws -> Value {
        func read(converting: Bool) async throws -> Value? {
            let stored = try await trips.picture(id, in: size, viewer: viewer)
            return try await picture(
                stored, in: size, of: trips, keepingMetadata: keepingMetadata, converting: converting
            ).map(use)
        }
        if let value = try await reads.inTurn(for: client, { try await read(converting: false) }) { return value }
        // Nothing of it is in memory while it waits, and another request may have it made meanwhile.
        let value = try await conversions.inTurn(for: client) { try await read(converting: true) }
        guard let value else { throw TravelError.notFound(.image(id)) }
        return value
    }

    /// What the store has; `nil` for a picture that must be converted first, unless it is to be now.
    private func picture(
        _ stored: StoredPicture, in size: PictureSize?, of trips: any TravelStore, keepingMetadata: Bool,
        converting: Bool
    ) async throws -> (mediaType: String, bytes: Data)? {
        switch stored {
        case .kept(let jpeg): return (ImageFormat.jpeg.mediaType, jpeg)
        case .original(let image, let isMine):
            // Without pages, there is nothing that removes metadata.
            guard !(isMine && keepingMetadata), let pages else { return (image.format.mediaType, image.bytes) }
            if let convert = pages.conversion(of: image, to: size) {
                guard converting else { return nil }
                if let jpeg = await convert() {
                    // A picture that cannot be kept is made again.
                    if let size { try? await trips.keep(jpeg, of: image, in: size) }
                    return (ImageFormat.jpeg.mediaType, jpeg)
                }
            }
            guard let picture = pages.picture(image) else { throw TravelError.notFound(.image(image.id)) }
            return picture
        }
    }
}
#endif
