#if Server
import Foundation
internal import TravelDomain
internal import TravelJSON

/// Reads pictures for one viewer, and has smaller ones made that the store does not have yet.
struct Pictures: Sendable {
    let application: Application
    /// The store as the viewer sees it.
    let trips: any TravelStore
    let viewer: User.ID?
    /// What takes turns with others.
    let network: String

    /// Calls `use` with a picture in a size, without metadata. At a time, only a few pictures are in memory here.
    ///
    /// - Parameter keepingMetadata: Whether its author gets a picture as it is stored.
    /// - Throws: ``TravelError/notFound(_:)`` also for a picture whose metadata cannot be removed; the errors of the store
    ///   and of `use`; `CancellationError`.
    func withPicture<Value>(
        _ id: TripImage.ID, in size: PictureSize?, keepingMetadata: Bool,
        _ use: (_ mediaType: String, _ bytes: Data) throws -> Value
    ) async throws -> Value {
        func read(converting: Bool) async throws -> Value? {
            try await picture(id, in: size, keepingMetadata: keepingMetadata, converting: converting).map(use)
        }
        if let value = try await application.longReads.inTurn(for: network, { try await read(converting: false) }) {
            return value
        }
        // Nothing of it is in memory while it waits, and another request may have it made meanwhile.
        let value = try await application.conversions.inTurn(for: network) { try await read(converting: true) }
        guard let value else { throw TravelError.notFound(.image(id)) }
        return value
    }

    /// What the store has; `nil` for a picture that must be converted first, unless it is to be now.
    private func picture(
        _ id: TripImage.ID, in size: PictureSize?, keepingMetadata: Bool, converting: Bool
    ) async throws -> (mediaType: String, bytes: Data)? {
        switch try await trips.picture(id, in: size, viewer: viewer) {
        case .kept(let jpeg): return (ImageFormat.jpeg.mediaType, jpeg)
        case .original(let image, let isMine):
            // Without pages, there is nothing that removes metadata.
            guard !(isMine && keepingMetadata), let pages = application.pages else {
                return (image.format.mediaType, image.bytes)
            }
            if let convert = pages.conversion(of: image, to: size) {
                guard converting else { return nil }
                if let jpeg = await convert() {
                    // A picture that cannot be kept is made again.
                    if let size { try? await trips.keep(jpeg, of: image, in: size) }
                    return (ImageFormat.jpeg.mediaType, jpeg)
                }
            }
            guard let picture = pages.picture(image) else { throw TravelError.notFound(.image(id)) }
            return picture
        }
    }
}
#endif
