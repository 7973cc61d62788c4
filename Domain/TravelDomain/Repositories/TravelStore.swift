/// The protocols that one store of travels implements.
///
/// These protocols belong together, because their contracts depend on each other: visibility follows from reports and
/// blocks, and applies to searches, observations, titles and images; an image is stored with its travel; removing a
/// person removes everything they own; a new nickname appears on all travels. They can only be swapped together.
///
/// The other protocols are independent, and each can be swapped alone: ``PlaceRepository``, ``SessionRepository``,
/// ``IdentityProvider`` and ``RecentKeywordRepository``.
///
/// `TravelStoreContract` in `TravelDomainTesting` checks a store across its parts.
public typealias TravelStore = TravelRepository & TravelEditingRepository & TravelObservingRepository & UserRepository
    & ModerationRepository & TitleRepository & ImageRepository
