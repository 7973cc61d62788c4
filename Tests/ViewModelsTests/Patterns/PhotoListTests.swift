import Composition
import Streams
import StreamsTesting
import TestTurns
import Testing
import ViewModels
import ViewModelsTesting

/// A row with its own flow: loads its image when it appears, and informs its parent of its deletion.
private struct PhotoRow: Flow {
    struct State: Equatable, Identifiable, Sendable {
        let id: Int
        var image: String?
    }

    enum Action: Equatable, Sendable {
        case appeared, imageArrived(String)
        case deleteTapped
        case delegate(Delegate)

        /// The delegate actions for the parent.
        enum Delegate: Equatable, Sendable { case deleted }
    }

    enum SideEffect: Equatable, Sendable {
        case loadImage(Int), delete(Int)
    }

    @Dependency(\.images) private var images
    @Dependency(\.photos) private var photos

    var initialState: State { State(id: 0) }

    func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Never> {
        switch action {
        case .appeared:
            return state.image == nil ? .exhausting(.loadImage(state.id)) : .none
        case .imageArrived(let image):
            state.image = image
            return .none
        case .deleteTapped:
            return .run(.delete(state.id))
        case .delegate:
            return .none
        }
    }

    func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .loadImage(let id): .task { .imageArrived(await images.load(id)) }
        case .delete(let id):
            .task {
                await photos.delete(id)
                return .delegate(.deleted)
            }
        }
    }
}

/// The list, which does not know how a row loads.
private struct PhotoList: Flow {
    struct State: Equatable, Sendable {
        var rows: IdentifiedRows<PhotoRow.State> = []
    }

    enum Action: Equatable, Sendable {
        case appeared, photosArrived([Int])
        case row(Int, PhotoRow.Action)
    }

    enum SideEffect: Equatable, Sendable {
        case loadPhotos
    }

    @Dependency(\.photos) private var photos

    var initialState: State { State() }

    func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Never> {
        switch action {
        case .appeared, .row(_, .delegate(.deleted)):
            return .latest(.loadPhotos)
        case .photosArrived(let ids):
            state.rows = IdentifiedRows(ids.map { state.rows[id: $0] ?? PhotoRow.State(id: $0) })
            return .none
        case .row:
            return .none
        }
    }

    func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .loadPhotos: .task { .photosArrived(await photos.ids()) }
        }
    }
}

extension Flow where Self == ForEachFlow<PhotoList, PhotoRow> {
    /// The list with its rows.
    fileprivate static var photos: Self {
        PhotoList().forEach(
            \.rows,
            action: ActionCase(PhotoList.Action.row) {
                if case .row(let id, let action) = $0 { (id, action) } else { nil }
            },
            row: PhotoRow())
    }
}

/// Loads images: three values of one dependency.
private struct Images: Sendable {
    var load: @Sendable (_ id: Int) async -> String
}

private enum ImagesKey: DependencyKey {
    /// In the product they are remote.
    static var liveValue: Images {
        @Dependency(\.clock) var clock
        return Images { [clock] id in
            try? await clock.sleep(for: .seconds(1))  // a cancelled sleep ends early
            return "image \(id)"
        }
    }
    /// A preview loads synchronously.
    static let previewValue = Images { _ in "placeholder" }
    /// The default value of tests; a test that needs another overrides it.
    static let testValue = Images { id in "test image \(id)" }
}

private struct Photos: Sendable {
    var ids: @Sendable () async -> [Int]
    var delete: @Sendable (_ id: Int) async -> Void
}

private enum PhotosKey: DependencyKey {
    static var liveValue: Photos { fromCompositionRoot(placeholder: Photos(ids: { [] }, delete: { _ in })) }
}

extension DependencyValues {
    fileprivate var images: Images {
        get { self[ImagesKey.self] }
        set { self[ImagesKey.self] = newValue }
    }

    fileprivate var photos: Photos {
        get { self[PhotosKey.self] }
        set { self[PhotosKey.self] = newValue }
    }
}

extension Photos {
    /// Two photos, each of which can be deleted.
    fileprivate static func two() -> Photos {
        let deleted = Notes<Int>()
        return Photos(ids: { [1, 2].filter { !deleted.all.contains($0) } }, delete: deleted.add)
    }
}

@Suite(
    "Pattern: a list of rows with flows of their own", .dependencies { $0.photos = .two() }, .nothingSurvives,
    .takesTurns)
struct PhotoListTests {
    @Test("a photo row loads its image once, from the test value of the dependency")
    func image() {
        let tester = FlowTester(.photos)
        tester.send(.appeared)
        tester.receive(.photosArrived([1, 2])) { $0.rows = [.init(id: 1), .init(id: 2)] }
        tester.send(.row(2, .appeared))
        tester.receive(.row(2, .imageArrived("test image 2"))) { $0.rows[id: 2]?.image = "test image 2" }
        tester.send(.row(2, .appeared))
        tester.finish()
    }

    @Test("a deleted photo row informs the list, which loads again, and the other rows keep their images")
    func delegate() {
        let tester = FlowTester(.photos)
        tester.send(.appeared)
        tester.receive(.photosArrived([1, 2])) { $0.rows = [.init(id: 1), .init(id: 2)] }
        tester.send(.row(2, .appeared))
        tester.receive(.row(2, .imageArrived("test image 2"))) { $0.rows[id: 2]?.image = "test image 2" }
        tester.send(.row(1, .deleteTapped))
        tester.receive(.row(1, .delegate(.deleted)))
        tester.receive(.photosArrived([2])) { $0.rows = [.init(id: 2, image: "test image 2")] }
        tester.finish()
    }

    @Test(
        "removing a loading photo row cancels its side effects, and no others",
        .dependencies { $0.context = .live })
    func removal() {
        let tester = FlowTester(.photos)
        tester.send(.appeared)
        tester.receive(.photosArrived([1, 2])) { $0.rows = [.init(id: 1), .init(id: 2)] }
        tester.send(.row(1, .appeared))
        tester.send(.row(2, .appeared))
        tester.send(.row(1, .deleteTapped))
        tester.receive(.row(1, .delegate(.deleted)))
        tester.receive(.photosArrived([2])) { $0.rows = [.init(id: 2)] }
        tester.receive(.row(2, .imageArrived("image 2"))) { $0.rows[id: 2]?.image = "image 2" }
        #expect(tester.scheduler.clock == 1000)
        tester.finish()
    }

    @Test("the photo list loads synchronously in a preview", .dependencies { $0.context = .preview })
    func preview() {
        let tester = FlowTester(.photos)
        tester.send(.appeared)
        tester.receive(.photosArrived([1, 2])) { $0.rows = [.init(id: 1), .init(id: 2)] }
        tester.send(.row(1, .appeared))
        tester.receive(.row(1, .imageArrived("placeholder"))) { $0.rows[id: 1]?.image = "placeholder" }
        #expect(tester.scheduler.clock == 0)
        tester.finish()
    }
}
