import Foundation
import StreamsTesting
import TravelDomainTesting
import TravelPresentation

/// The world around the editors: a stored trip of three days with two entries, whose answers take 100 ms each.
final class EditorWorld: StoreStub, PlaceRepository {
    let scheduler = TestScheduler(resolution: 0.001)
    let id = Trip.ID(seed: 1)
    private let state: SlowContent<State>

    private struct State {
        var trip: RecordedTrip?
        var images: [TripImage] = []
        /// The number of pictures that were read.
        var readPictures: UInt64 = 0
    }

    /// Stores a trip by Mina; `isStored` is `false` for a world without it.
    init(isStored: Bool = true) throws {
        let trip = try TripBuilder(seed: 1, author: Person.mina).with {
            $0.title = "부산"
            $0.region = .busan
            $0.numberOfDays = 3
            $0.timeline = [.sample(1, day: 1, hour: 9, place: true), .sample(2, day: 2, hour: 14)]
        }.build()
        state = SlowContent(State(trip: isStored ? trip : nil), on: scheduler)
    }

    var calls: [String] { state.calls }
    var cancelled: [String] { state.cancelled }
    var trip: RecordedTrip? { state.withLock { $0.trip } }
    var images: [TripImage] { state.withLock { $0.images } }

    func fail(_ call: String, with error: TravelError? = .busy) { state.failures[call] = error }

    /// Changes the trip elsewhere.
    func change(_ body: (RecordedTrip) throws -> RecordedTrip) throws {
        guard let trip else { return }
        let changed = try body(trip).revision(of: trip)
        state.withLock { $0.trip = changed }
    }

    /// Deletes the trip elsewhere.
    func delete() { state.withLock { $0.trip = nil } }

    /// A picture that was taken at that time.
    static func picture(
        _ seed: UInt64 = 9, day: String? = "2024-05-03", time: String? = "17:45", coordinate: Coordinate? = nil
    ) throws -> PickedImage {
        PickedImage(
            try TripImage(id: .init(seed: seed), bytes: .init([0xFF, 0xD8, 0xFF, 0x00])),
            taken: try day.map { PhotoDate(day: try CalendarDay($0), time: try TimeOfDay(time ?? "00:00")) },
            coordinate: coordinate)
    }

    /// The position of the picture at the path `here.jpg`.
    static var here: Coordinate { get throws { try Coordinate(latitude: 35.1, longitude: 129.1) } }

    var useCases: ScreenUseCases {
        ScreenUseCases(self) { [self] path in
            try await state.call("read \(path)") { state in
                defer { state.readPictures += 1 }
                return try Self.picture(
                    9 + state.readPictures, day: path == "late.jpg" ? "2024-05-09" : "2024-05-03",
                    coordinate: path == "here.jpg" ? Self.here : nil)
            }
        }
    }

    /// Runs an editor in this world.
    func run<F: Flow>(_ flow: @autoclosure () -> F) -> ScreenRun<F> {
        ScreenRun(on: scheduler, flow()) { $0.places = self }
    }

    func observeTrip(_ id: Trip.ID, viewer: User.ID?) -> any AsyncSequence<Trip, any Error> & Sendable {
        Observable.task { [self] in
            try await state.call("load") { try Self.shown($0.trip, id) }
        }.values
    }

    func trip(_ id: Trip.ID, viewer: User.ID?) async throws -> Trip { try Self.shown(trip, id) }

    func timeline(of id: Trip.ID, viewer: User.ID?) async throws -> [TimelineEntry] { trip?.timeline ?? [] }

    private static func shown(_ trip: RecordedTrip?, _ id: Trip.ID) throws -> Trip {
        guard let trip else { throw TravelError.notFound(.trip(id)) }
        return try Trip(
            id: id, author: trip.author, content: trip.content, createdAt: trip.createdAt,
            updatedAt: trip.updatedAt, version: trip.version, likeCount: 0, isLiked: false, isMine: true)
    }

    func user(_ id: User.ID) async throws -> User { Person.mina }

    func image(_ id: TripImage.ID, viewer: User.ID?) async throws -> TripImage {
        try await state.call("image") { state in
            guard let image = state.images.first(where: { $0.id == id }) else { throw TravelError.notFound(.image(id)) }
            return image
        }
    }

    func add(_ trips: [RecordedTrip], images: [TripImage]) async throws {
        try await state.call("record") { state in
            if let trip = state.trip, trips.contains(where: { $0.id == trip.id }) {
                throw TravelError.conflict(.trip(trip.id))
            }
            state.trip = trips.first
            state.images += images
        }
        if let lost = state.failures["answer"] { throw lost }
    }

    func update(
        _ id: Trip.ID, expecting version: TripVersion?, by user: User.ID, adding images: [TripImage],
        _ change: @escaping @Sendable (RecordedTrip) throws(TravelError) -> RecordedTrip?
    ) async throws -> RecordedTrip? {
        try await state.call("update") { state in
            guard let trip = state.trip else { throw TravelError.notFound(.trip(id)) }
            try trip.requireVersion(version)
            let changed = try change(trip)?.revision(of: trip)
            state.trip = changed
            state.images += images
            return changed
        }
    }

    func search(_ text: String, limit: Int) async throws -> [KnownPlace] {
        try await state.call("places '\(text)'") { _ in
            [
                try KnownPlace(
                    place: Place(name: "\(text)해수욕장", coordinate: Coordinate(latitude: 35, longitude: 129)),
                    englishName: text, region: .busan)
            ]
        }
    }

    func nearest(to coordinate: Coordinate, within meters: Double) async throws -> KnownPlace? {
        try await state.call("near \(coordinate.latitude)") { _ in
            try KnownPlace(
                place: Place(name: "광안리", coordinate: Coordinate(latitude: 35.15, longitude: 129.12)),
                englishName: "Gwangalli", region: .busan)
        }
    }
}

extension ScreenRun<EntryEditorFlow> {
    /// Makes these changes in the form, one after the other.
    func edit(_ changes: EntryDraft.Change...) {
        for change in changes { send(.form(.edited(change))) }
    }
}

extension EditorFlow<TripDraft>.Action {
    static func titleTyped(_ text: String) -> Self { .edited(.titleTyped(text)) }
    static func firstDayTyped(_ text: String) -> Self { .edited(.firstDayTyped(text)) }
    static func lastDayTyped(_ text: String) -> Self { .edited(.lastDayTyped(text)) }
    static func optionTapped(_ option: FilterOption) -> Self { .edited(.optionTapped(option)) }
}

extension EntryPlaceFlow.Action {
    static func dayPicked(_ day: Int) -> Self { .form(.edited(.dayPicked(day))) }
    static func timeTyped(_ text: String) -> Self { .form(.edited(.timeTyped(text))) }
    static func titleTyped(_ text: String) -> Self { .form(.edited(.titleTyped(text))) }
    static func textTyped(_ text: String) -> Self { .form(.edited(.textTyped(text))) }
    static func imagePicked(_ path: String) -> Self { .form(.imagePicked(path)) }
    static func fieldLeft(_ field: EntryDraft.Field) -> Self { .form(.fieldLeft(field)) }
    static func discardAnswered(_ isYes: Bool) -> Self { .form(.discardAnswered(isYes)) }
    static var appeared: Self { .form(.appeared) }
    static var retryTapped: Self { .form(.retryTapped) }
    static var imageRemoved: Self { .form(.imageRemoved) }
    static var saveTapped: Self { .form(.saveTapped) }
    static var mergeTapped: Self { .form(.mergeTapped) }
    static var takeTheirsTapped: Self { .form(.takeTheirsTapped) }
    static var keepBothTapped: Self { .form(.keepBothTapped) }
    static var backTapped: Self { .form(.backTapped) }
}
