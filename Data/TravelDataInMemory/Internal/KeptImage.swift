import TravelDomain

/// An image as the store keeps it: with the travel that it goes with.
struct KeptImage: Sendable {
    let image: TravelImage
    let travel: Travel.ID
}
