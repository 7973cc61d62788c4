import Streams
import ViewModels

enum PostProblem: Equatable {
    case noTitle, titleTooLong, noBody
}

/// Creates a post, or edits and deletes one: save is enabled only for a valid post while no work is in progress.
struct PostEditorViewModel: ViewModel {
    struct Input {
        let title: Observable<String>
        let body: Observable<String>
        let titleLeft: Observable<Void>
        let saveTapped: Observable<Void>
        let deleteTapped: Observable<Void>
    }

    struct Output {
        let titleProblem: Driver<PostProblem?>
        let canSave: Driver<Bool>
        let isBusy: Driver<Bool>
        let error: Signal<any Error>
        /// The post was saved or deleted: close the editor.
        let done: Signal<Void>
    }

    let post: Post
    let store: any PostStore

    func transform(_ input: Input) -> Output {
        let activity = ActivityTracker()

        let title = FormField<String, PostProblem>(
            ValidationRule(.noTitle, unless: { !$0.isEmpty }),
            ValidationRule(.titleTooLong, unless: { $0.count <= 14 })
        )
        .transform(.init(value: input.title, touched: input.titleLeft))
        let body = FormField<String, PostProblem>(ValidationRule(.noBody, unless: { !$0.isEmpty }))
            .transform(.init(value: input.body))

        let canSave = Driver.combineLatest(title.isValid, body.isValid, activity.asDriver()) { $0 && $1 && !$2 }
        let draft = Driver.combineLatest(title.state, body.state) { title, body in
            Post(id: post.id, title: title.value, body: body.value)
        }

        let saved = input.saveTapped.withLatestFrom(canSave).filter { $0 }
            .withLatestFrom(draft)
            .flatMapFirst { draft in
                Single { try await store.save(draft) }.trackActivity(activity).asObservable().materialize()
            }
        let deleted = input.deleteTapped
            .flatMapFirst {
                Single { try await store.delete(post.id) }.trackActivity(activity).asObservable().materialize()
            }
        let work = Observable.merge(saved, deleted).share()

        return Output(
            titleProblem: title.problem,
            canSave: canSave,
            isBusy: activity.asDriver(),
            error: work.compactMap(\.error).asSignal(onErrorSignalWith: .empty()),
            done: work.compactMap(\.element).asSignal(onErrorSignalWith: .empty()))
    }
}
