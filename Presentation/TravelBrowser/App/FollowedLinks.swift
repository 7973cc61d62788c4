internal import Synchronization

/// The links that the user of a session has followed to trips: their keys, by which the screens of these trips see them.
///
/// The keys are those of one session and end with it; whoever has no key sees nothing by those of others. They are of no
/// use any more when the owner withdraws the link, also for screens that are open.
final class FollowedLinks: Equatable, Sendable {
    /// The number of keys that are kept; the one that was followed least recently goes.
    static let maximumCount = 100

    private let links = Mutex<[(trip: Trip.ID, key: LinkKey)]>([])

    func key(of trip: Trip.ID) -> LinkKey? {
        links.withLock { links in links.first { $0.trip == trip }?.key }
    }

    /// Keeps a key that opens the trip, in place of an earlier one.
    func keep(_ key: LinkKey, of trip: Trip.ID) {
        links.withLock { links in
            links.removeAll { $0.trip == trip }
            links = links.suffix(Self.maximumCount - 1) + [(trip, key)]
        }
    }

    /// The address of a screen, with the key of the link to its trip if there is one.
    func address(of screen: Screen) -> ScreenAddress { ScreenAddress(screen, key: screen.tripID.flatMap(key)) }

    static func == (left: FollowedLinks, right: FollowedLinks) -> Bool { left === right }
}
