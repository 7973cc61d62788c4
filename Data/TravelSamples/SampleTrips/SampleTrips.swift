public import TravelDomain

/// Sample trips through all 17 regions of South Korea, in the years 2022–2026.
///
/// The trips and their IDs are always the same. Adding them to a repository that already has them throws a conflict
/// and changes nothing.
///
/// ```swift
/// try await repository.add(SampleTrips.all.map(\.travel))
/// for trip in SampleTrips.all {
///     for user in trip.likedBy { try await repository.setLiked(true, travel: trip.travel.id, by: user) }
/// }
/// ```
public enum SampleTrips {
    /// All sample trips, grouped by region. The place of each timeline entry is in ``Gazetteer/korea``.
    public static let all: [SampleTrip] = Region.ofKorea.flatMap { region in
        do {
            return try trips(in: region, from: text(of: region), places: .korea)
        } catch {
            preconditionFailure("The sample trips of \(region.rawValue): \(error)")
        }
    }

    /// The people who appear in the trips, as authors or because they like one.
    public static let travelers: [User] = zip(travelerLetters, nicknames).map { letter, nickname in
        do {
            return User(id: travelerID(letter), nickname: try Nickname(nickname))
        } catch {
            preconditionFailure("The nickname of \(letter): \(error)")
        }
    }
}
