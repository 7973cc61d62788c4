import Streams
import ViewModels

/// The list of posts: loads whenever it appears or is pulled to refresh, and opens the editor.
struct PostsViewModel: ViewModel {
    struct Input {
        let appeared: Observable<Void>
        let refreshed: Observable<Void>
        let postTapped: Observable<Post.ID>
        let createTapped: Observable<Void>
    }

    struct Output {
        let posts: Driver<[Post]>
        let isLoading: Driver<Bool>
        let error: Signal<any Error>
        /// Opens the editor for this post.
        let edit: Signal<Post>
    }

    let store: any PostStore
    let makeID: @Sendable () -> Post.ID

    func transform(_ input: Input) -> Output {
        let activity = ActivityTracker()
        let loads = Observable.merge(input.appeared, input.refreshed)
            .flatMapLatest { Single { try await store.posts() }.trackActivity(activity).asObservable().materialize() }
            .share()
        let posts = loads.compactMap(\.element).share(replay: 1)
        let tapped = input.postTapped.withLatestFrom(posts) { id, posts in posts.first { $0.id == id } }
        let created = input.createTapped.map { Post(id: makeID()) }

        return Output(
            posts: posts.asDriver(onErrorDriveWith: .empty()),
            isLoading: activity.asDriver(),
            error: loads.compactMap(\.error).asSignal(onErrorSignalWith: .empty()),
            edit: Observable.merge(tapped.compactMap { $0 }, created).asSignal(onErrorSignalWith: .empty()))
    }
}
