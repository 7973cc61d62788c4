/// What one store of travels implements.
///
/// These protocols belong together, because their promises span each other: visibility follows from reports and blocks,
/// and applies to searches, observations, titles and images; an image is stored with its travel; removing a person removes
/// everything they own; a new nickname appears on all travels. They can only be swapped together.
///
/// Everything else stands alone and can be swapped by itself: ``PlaceRepository``, ``SessionRepository``,
/// ``IdentityProvider`` and ``RecentKeywordRepository``.
///
/// `TravelStoreContract` in `TravelDomainTesting` checks a store across its parts.
public typealias TravelStore = TravelRepository & TravelEditingRepository & TravelObservingRepository & UserRepository
    & ModerationRepository & TitleRepository & ImageRepository
