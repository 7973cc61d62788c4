public import TravelDomain

/// A store that implements all repository protocols for travels, images and people.
public typealias TravelStore = any TravelRepository & TravelEditingRepository & TravelObservingRepository
    & TitleRepository & ImageRepository & ModerationRepository & UserRepository
