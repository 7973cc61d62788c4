import StreamsTesting
import Synchronization

struct Post: Equatable, Identifiable, Sendable {
    let id: Int
    var title = ""
    var body = ""
}

/// Stores posts. Its calls take time, and may fail.
protocol PostStore: Sendable {
    func posts() async throws -> [Post]
    func save(_ post: Post) async throws
    func delete(_ id: Post.ID) async throws
}

struct StoreIsBusy: Error, Equatable {}

/// A store in virtual time; each call takes 100 ms and fails while the test sets it to busy.
final class InMemoryPostStore: PostStore {
    private let state: Mutex<(posts: [Post], isBusy: Bool, uses: Int)>
    private let clock: VirtualClock

    init(_ posts: [Post] = [], clock: VirtualClock) {
        state = Mutex((posts, false, 0))
        self.clock = clock
    }

    var isBusy: Bool {
        get { state.withLock { $0.isBusy } }
        set { state.withLock { $0.isBusy = newValue } }
    }

    var all: [Post] { state.withLock { $0.posts } }
    var uses: Int { state.withLock { $0.uses } }

    func posts() async throws -> [Post] {
        try await use()
        return all
    }

    func save(_ post: Post) async throws {
        try await use()
        state.withLock { state in
            state.posts.removeAll { $0.id == post.id }
            state.posts.append(post)
        }
    }

    func delete(_ id: Post.ID) async throws {
        try await use()
        state.withLock { $0.posts.removeAll { $0.id == id } }
    }

    private func use() async throws {
        state.withLock { $0.uses += 1 }
        try await clock.sleep(for: .milliseconds(100))
        if isBusy { throw StoreIsBusy() }
    }
}
