/// The purpose of a trip.
///
/// ```swift
/// TravelCriteria(themes: [.food, .art])    // trips with either purpose
/// ```
public enum Theme: String, CaseIterable, Hashable, Sendable {
    /// Rest: a trip to recover, with little to do.
    case healing
    /// Sports and adventure, on land or on water.
    case activity
    /// Camping: one or more nights outdoors.
    case camping
    /// Restaurants and markets, the food of the region.
    case food
    /// Museums, galleries, music: the arts of the region.
    case art
    /// Places that are visited for their atmosphere.
    case mood
    /// Mountains, coasts and forests: nature above all.
    case nature
    /// Shops and outlets, as the purpose of the trip.
    case shopping
    /// Relatives of the author, of any generation.
    case familyDuty
}

/// The company on a trip.
///
/// ```swift
/// TravelCriteria(companions: [.pets])    // trips with animals
/// ```
public enum Companion: String, CaseIterable, Hashable, Sendable {
    /// Relatives.
    case family
    /// Friends of the author, one or several.
    case friends
    /// The partner of the author, married or not.
    case partner
    /// Animals that travel with the author.
    case pets
}

/// The number of people on a trip.
///
/// ```swift
/// Headcount(rawValue: 2)    // .two
/// ```
public enum Headcount: Int, CaseIterable, Hashable, Sendable {
    /// One person: the author travels alone.
    case one = 1
    /// Two people, the author included in the number.
    case two
    /// Three people, the author included in the number.
    case three
    /// Four people, the author included in the number.
    case four
    /// Five people or more, the author included.
    case fiveOrMore
}

/// The cost of a trip per person, in units of 10,000 won.
///
/// ```swift
/// TravelCriteria(budget: .under10)    // trips below 100,000 won a person
/// ```
public enum Budget: String, CaseIterable, Hashable, Sendable {
    /// Below 100,000 won for each person.
    case under10
    /// From 100,000 to 500,000 won for each person.
    case from10to50
    /// From 500,000 to 1,000,000 won for each person.
    case from50to100
    /// Above 1,000,000 won for each person.
    case over100
}

/// The means of transportation on a trip.
///
/// ```swift
/// TravelCriteria(transportation: .publicTransport)    // trips without a car
/// ```
public enum Transportation: String, CaseIterable, Hashable, Sendable {
    /// Public transport: bus, train, ferry or taxi.
    case publicTransport
    /// The author's own car, in place of public transport.
    case ownCar
}
