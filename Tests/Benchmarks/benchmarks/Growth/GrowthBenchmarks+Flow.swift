import Streams
import ViewModels

extension GrowthBenchmarks {
    static func rows(_ report: inout Report) async throws {
        try await measure(&report, "flowRowAction") { size in
            let (store, total) = (GrowingList.store(rows: size), Total())
            let subscription = store.state.drive(onNext: { total.add($0.actions) })
            return Steps(200) {
                for number in 0..<200 { store.send(.row((number &* 7919) % size, .liked)) }
                return withExtendedLifetime(subscription) { total.value }
            }
        }
        try await measure(&report, "flowAppend") { size in
            let (store, total) = (GrowingList.store(rows: size), Total())
            let subscription = store.state.drive(onNext: { total.add($0.actions) })
            return Steps(100) {
                for number in 0..<100 { store.send(.appended(size + number)) }
                return withExtendedLifetime(subscription) { total.value }
            }
        }
        try await measure(&report, "flowInsertFirst") { size in
            steps(9, on: GrowingList.store(rows: size)) { .insertedFirst(size + $0) }
        }
        try await measure(&report, "flowRemoveLast") { size in
            steps(9, on: GrowingList.store(rows: size)) { .removed(size - 1 - $0) }
        }
        try await measure(&report, "flowRemoveFirst") { size in
            steps(9, on: GrowingList.store(rows: size)) { .removed($0) }
        }
        try await measure(&report, "flowSelect", upTo: 10_000) { size in
            let (store, total) = (GrowingList.store(rows: 1), Total())
            let subscriptions = (0..<size).map { _ in
                store.state.select { $0.actions }.drive(onNext: { total.add($0) })
            }
            return Steps(size * 10) {
                for _ in 0..<10 { store.send(.row(0, .liked)) }
                return withExtendedLifetime(subscriptions) { total.value }
            }
        }
    }

    static func effects(_ report: inout Report) async throws {
        try await measure(&report, "flowStartEffects") { size in
            steps(size, on: GrowingList.store(rows: size)) { .row($0, .loaded) }
        }
        try await measure(&report, "flowRestartEffect") { size in
            steps(100, on: GrowingList.loadingStore(rows: size)) { .row($0 % size, .loaded) }
        }
        try await measure(&report, "flowRowActionBesideEffects") { size in
            steps(100, on: GrowingList.loadingStore(rows: size)) { .row($0 % size, .liked) }
        }
        try await measure(&report, "flowRemoveBesideEffects") { size in
            steps(9, on: GrowingList.loadingStore(rows: size)) { .removed(size - 1 - $0) }
        }
        try await measure(&report, "flowDismiss") { size in
            let store = GrowingList.loadingStore(rows: size)
            return Steps(size) {
                store.dismiss()
                return size
            }
        }
    }

    /// Sends `count` actions.
    private static func steps(
        _ count: Int, on store: FlowStore<GrowingList.State, GrowingList.Action, Never>,
        _ action: @escaping (Int) -> GrowingList.Action
    ) -> Steps {
        Steps(count) {
            for number in 0..<count { store.send(action(number)) }
            return count
        }
    }

    static func identifiedRows(_ report: inout Report) async throws {
        try await measure(&report, "rowsBuild") { size in
            let rows = (0..<size).map { GrowingRow.State(id: $0) }
            return Steps(size) { IdentifiedRows(rows).count }
        }
        try await measure(&report, "rowsEqual") { size in
            let rows = (0..<size).map { GrowingRow.State(id: $0) }
            let (one, other) = (IdentifiedRows(rows), IdentifiedRows(rows))
            return Steps(size) { one == other ? size : 0 }
        }
        try await measure(&report, "rowsRemoveFromEnd") { size in
            var rows = IdentifiedRows((0..<size).map { GrowingRow.State(id: $0) })
            return Steps(size) {
                for id in (0..<size).reversed() { rows.remove(id: id) }
                return rows.count
            }
        }
        try await measure(&report, "rowsRemoveFromFront", upTo: 10_000) { size in
            var rows = IdentifiedRows((0..<size).map { GrowingRow.State(id: $0) })
            return Steps(size) {
                for id in 0..<size { rows.remove(id: id) }
                return rows.count
            }
        }
    }
}

/// A row with an effect that never ends.
struct GrowingRow: Flow {
    struct State: Identifiable, Sendable, Equatable {
        let id: Int
        var likes = 0
        var title = "a title that is too long for an inline string"
    }

    enum Action: Sendable {
        case liked, loaded
    }

    enum SideEffect: Sendable {
        case load
    }

    var initialState: State { State(id: 0) }

    func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Never> {
        switch action {
        case .liked:
            state.likes += 1
            return .none
        case .loaded: return .latest(.load)
        }
    }

    func perform(_ sideEffect: SideEffect) -> Observable<Action> { .never() }
}

/// A list of such rows.
struct GrowingList: Flow {
    struct State: Sendable {
        var actions = 0
        var rows = IdentifiedRows<GrowingRow.State>()
    }

    enum Action: Sendable {
        case row(Int, GrowingRow.Action)
        case appended(Int)
        case insertedFirst(Int)
        case removed(Int)
    }

    var initialState: State { State() }

    func reduce(_ state: inout State, _ action: Action) -> Next<Never, Never> {
        switch action {
        case .row: state.actions += 1
        case .appended(let id): state.rows.append(GrowingRow.State(id: id))
        case .insertedFirst(let id): state.rows.insert(GrowingRow.State(id: id), at: 0)
        case .removed(let id): state.rows.remove(id: id)
        }
        return .none
    }

    @MainActor
    static func store(rows count: Int) -> FlowStore<State, Action, Never> {
        let action = ActionCase(Action.row) { action in
            if case .row(let id, let action) = action { (id, action) } else { nil }
        }
        let rows = IdentifiedRows((0..<count).map { GrowingRow.State(id: $0) })
        return FlowStore(
            GrowingList().forEach(\.rows, action: action, row: GrowingRow()), initialState: State(rows: rows))
    }

    /// A store with an effect for each row.
    @MainActor
    static func loadingStore(rows count: Int) -> FlowStore<State, Action, Never> {
        let store = store(rows: count)
        for id in 0..<count { store.send(.row(id, .loaded)) }
        return store
    }
}
