#if Server
import Foundation
import Synchronization
internal import TravelDomain

/// The maps of trips that were drawn last.
final class KeptMaps: Sendable {
    struct Key: Hashable {
        let trip: Trip.ID
        /// ``MapPicture/appearance``.
        let appearance: Int
    }

    private struct State {
        var maps: [Key: (bytes: Data, use: UInt64)] = [:]
        var size = 0
        var uses: UInt64 = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    /// Keeps maps of `limit` bytes together.
    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { state.withLock { $0.maps.count } }

    /// The map that is kept, or the one that `draw` returns, which is kept in place of those that were not wanted for longest.
    func map(_ key: Key, _ draw: () -> Data?) -> Data? {
        let kept = state.withLock { state in
            state.uses += 1
            state.maps[key]?.use = state.uses
            return state.maps[key]?.bytes
        }
        if let kept { return kept }
        guard let bytes = draw() else { return nil }
        guard bytes.count <= limit else { return bytes }
        state.withLock { state in
            state.uses += 1
            state.size += bytes.count - (state.maps.updateValue((bytes, state.uses), forKey: key)?.bytes.count ?? 0)
            while state.size > limit, let oldest = state.maps.min(by: { $0.value.use < $1.value.use }) {
                state.maps[oldest.key] = nil
                state.size -= oldest.value.bytes.count
            }
        }
        return bytes
    }
}
#endif
