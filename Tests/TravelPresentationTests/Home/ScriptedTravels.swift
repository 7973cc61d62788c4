import StreamsTesting
import Synchronization
import TravelDataInMemory
import TravelPresentation

/// A repository with scripted answers, each after 100 ticks.
final class ScriptedTravels: TravelRepository {
    enum Answer {
        /// That many travels, with new ids.
        case page(Int, hasMore: Bool)
        /// A temporary outage.
        case failure
    }

    private struct State {
        var answers: ArraySlice<Answer>
        var shown = 0
        var requests = 0
        var cancellations = 0
    }

    private let state: Mutex<State>
    private let sample: [Travel]
    private let clock: VirtualClock

    init(answers: [Answer], clock: VirtualClock) throws {
        state = Mutex(State(answers: answers[...]))
        self.clock = clock
        sample = try SampleTrips.all.map { trip in
            try Travel(
                id: trip.travel.id, author: trip.travel.author, content: trip.travel.content,
                createdAt: trip.travel.createdAt, likeCount: 0, isLiked: false, isMine: false)
        }
    }

    var requests: Int { state.withLock { $0.requests } }
    var cancellations: Int { state.withLock { $0.cancellations } }

    func search(_ query: TravelQuery) async throws -> TravelPage {
        let answer = state.withLock { state in
            state.requests += 1
            return state.answers.popFirst()
        }
        do {
            try await clock.sleep(for: .milliseconds(100))
        } catch {
            state.withLock { $0.cancellations += 1 }
            throw error
        }
        guard case .page(let count, let hasMore) = answer else {
            throw TravelError.unavailable(.init("The store is busy.", canRetry: true))
        }
        let travels = state.withLock { state in
            defer { state.shown += count }
            return Array(sample[state.shown..<state.shown + count])
        }
        let next = hasMore ? travels.last.map { TravelCursor(after: $0, in: query.criteria.sort) } : nil
        return TravelPage(travels: travels, next: next)
    }

    func travel(_ id: Travel.ID, viewer: User.ID?) async throws -> Travel { throw TravelError.notFound(.travel(id)) }
    func timeline(of id: Travel.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        throw TravelError.notFound(.travel(id))
    }
    func add(_ travels: [RecordedTravel], images: [TravelImage]) async throws {}
    func setLiked(_ isLiked: Bool, travel id: Travel.ID, by user: User.ID) async throws {}
}
