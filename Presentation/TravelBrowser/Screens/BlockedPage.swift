internal import TravelPages

/// The people whom the user has blocked.
struct BlockedPage: ScreenPage {
    struct State: Equatable {
        var content = BlockedViewModel.Content.loading
        /// Those who are being unblocked.
        var working: Set<User.ID> = []
    }

    enum Action: Hashable { case refresh, unblock(User.ID) }

    private let context: PageContext
    private let controls: Controls

    init(_ context: PageContext) {
        self.context = context
        controls = Controls(context)
    }

    func title(of state: State) -> String { context[.blockedUsers] }
    func isLoading(_ state: State) -> Bool { state.content == .loading || !state.working.isEmpty }

    func actions(for input: PageInput, in state: State) -> [Action]? {
        guard case .control(let control) = input else { return nil }
        return switch control.name {
        case "refresh": [.refresh]
        case "unblock": control.id().map { [.unblock($0)] } ?? []
        default: nil
        }
    }

    @HTML.Builder
    func view(of state: State) -> HTML {
        HTML("h1") { context[.blockedUsers] }
        switch state.content {
        case .loading: controls.loading()
        case .failed(let failure): controls.failure(failure, retry: .init("refresh"))
        case .users(let users):
            if users.isEmpty { HTML("p", ["class": "empty"]) { context[.nobodyBlocked] } }
            HTML("ul", ["id": "people", "class": "people"]) {
                for user in users { row(user, isWorking: state.working.contains(user.id)) }
            }
        }
    }

    private func row(_ user: User, isWorking: Bool) -> HTML {
        HTML("li", ["id": "user-\(user.id)", "aria-busy": isWorking ? "true" : nil]) {
            HTML("bdi", ["id": "name-\(user.id)"]) { user.nickname.text }
            HTML(
                "button",
                [
                    "id": "unblock-\(user.id)", "type": "submit", "form": "controls", "name": "do",
                    "value": PageInput.Control("unblock", "\(user.id)").text, "class": "plain",
                    "disabled": isWorking ? "disabled" : nil,
                    // All of them have the same text.
                    "aria-labelledby": "unblock-\(user.id) name-\(user.id)",
                ]
            ) { context[.unblock] }
        }
    }
}

/// The view model of the blocked people, bound once.
@MainActor
final class BlockedModel: PageModel {
    private let content: Bound<BlockedViewModel.Content>
    private let working: Bound<Set<User.ID>>
    private let refreshTapped = PublishRelay<Void>()
    private let unblockTapped = PublishRelay<User.ID>()
    private let bag = DisposeBag()

    init(_ viewModel: BlockedViewModel, in context: AppContext, emit: @escaping @MainActor (ScreenEvent) -> Void) {
        let output = viewModel.transform(
            .init(refreshTapped: refreshTapped.asObservable(), unblockTapped: unblockTapped.asObservable()))
        working = Bound(output.working, initially: [], in: context, bag)
        output.events.emit(onNext: { emit($0) }).disposed(by: bag)
        content = Bound(output.content, initially: .loading, in: context, bag)
    }

    var state: BlockedPage.State { .init(content: content.value, working: working.value) }

    func send(_ action: BlockedPage.Action) {
        switch action {
        case .refresh: refreshTapped.accept(())
        case .unblock(let id): unblockTapped.accept(id)
        }
    }
}
