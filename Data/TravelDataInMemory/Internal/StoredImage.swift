import TravelDomain

/// A stored image with the travel that shows it.
struct StoredImage: Sendable {
    let image: TravelImage
    let travel: Travel.ID
}
