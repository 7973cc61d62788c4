public import TravelDomain

/// Trips through all 17 regions of South Korea, in the seasons of the years 2022–2026, for a first look around.
///
/// The trips are the same every time, identities included: adding them to a store that has them already is a
/// conflict and duplicates nothing.
///
/// ```swift
/// try await repository.add(SampleTrips.all.map(\.travel))
/// for trip in SampleTrips.all {
///     for user in trip.likedBy { try await repository.setLiked(true, travel: trip.travel.id, by: user) }
/// }
/// ```
public enum SampleTrips {
    /// All sample trips, region by region. Each entry of their timelines has a place of ``Gazetteer/korea``.
    public static let all: [SampleTrip] = Region.allCases.flatMap { region in
        do {
            return try trips(in: region, from: text(of: region), places: .korea)
        } catch {
            preconditionFailure("The sample trips of \(region.rawValue): \(error)")
        }
    }

    /// Everyone who appears in the trips, as author or because they like one.
    public static let travelers: [User] = zip(travelerLetters, nicknames).map { letter, nickname in
        do {
            return User(id: travelerID(letter), nickname: try Nickname(nickname))
        } catch {
            preconditionFailure("The nickname of \(letter): \(error)")
        }
    }
}
