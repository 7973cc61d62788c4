public import TravelDomain

/// A store that keeps every port of the domain that travels, their images and their people have.
public typealias TravelStore = any TravelRepository & TravelEditingRepository & TravelObservingRepository
    & TitleRepository & ImageRepository & ModerationRepository & UserRepository
