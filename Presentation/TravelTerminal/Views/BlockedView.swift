/// The authors whom the user has blocked.
@MainActor
final class BlockedView: ScreenView {
    private let context: AppContext
    private let content: Bound<BlockedViewModel.Content>
    private let working: Bound<Set<User.ID>>
    private let refreshTapped = PublishRelay<Void>()
    private let unblockTapped = PublishRelay<User.ID>()
    private let backTapped = PublishRelay<Void>()
    private let bag = DisposeBag()
    private var list = RowList()

    init(_ viewModel: BlockedViewModel, in context: AppContext, emit: @escaping @MainActor (ScreenEvent) -> Void) {
        self.context = context
        let output = viewModel.transform(
            .init(
                refreshTapped: refreshTapped.asObservable(), unblockTapped: unblockTapped.asObservable(),
                backTapped: backTapped.asObservable()))
        working = Bound(output.working, initially: [], in: context, bag)
        output.events.emit(onNext: { emit($0) }).disposed(by: bag)
        content = Bound(output.content, initially: .loading, in: context, bag)
    }

    private var users: [User] {
        if case .users(let users) = content.value { users } else { [] }
    }

    var title: String { context.language[.blockedUsers] }

    var keys: [KeyLine.Item] {
        [
            context.item("↑↓", .move), context.item("↵", .unblock), context.item("r", .refresh),
            context.item("Esc", .back),
        ]
    }

    func handle(_ event: InputEvent) -> Bool {
        guard case .key(let key) = event else { return false }
        let users = users
        list.setCount(users.count)
        switch key {
        case .enter where users.indices.contains(list.current): unblockTapped.accept(users[list.current].id)
        case .character("r"): refreshTapped.accept(())
        case .escape, .character("q"), .backspace: backTapped.accept(())
        default: return list.handle(key)
        }
        return true
    }

    func render(into grid: inout Grid, in rect: Rect) {
        let area = rect.inset(columns: 2, rows: 1)
        switch content.value {
        case .loading: grid.draw(context.language[.loading], in: area, Styles.dim)
        case .failed(let failure): grid.draw(failure.text(in: context.language), in: area, Styles.error)
        case .users(let users) where users.isEmpty:
            grid.draw(context.language[.nobodyBlocked], in: area, Styles.dim)
        case .users(let users):
            list.setCount(users.count)
            list.setVisible(area.rows)
            list.render(into: &grid, in: area) { index, row, isCurrent, grid in
                let isWorking = working.value.contains(users[index].id)
                grid.drawRow(users[index].nickname.text + (isWorking ? " …" : ""), in: row, isCurrent)
            }
        }
    }
}
