import StreamsTesting
import TestConcurrency
import Testing
import TravelDomainTesting
import TravelPresentation

/// The results in the documentation of the screens. That each example compiles is tested in Integration.
@Suite("Examples of screens", .limitedConcurrency)
struct ScreenExampleTests {
    @Test("the examples of the home screen have the documented results")
    func home() {
        let world = HomeWorld()
        let home = ScreenRun(on: world.scheduler, HomeFlow(world.useCases, user: world.user.asObservable()))
        #expect(home.state.content == .skeleton)
        #expect(home.state.chips.map(\.kind) == FilterKind.allCases)
        #expect(home.state.sheet == nil)
        home.send(.appeared, for: 150)
        home.send(.filter(.chipTapped(.region)), .filter(.optionTapped(.region(.busan))))
        #expect(home.state.sheet?.criteria.regions == [.busan])
        #expect(home.state.criteria.regions == [])
        home.send(.filter(.closed), .search(.opened))
        #expect(home.state.search.isActive)
        #expect(home.state.search.suggestions == nil)
        home.send(.search(.typed("바다")), .search(.submitted))
        #expect(home.state.criteria.keyword?.text == "바다")
    }

    @Test("the examples of the timeline have the documented results")
    func timeline() {
        let world = TimelineWorld(viewer: Person.jun)
        let flow = TimelineFlow(world.useCases, trip: world.id, user: world.user.asObservable())
        let timeline = ScreenRun(on: world.scheduler, flow)
        #expect(timeline.state.phase == .loading)
        #expect(timeline.state.tabs == nil)
        timeline.send(.appeared, for: 150)
        #expect(timeline.state.tabs?.count == 3)
        #expect(timeline.state.tabs?.last?.number == 3)
        #expect(timeline.state.stops.map(\.number) == [1, 3])
        timeline.send(.deleteTapped)
        #expect(timeline.state.question == .deleteTrip)
        timeline.send(.answered(true), for: 150)
        #expect(timeline.events.contains(.close(.removedTrip(world.id))))
    }

    @Test("the examples of the trip editor have the documented results")
    func tripEditor() throws {
        let world = try EditorWorld()
        let editor = world.run(TripEditorFlow(world.useCases))
        #expect(editor.state.phase == .editing)
        #expect(!editor.state.canSave)
        editor.send(.firstDayTyped("2024-05-03"))
        #expect(editor.state.draft.lastDay == "" && editor.state.draft.impliedLastDay == "2024-05-03")
        editor.send(.saveTapped)
        #expect(editor.state.problem(of: .region) != nil)
        editor.send(.titleTyped("Busan"), .optionTapped(.region(.busan)), .firstDayTyped("2024-05-01"))
        #expect(editor.state.canSave)
        editor.send(.saveTapped)
        #expect(editor.state.phase == .saving)
        editor.send(.backTapped)
        #expect(editor.events == [])
    }

    @Test("the examples of the entry editor have the documented results")
    func entryEditor() throws {
        let world = try EditorWorld()
        let editor = world.run(EntryEditorFlow(world.useCases, newEntryIn: world.id, day: 1))
        #expect(editor.state.form.isNew && !editor.state.form.canSave)
        #expect(editor.state.form.phase == .loading)
        editor.send(.appeared, for: 150)
        editor.send(.timeTyped("9:3"), .fieldLeft(.title))
        #expect(editor.state.form.draft.time == "9:3")
        #expect(editor.state.form.problem(of: .title) != nil)
        editor.send(.placeTyped("해운대"), for: 450)
        #expect(editor.state.places.results?.first?.place.name == "해운대해수욕장")
    }

    @Test("the examples of the coordinator have the documented results")
    func app() {
        let scheduler = TestScheduler(resolution: 0.001)
        let coordinator = ScreenRun(on: scheduler, CoordinatorFlow())
        coordinator.send(.opened(.settings))
        #expect(coordinator.state.screens.top.screen == .settings)
        coordinator.send(.backTapped)
        #expect(coordinator.state.screens.top.screen == .home)
        coordinator.send(.backTapped)
        #expect(coordinator.events == [.quit])
        #expect(OpenScreens([.home, .settings]).top.id == 2)
    }

    @Test("the examples of the page of a user have the documented results")
    func account() {
        #expect(MyPageContent(user: nil).trips == .loading)
        let like = TripCard(Trip.sample(1, likes: 3, isLiked: true)).like
        #expect(like.isLiked && like.count == 3)
    }

    @Test("the examples of pictures have the documented results")
    func pictures() throws {
        let image = try TripImage(seed: 1)
        let picked = PickedImage(
            image,
            taken: PhotoDate(day: try CalendarDay(year: 2024, month: 5, day: 1), time: try TimeOfDay(hour: 9)))
        #expect(picked.picture.taken?.time.description == "09:00")
        #expect(DraftImage.picked(image).id == image.id && DraftImage.stored(image.id).id == image.id)
    }
}
