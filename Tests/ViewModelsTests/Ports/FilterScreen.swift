import Streams
import ViewModels

// A search with eight filters, from an app in the style of ReactorKit: once as a class on the app's base class, and
// once as a `MutationFlow`. The bodies of `transform`, its helpers and `reduce` are the same, word for word.

struct Trip: Equatable, Sendable {
    let id: Int
    var isLiked = false
}

struct TripPage: Sendable {
    let trips: [Trip]
    let next: Int?
}

/// The criteria of a search.
struct TripFilter: Equatable, Sendable {
    var keyword = ""
    var region: String?
    var theme: String?
    var people: Int?
    var transport: String?
    var budget: Int?
    var months: Set<Int> = []
    var isWithPhotos = false
}

/// The source of the screen's trips.
struct TripSource: Sendable {
    var search: @Sendable (TripFilter, _ page: Int) -> Observable<TripPage>
    var like: @Sendable (_ id: Int, Bool) -> Observable<Never>
}

enum FilterAction: Sendable {
    case appeared
    case keywordTyped(String), regionTapped(String), themeTapped(String), peopleChosen(Int?), transportTapped(String)
    case budgetChosen(Int?), monthTapped(Int), photosSwitched(Bool)
    case resetTapped, reachedEnd, likeTapped(Int)
}

enum FilterSideEffect: Sendable {
    case filter(TripFilter), loading(Bool), first(TripPage), next(TripPage), like(Int, Bool), failed(String)
}

struct FilterState: Equatable, Sendable {
    var filter = TripFilter()
    var isLoading = false
    var trips: [Trip] = []
    var next: Int?
    @Pulse var toast: String?
}

/// The base class of such an app.
class BaseViewModel<Action: Sendable, SideEffect: Sendable, State: Sendable>: @unchecked Sendable {
    // `@unchecked Sendable`: used on one thread, as such apps do.
    private(set) var currentState: State
    private let bag = DisposeBag()

    init(_ initialState: State) {
        currentState = initialState
    }

    final func send(_ action: Action) {
        transform(action).subscribe(onNext: { [weak self] sideEffect in
            guard let self else { return }
            currentState = reduce(currentState, sideEffect)
        }).disposed(by: bag)
    }

    func transform(_ action: Action) -> Observable<SideEffect> { .empty() }
    func reduce(_ state: State, _ sideEffect: SideEffect) -> State { state }
}

final class FilterViewModel: BaseViewModel<FilterAction, FilterSideEffect, FilterState>, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass, and adds only a `let` of a `Sendable` type.
    private let source: TripSource

    init(source: TripSource) {
        self.source = source
        super.init(FilterState())
    }

    // body begins
    override func transform(_ action: FilterAction) -> Observable<FilterSideEffect> {
        switch action {
        case .appeared: return search()
        case .keywordTyped(let keyword): return change { $0.keyword = keyword }
        case .regionTapped(let region): return change { $0.region = $0.region == region ? nil : region }
        case .themeTapped(let theme): return change { $0.theme = $0.theme == theme ? nil : theme }
        case .peopleChosen(let people): return change { $0.people = people }
        case .transportTapped(let means): return change { $0.transport = $0.transport == means ? nil : means }
        case .budgetChosen(let budget): return change { $0.budget = budget }
        case .monthTapped(let month): return change { $0.months.formSymmetricDifference([month]) }
        case .photosSwitched(let isOn): return change { $0.isWithPhotos = isOn }
        case .resetTapped: return change { $0 = TripFilter() }
        case .reachedEnd:
            guard let next = currentState.next, !currentState.isLoading else { return .empty() }
            return load(source.search(currentState.filter, next).map { .next($0) })
        case .likeTapped(let id):
            guard let trip = currentState.trips.first(where: { $0.id == id }) else { return .empty() }
            return .concat(
                .just(.like(id, !trip.isLiked)),
                source.like(id, !trip.isLiked).map { _ -> FilterSideEffect in }
                    .catch { error in .of(.like(id, trip.isLiked), .failed("\(error)")) })
        }
    }

    private func change(_ body: (inout TripFilter) -> Void) -> Observable<FilterSideEffect> {
        var filter = currentState.filter
        body(&filter)
        if filter == currentState.filter { return .empty() }
        return .concat(.just(.filter(filter)), .deferred { self.search() })
    }

    private func search() -> Observable<FilterSideEffect> {
        load(source.search(currentState.filter, 0).map { .first($0) })
    }

    private func load(_ page: Observable<FilterSideEffect>) -> Observable<FilterSideEffect> {
        .concat(.just(.loading(true)), page.catch { .just(.failed("\($0)")) }, .just(.loading(false)))
    }

    override func reduce(_ state: FilterState, _ sideEffect: FilterSideEffect) -> FilterState {
        var state = state
        switch sideEffect {
        case .filter(let filter): state.filter = filter
        case .loading(let isLoading): state.isLoading = isLoading
        case .first(let page): (state.trips, state.next) = (page.trips, page.next)
        case .next(let page): (state.trips, state.next) = (state.trips + page.trips, page.next)
        case .like(let id, let isLiked):
            if let index = state.trips.firstIndex(where: { $0.id == id }) { state.trips[index].isLiked = isLiked }
        case .failed(let message): state.toast = message
        }
        return state
    }
    // body ends
}

struct FilterScreen: MutationFlow {
    typealias Action = FilterAction
    typealias SideEffect = FilterSideEffect

    let source: TripSource
    var running = RunningFlow<FilterState, FilterAction>()
    var initialState: FilterState { FilterState() }

    // body begins
    func transform(_ action: FilterAction) -> Observable<FilterSideEffect> {
        switch action {
        case .appeared: return search()
        case .keywordTyped(let keyword): return change { $0.keyword = keyword }
        case .regionTapped(let region): return change { $0.region = $0.region == region ? nil : region }
        case .themeTapped(let theme): return change { $0.theme = $0.theme == theme ? nil : theme }
        case .peopleChosen(let people): return change { $0.people = people }
        case .transportTapped(let means): return change { $0.transport = $0.transport == means ? nil : means }
        case .budgetChosen(let budget): return change { $0.budget = budget }
        case .monthTapped(let month): return change { $0.months.formSymmetricDifference([month]) }
        case .photosSwitched(let isOn): return change { $0.isWithPhotos = isOn }
        case .resetTapped: return change { $0 = TripFilter() }
        case .reachedEnd:
            guard let next = currentState.next, !currentState.isLoading else { return .empty() }
            return load(source.search(currentState.filter, next).map { .next($0) })
        case .likeTapped(let id):
            guard let trip = currentState.trips.first(where: { $0.id == id }) else { return .empty() }
            return .concat(
                .just(.like(id, !trip.isLiked)),
                source.like(id, !trip.isLiked).map { _ -> FilterSideEffect in }
                    .catch { error in .of(.like(id, trip.isLiked), .failed("\(error)")) })
        }
    }

    private func change(_ body: (inout TripFilter) -> Void) -> Observable<FilterSideEffect> {
        var filter = currentState.filter
        body(&filter)
        if filter == currentState.filter { return .empty() }
        return .concat(.just(.filter(filter)), .deferred { self.search() })
    }

    private func search() -> Observable<FilterSideEffect> {
        load(source.search(currentState.filter, 0).map { .first($0) })
    }

    private func load(_ page: Observable<FilterSideEffect>) -> Observable<FilterSideEffect> {
        .concat(.just(.loading(true)), page.catch { .just(.failed("\($0)")) }, .just(.loading(false)))
    }

    func reduce(_ state: FilterState, _ sideEffect: FilterSideEffect) -> FilterState {
        var state = state
        switch sideEffect {
        case .filter(let filter): state.filter = filter
        case .loading(let isLoading): state.isLoading = isLoading
        case .first(let page): (state.trips, state.next) = (page.trips, page.next)
        case .next(let page): (state.trips, state.next) = (state.trips + page.trips, page.next)
        case .like(let id, let isLiked):
            if let index = state.trips.firstIndex(where: { $0.id == id }) { state.trips[index].isLiked = isLiked }
        case .failed(let message): state.toast = message
        }
        return state
    }
    // body ends
}
