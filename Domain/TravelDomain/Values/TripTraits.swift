/// The purpose of a trip.
///
/// ```swift
/// TravelCriteria(themes: [.food, .art])    // trips with either purpose
/// ```
public enum Theme: String, CaseIterable, Hashable, Sendable {
    /// Rest.
    case healing
    /// Sports and adventure.
    case activity
    /// Nights outdoors.
    case camping
    /// Restaurants and markets.
    case food
    /// Museums, galleries, music.
    case art
    /// Places with a special atmosphere.
    case mood
    /// Mountains, coasts, forests.
    case nature
    /// Shops and outlets.
    case shopping
    /// A trip for one's parents or children.
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
    /// Friends.
    case friends
    /// A partner.
    case partner
    /// Animals.
    case pets
}

/// The number of people on a trip.
///
/// ```swift
/// Headcount(rawValue: 2)    // .two
/// ```
public enum Headcount: Int, CaseIterable, Hashable, Sendable {
    /// One.
    case one = 1
    /// Two.
    case two
    /// Three.
    case three
    /// Four.
    case four
    /// Five or more.
    case fiveOrMore
}

/// The cost of a trip per person, in units of 10,000 won.
///
/// ```swift
/// TravelCriteria(budget: .under10)    // trips below 100,000 won a person
/// ```
public enum Budget: String, CaseIterable, Hashable, Sendable {
    /// Below 100,000 won.
    case under10
    /// From 100,000 to 500,000 won.
    case from10to50
    /// From 500,000 to 1,000,000 won.
    case from50to100
    /// Above 1,000,000 won.
    case over100
}

/// The means of transportation on a trip.
///
/// ```swift
/// TravelCriteria(transportation: .publicTransport)    // trips without a car
/// ```
public enum Transportation: String, CaseIterable, Hashable, Sendable {
    /// Bus, train, ferry, taxi.
    case publicTransport
    /// One's own car.
    case ownCar
}
