import StreamsTesting
import TestConcurrency
import Testing
import TravelDomainTesting

@testable import TravelPresentation

@Suite("Entry editor", .limitedConcurrency)
struct EntryEditorFlowTests {
    private let world: EditorWorld
    private let entry = TimelineEntry.ID(seed: 1)

    init() throws {
        world = try EditorWorld()
    }

    /// An editor of the first entry, which has loaded.
    private func editor() -> ScreenRun<EntryEditorFlow> {
        let editor = world.run(EntryEditorFlow(world.useCases, entry: entry, in: world.id))
        editor.send(.appeared, for: 150)
        return editor
    }

    private func newEntry(day: Int) -> ScreenRun<EntryEditorFlow> {
        let editor = world.run(EntryEditorFlow(world.useCases, newEntryIn: world.id, day: day, id: .init(seed: 8)))
        editor.send(.appeared, for: 150)
        return editor
    }

    private func stored(_ id: TimelineEntry.ID) -> TimelineEntry? { world.trip?.timeline.first { $0.id == id } }

    @Test(
        "a new entry begins on its day, at the time of the last entry there",
        arguments: [(1, 1, "09:00"), (2, 2, "14:00"), (3, 3, "09:00"), (9, 3, "09:00"), (-1, 1, "09:00")])
    func defaults(day: Int, shown: Int, time: String) {
        let editor = newEntry(day: day)
        #expect(editor.state.form.draft.day == shown)
        #expect(editor.state.form.draft.time == time)
        #expect(editor.state.days?.count == 3)
        #expect(!editor.state.form.hasChanges)
    }

    @Test("a new entry is saved once, however often save is tapped, and closes the editor")
    func save() {
        let editor = newEntry(day: 2)
        editor.send(.titleTyped("해운대"), .textTyped("첫날\n바다"), .timeTyped("9:30"))
        #expect(editor.state.form.canSave)
        editor.send(.saveTapped, .saveTapped, .titleTyped("x"), for: 150)
        #expect(world.calls == ["load", "update"])
        #expect(editor.events == [.notice(.done(.saved)), .close(.savedEntry(.init(seed: 8), day: 2))])
        let saved = stored(.init(seed: 8))
        #expect(saved?.time.description == "09:30")
        #expect(saved?.text.text == "첫날\n바다")
    }

    @Test("the problems of an entry show where the user has been, and all of them after an attempt to save")
    func problems() {
        let editor = newEntry(day: 1)
        editor.send(.timeTyped("25:00"))
        #expect(editor.state.form.problem(of: .time) != nil)
        #expect(editor.state.form.problem(of: .title) == nil)
        editor.send(.dayPicked(4), .saveTapped, for: 150)
        for field in EntryDraft.Field.allCases where ![.place, .pictures].contains(field) {
            #expect(editor.state.form.problem(of: field) != nil)
        }
        #expect(world.calls == ["load"])
    }

    @Test("a text of 5,000 characters fits, and one more does not")
    func textLength() {
        let editor = newEntry(day: 1)
        let text = String(repeating: "👨‍👩‍👧‍👦", count: 2_000) + String(repeating: "가", count: 3_000)
        editor.send(.titleTyped("x"), .textTyped(text))
        #expect(editor.state.form.canSave)
        editor.send(.textTyped(text + "나"))
        #expect(editor.state.form.problem(of: .text) == .violation(.init(.text, .tooLong(maximum: 5_000))))
    }

    @Test("places follow 300 ms after the last key, and only for the last text")
    func places() throws {
        let editor = newEntry(day: 1)
        editor.send(.placeTyped("해"), for: 350)
        editor.send(.placeTyped("해운"), for: 200)
        editor.send(.placeTyped("해운대"), for: 450)
        #expect(world.calls == ["load", "places '해'", "places '해운대'"])
        #expect(world.cancelled == ["places '해'"])
        let place = try #require(editor.state.places.results?.first?.place)
        editor.send(.placePicked(place))
        #expect(editor.state.form.draft.place == place)
        #expect(editor.state.places == .init())
        editor.send(.placeRemoved)
        #expect(editor.state.form.draft.place == nil)
    }

    @Test("a place that is typed and not picked is kept by its name")
    func typedPlace() throws {
        let editor = editor()
        editor.send(.placeRemoved, .placeTyped(" 할머니 댁 "), .saveTapped, for: 150)
        #expect(stored(entry)?.place == (try Place(name: "할머니 댁")))
        #expect(stored(entry)?.coordinate == nil)
    }

    @Test("a place that is typed while the entry is saved has no effect, also if the save fails")
    func placeWhileSaving() {
        let editor = editor()
        editor.send(.placeRemoved, .placeTyped("뒷골목"))
        world.fail("update")
        editor.send(.saveTapped, .placeTyped("뒷골목 식당"), .placeRemoved, for: 150)
        #expect(editor.state.places.text == "뒷골목" && editor.state.form.draft.placeName == "뒷골목")
        world.fail("update", with: nil)
        editor.send(.placeTyped("뒷골목 식당"), .saveTapped, for: 150)
        #expect(stored(entry)?.place?.name == "뒷골목 식당")
    }

    @Test("removing a place that was typed empties its search")
    func removesTypedPlace() {
        let editor = editor()
        editor.send(.placeRemoved, .placeTyped("뒷골목"), .placeRemoved)
        #expect(editor.state.places.text == "" && editor.state.form.draft.placeName == "")
    }

    @Test("the name of a typed place has a limit, which is shown beside it")
    func typedPlaceTooLong() throws {
        let editor = editor()
        editor.send(.placeRemoved, .placeTyped(String(repeating: "가", count: 101)))
        #expect(editor.state.form.problem(of: .place) == .violation(.init(.placeName, .tooLong(maximum: 100))))
        #expect(!editor.state.form.canSave)
        editor.send(.placeTyped(" "))
        #expect(editor.state.form.canSave)
    }

    @Test("the position of a photo proposes the nearest known place, where there is none")
    func proposedPlace() throws {
        let editor = editor()
        editor.send(.imagePicked("here.jpg"), for: 350)
        #expect(editor.state.places.results == nil)
        editor.send(.placeRemoved, .imagePicked("here.jpg"), for: 350)
        let proposal = try #require(editor.state.places.results?.first)
        #expect(proposal.place.name == "광안리")
        #expect(editor.state.form.draft.place == nil)
        editor.send(.placePicked(proposal.place), .saveTapped, for: 150)
        #expect(stored(entry)?.place == proposal.place)
    }

    @Test("a place that was typed meanwhile is not replaced by a proposal, and a failed one says why")
    func lateProposal() {
        let editor = editor()
        editor.send(.placeRemoved, .imagePicked("here.jpg"), for: 150)
        editor.send(.placeTyped("집"), for: 100)
        #expect(editor.state.places.results == nil)
        editor.send(.placeTyped(""))
        world.fail("near 35.1")
        editor.send(.imagePicked("here.jpg"), for: 350)
        #expect(editor.state.places.failure == .busy)
    }

    @Test("an emptied place search shows nothing, and a failed one says why")
    func placeFailure() {
        let editor = newEntry(day: 1)
        world.fail("places '해'")
        editor.send(.placeTyped("해"), for: 450)
        #expect(editor.state.places.failure == .busy)
        editor.send(.placeTyped("해운"), for: 350)
        editor.send(.placeTyped(" "), for: 450)
        #expect(editor.state.places.results == nil)
        #expect(editor.state.places.failure == nil)
        #expect(world.cancelled == ["places '해운'"])
    }

    @Test("a new entry takes the time at which its first image was taken, and the day, if the trip has it")
    func imageTime() throws {
        let trip = try #require(world.trip)
        var new = EntryDraft()
        new.begin(in: trip)
        #expect(new.take(try EditorWorld.picture(), in: trip) == nil)
        #expect(new.time == "17:45" && new.day == 3)
        // Another one instead of the first.
        _ = new.apply(.pictureRemoved(new.pictures[0].id))
        _ = new.take(try EditorWorld.picture(day: "2024-05-02", time: "08:30"), in: trip)
        #expect(new.time == "08:30" && new.day == 2)

        var draft = EntryDraft(.sample(1, day: 2, hour: 8))
        let question = draft.take(try EditorWorld.picture(day: "2024-05-04"), in: world.trip)
        #expect(question == .text(.takenOutside(try #require(try EditorWorld.picture(day: "2024-05-04").taken))))
        #expect(draft.pictures.count == 1 && draft.day == 2)
        #expect(draft.time == "08:00")
    }

    @Test("an image changes neither a day or a time that its author has chosen, nor those of a stored entry")
    func imageKeepsTime() throws {
        let (image, trip) = (try EditorWorld.picture(), try #require(world.trip))
        var typed = EntryDraft()
        typed.begin(in: trip)
        _ = typed.apply(.timeTyped("09:20"))
        #expect(typed.take(image, in: trip) == nil && typed.time == "09:20" && typed.day == 1)
        var picked = EntryDraft()
        picked.begin(in: trip)
        let time = picked.time
        _ = picked.apply(.dayPicked(2))
        #expect(picked.take(image, in: trip) == nil && picked.time == time && picked.day == 2)
        let editor = editor()
        let before = editor.state.form.draft
        editor.send(.imagePicked("a.jpg"), for: 150)
        #expect(editor.state.form.draft.time == before.time && editor.state.form.draft.day == before.day)
        editor.send(.saveTapped, for: 150)
        #expect(stored(entry)?.image == .init(seed: 9))
        #expect(world.images == [try EditorWorld.picture().image])
    }

    @Test("a save during the reading of an image waits for the image, and saves nothing without it")
    func saveAfterImage() throws {
        let editor = editor()
        world.fail("read b.jpg", with: .invalid(.init(.image, .empty)))
        editor.send(.titleTyped("Mine"), .imagePicked("b.jpg"), .saveTapped, for: 300)
        #expect(editor.state.form.problem(of: .pictures) != nil && world.images == [])
        editor.send(.imagePicked("a.jpg"), .saveTapped, for: 50)
        #expect(editor.state.form.isReadingImage && world.images == [])
        editor.pass(250)
        #expect(stored(entry)?.title.text == "Mine" && stored(entry)?.image == .init(seed: 9))
    }

    @Test("an image that cannot be read says why and keeps the one before")
    func imageFailure() throws {
        let editor = editor()
        editor.send(.imagePicked("a.jpg"), for: 150)
        world.fail("read b.jpg", with: .invalid(.init(.image, .empty)))
        editor.send(.imagePicked("b.jpg"), for: 150)
        #expect(editor.state.form.problem(of: .pictures) == .violation(.init(.image, .empty)))
        #expect(editor.state.form.draft.pictures.map(\.id) == [.init(seed: 9)])
    }

    @Test(
        "pictures that are picked together are read one after the other, and stand in that order beside one that failed"
    )
    func severalPictures() throws {
        let editor = editor()
        world.fail("read b.jpg", with: .invalid(.init(.image, .empty)))
        editor.send(.imagePicked("a.jpg"), .imagePicked("b.jpg"), .imagePicked("here.jpg"), for: 50)
        #expect(editor.state.form.waitingImages == ["b.jpg", "here.jpg"])
        editor.pass(400)
        #expect(!editor.state.form.isReadingImage && editor.state.form.waitingImages.isEmpty)
        #expect(editor.state.form.problem(of: .pictures) == .violation(.init(.image, .empty)))
        #expect(editor.state.form.draft.pictures.map(\.id) == [.init(seed: 9), .init(seed: 10)])
        editor.send(.saveTapped, for: 150)
        let pictures = try #require(stored(entry)).pictures
        #expect(pictures.map(\.id) == [.init(seed: 9), .init(seed: 10)] && world.images.count == 2)
        // The position is the author's alone until they show it.
        #expect(pictures.map(\.position) == [nil, .mineOnly(try EditorWorld.here)])
        #expect(pictures[0].taken?.time.description == "17:45")
    }

    @Test(
        "a form that was begun on an earlier version is merged with what is stored, once the user has seen that")
    func resumed() throws {
        let before = try #require(world.trip)
        let first = before.version
        try world.change { try $0.saving(.sample(1, day: 1, hour: 20)) }
        let editor = editor()
        #expect(editor.state.form.seenVersion != first)
        editor.send(
            .form(.resumed(from: first, original: EntryDraft(entry, in: before))), .titleTyped("Mine"),
            .timeTyped("09:00"), .saveTapped, for: 150)
        #expect(editor.state.form.merge?.mine.title == "Mine" && stored(entry)?.title.text != "Mine")
        #expect(editor.state.form.seenVersion == first)
        editor.send(.mergeTapped, for: 150)
        #expect(stored(entry)?.title.text == "Mine" && stored(entry)?.time.description == "20:00")
    }

    @Test("each picture that failed keeps its reason while others are picked, until the user has seen it")
    func failedPictures() throws {
        let editor = editor()
        world.fail("read b.jpg", with: .invalid(.init(.image, .empty)))
        editor.send(.imagePicked("b.jpg"), for: 150)
        world.fail("read c.jpg", with: .invalid(.init(.image, .keepsMetadata)))
        editor.send(.imagePicked("c.jpg"), for: 150)
        editor.send(.imagePicked("a.jpg"), for: 150)
        #expect(editor.state.form.failedImages.map(\.path) == ["b.jpg", "c.jpg"])
        #expect(
            editor.state.form.failedImages.map(\.problem)
                == [.violation(.init(.image, .empty)), .violation(.init(.image, .keepsMetadata))])
        #expect(editor.state.form.draft.pictures.map(\.id) == [.init(seed: 9)])
        editor.send(.form(.imageFailureClosed("c.jpg")))
        #expect(editor.state.form.failedImages.map(\.path) == ["b.jpg"])
        // A picture with a question is in the form.
        editor.send(.imagePicked("late.jpg"), for: 150)
        #expect(editor.state.form.failedImages.map(\.path) == ["b.jpg"])
    }

    @Test(
        "a save while pictures are being read waits for all of them, and for an answer where one was taken on another day"
    )
    func savesAfterAll() throws {
        let editor = editor()
        editor.send(.imagePicked("a.jpg"), .imagePicked("c.jpg"), .saveTapped, for: 150)
        #expect(world.calls.filter { $0 == "update" }.isEmpty)
        editor.pass(300)
        #expect(stored(entry)?.pictures.count == 2)

        let other = newEntry(day: 1)
        other.send(.titleTyped("Mine"), .textTyped("Text"), .imagePicked("late.jpg"), .saveTapped, for: 400)
        #expect(other.state.form.problem(of: .pictures) != nil && stored(.init(seed: 8)) == nil)
        #expect(other.state.form.draft.day == 1 && other.state.form.canSave)
        other.send(.saveTapped, for: 150)
        #expect(stored(.init(seed: 8))?.pictures.count == 1)
    }

    @Test("pictures are described, moved, removed, and their positions shown")
    func editedPictures() throws {
        let editor = editor()
        editor.send(.imagePicked("here.jpg"), .imagePicked("a.jpg"), .imagePicked("c.jpg"), for: 500)
        let ids = editor.state.form.draft.pictures.map(\.id)
        editor.edit(
            .pictureMoved(ids[2], to: 0), .pictureMoved(ids[0], to: 7), .pictureRemoved(ids[1]),
            .pictureDescribed(ids[2], " 등대 "), .picturePositionTapped(ids[0]), .picturePositionTapped(ids[2]),
            .pictureTimeRemoved(ids[2]))
        editor.send(.saveTapped, for: 150)
        let pictures = try #require(stored(entry)).pictures
        #expect(pictures.map(\.id) == [ids[2], ids[0]])
        #expect(pictures[0] == Picture(ids[2], text: try PictureText("등대")))
        #expect(pictures[1].position == .shown(try EditorWorld.here))
        editor.dismiss()

        let again = self.editor()
        again.edit(.picturePositionTapped(ids[0]))
        #expect(again.state.form.draft.pictures[1].position == .mineOnly(try EditorWorld.here))
        again.edit(.picturePositionRemoved(ids[0]), .pictureDescribed(ids[0], String(repeating: "가", count: 301)))
        #expect(again.state.form.problem(of: .pictures) == .violation(.init(.pictureText, .tooLong(maximum: 300))))
    }

    @Test("a picture beyond the thirtieth of an entry is refused, and the others stay")
    func tooManyPictures() throws {
        let editor = editor()
        for number in 0...TimelineEntry.maximumPictureCount { editor.send(.imagePicked("\(number).jpg")) }
        editor.pass(150 * (TimelineEntry.maximumPictureCount + 2))
        #expect(editor.state.form.draft.pictures.count == TimelineEntry.maximumPictureCount)
        #expect(
            editor.state.form.problem(of: .pictures)
                == .violation(.init(.pictures, .tooMany(maximum: TimelineEntry.maximumPictureCount))))
    }

    /// Gives the stored entry another title, and moves it to 20:00, as another device does.
    private func changeTitle() throws {
        try world.change { trip in
            var entry = EntryDraft(.sample(1, day: 1, hour: 20))
            entry.title = "Elsewhere"
            return try trip.saving(entry.entry(self.entry))
        }
    }

    @Test("a title and a text that were changed here are merged with a time and a place that were changed elsewhere")
    func merged() throws {
        let editor = editor()
        try world.change { try $0.saving(.sample(1, day: 1, hour: 20)) }
        editor.send(.titleTyped("Mine"), .textTyped("More"), .saveTapped, for: 150)
        #expect(editor.state.form.merge?.arrivedLines(in: .korean).map(\.label) == ["시간", "장소"])
        #expect(editor.state.form.merge?.collisions == [] && !editor.state.form.canKeepBoth)
        editor.send(.mergeTapped, for: 150)
        let saved = try #require(stored(entry))
        #expect(saved.title.text == "Mine" && saved.text.text == "More")
        #expect(saved.time.description == "20:00" && saved.place == nil)
        #expect(world.trip?.timeline.count == 2)
    }

    @Test("a title that was changed here and elsewhere shows both, and the user keeps theirs, or the stored one")
    func keepMine() throws {
        for side in VersionSide.allCases {
            try world.change { try $0.saving(.sample(1, day: 1, hour: 9, place: true)) }
            let other = editor()
            try changeTitle()
            other.send(.titleTyped("Mine"), .saveTapped, for: 150)
            #expect(other.state.form.merge?.collidingLines(in: .korean).map(\.line.label) == ["제목"])
            #expect(other.state.form.canKeepBoth)
            other.send(.form(.versionChosen(.title, side)), .mergeTapped, for: 150)
            #expect(stored(entry)?.title.text == (side == .mine ? "Mine" : "Elsewhere"))
            #expect(stored(entry)?.time.description == "20:00")
        }
    }

    @Test("a user who keeps both versions of an entry gets a new entry, with copies of the pictures that are stored")
    func keepBoth() throws {
        let first = editor()
        first.send(.imagePicked("a.jpg"), for: 150)
        first.send(.saveTapped, for: 150)
        let picture = try #require(stored(entry)?.pictures.first)
        let editor = editor()
        editor.edit(.pictureDescribed(picture.id, "바다"))
        editor.send(.titleTyped("Mine"), .imagePicked("b.jpg"), for: 150)
        try changeTitle()
        editor.send(.saveTapped, for: 150)
        #expect(editor.state.form.canKeepBoth)
        editor.send(.keepBothTapped, .keepBothTapped, for: 400)
        #expect(stored(entry)?.time.description == "20:00")
        let timeline = try #require(world.trip?.timeline)
        let copy = try #require(timeline.first { $0.title.text == "Mine" })
        #expect(copy.id != entry && timeline.count == 3)
        #expect(copy.pictures.count == 2 && !copy.pictures.contains { $0.id == picture.id })
        #expect(copy.pictures.first?.text?.text == "바다")
        let images = copy.pictures.compactMap { picture in world.images.first { $0.id == picture.id } }
        #expect(images.count == 2)
        #expect(editor.events.last == .close(.savedEntry(copy.id, day: copy.day)))
    }

    @Test("an entry whose copy cannot be made still shows both versions")
    func keepBothFails() throws {
        let editor = editor()
        try changeTitle()
        editor.send(.titleTyped("Mine"), .saveTapped, for: 150)
        world.fail("update")
        editor.send(.keepBothTapped, for: 150)
        #expect(editor.events.last == .notice(.failed(.busy)) && editor.state.form.phase == .editing)
        world.fail("update", with: nil)
        // It is the form of a new entry now, which is stored once.
        editor.send(.saveTapped, for: 150)
        #expect(world.trip?.timeline.count == 3 && stored(entry)?.time.description == "20:00")
    }

    @Test("a user who takes the stored version of an entry continues to edit it")
    func takeTheirs() throws {
        let editor = editor()
        try world.change { try $0.saving(.sample(1, day: 1, hour: 20)) }
        editor.send(.titleTyped("Mine"), .saveTapped, for: 150)
        editor.send(.takeTheirsTapped)
        #expect(editor.state.form.draft.time == "20:00")
        #expect(!editor.state.form.hasChanges)
    }

    @Test("an entry that was deleted elsewhere is saved again, or given up", arguments: [true, false])
    func deletedElsewhere(keeps: Bool) throws {
        let editor = editor()
        try world.change { try $0.removing(entry) }
        editor.send(.titleTyped("Mine"), .saveTapped, for: 150)
        #expect(editor.state.form.conflict?.theirs == nil)
        #expect(editor.state.form.conflict != nil && editor.state.form.merge == nil && !editor.state.form.canKeepBoth)
        editor.send(keeps ? .mergeTapped : .takeTheirsTapped, for: 150)
        #expect(stored(entry)?.title.text == (keeps ? "Mine" : nil))
        #expect(editor.events.last == (keeps ? .close(.savedEntry(entry, day: 1)) : .close(.removedEntry(entry))))
    }

    @Test("what is kept of an entry that was deleted elsewhere has its new pictures, and none that was deleted with it")
    func deletedPictures() throws {
        let first = editor()
        first.send(.imagePicked("a.jpg"), for: 150)
        first.send(.saveTapped, for: 150)
        let stored = try #require(stored(entry)?.pictures.first)
        let editor = editor()
        editor.send(.imagePicked("b.jpg"), for: 150)
        #expect(editor.state.form.draft.deletion == .entryWasDeletedWithPhotos)
        try world.change { try $0.removing(entry) }
        editor.send(.saveTapped, for: 150)
        editor.send(.mergeTapped, for: 150)
        let pictures = try #require(self.stored(entry)?.pictures)
        #expect(pictures.count == 1 && pictures.first?.id != stored.id)
        #expect(editor.state.form.draft.deletion == .entryWasDeleted)
    }

    @Test("pictures that were added here and elsewhere are both kept, at most as many as an entry may have")
    func addedPictures() throws {
        for count in [2, TimelineEntry.maximumPictureCount] {
            let editor = editor()
            editor.send(.imagePicked("a.jpg"), for: 150)
            let added = (0..<count).map { Picture(TripImage.ID(seed: 500 + UInt64($0))) }
            try world.change { trip in
                let entry = try #require(trip.timeline.first { $0.id == self.entry })
                return try trip.saving(
                    TimelineEntry(
                        id: entry.id, day: entry.day, time: entry.time, title: entry.title, text: entry.text,
                        place: entry.place, pictures: added))
            }
            editor.send(.saveTapped, for: 150)
            #expect(editor.state.form.merge?.collisions == [] && editor.state.form.merge?.arrived.count == count)
            editor.send(.mergeTapped, for: 150)
            if count < TimelineEntry.maximumPictureCount {
                #expect(
                    stored(entry)?.pictures.count == count + 1
                        && editor.events.last == .close(.savedEntry(entry, day: 1)))
                try world.change { try $0.saving(.sample(1, day: 1, hour: 9, place: true)) }
                continue
            }
            // Nothing is lost: the form says that one has to go.
            #expect(
                editor.state.form.problem(of: .pictures) != nil && editor.state.form.draft.pictures.count == count + 1)
            #expect(stored(entry)?.pictures.count == count)
            editor.edit(.pictureRemoved(added[3].id))
            editor.send(.saveTapped, for: 150)
            #expect(stored(entry)?.pictures.count == count && editor.events.last == .close(.savedEntry(entry, day: 1)))
        }
    }

    @Test("pictures that were moved elsewhere stay moved without a question")
    func movedPictures() throws {
        let first = editor()
        first.send(.imagePicked("a.jpg"), .imagePicked("b.jpg"), for: 300)
        first.send(.saveTapped, for: 150)
        let ids = try #require(stored(entry)?.pictures.map(\.id))
        let (editor, other) = (editor(), editor())
        other.edit(.pictureMoved(ids[1], to: 0))
        other.send(.saveTapped, for: 150)
        editor.send(.titleTyped("Mine"), .saveTapped, for: 300)
        #expect(stored(entry)?.title.text == "Mine" && stored(entry)?.pictures.map(\.id) == ids.reversed())
    }

    @Test("a change of another entry does not ask")
    func otherEntry() throws {
        let editor = editor()
        try world.change { try $0.removing(.init(seed: 2)) }
        editor.send(.titleTyped("Mine"), .saveTapped, for: 250)
        #expect(editor.state.form.conflict == nil)
        #expect(world.trip?.timeline.map(\.title.text) == ["Mine"])
    }

    @Test("dates that shrank elsewhere below the day of the entry show a problem instead of saving")
    func shrunkElsewhere() throws {
        let editor = newEntry(day: 3)
        editor.send(.titleTyped("Mine"), .textTyped("Text"))
        try world.change { trip in
            var content = trip.content
            content.days = DayRange(content.days.first, days: 2)
            return try trip.with(content)
        }
        editor.send(.saveTapped, for: 250)
        #expect(editor.state.form.problem(of: .day) != nil)
        editor.send(.dayPicked(2), .saveTapped, for: 150)
        #expect(stored(.init(seed: 8))?.day == 2)
    }

    @Test("leaving a changed entry asks first, and an unchanged one closes")
    func guardsChanges() {
        let editor = editor()
        editor.send(.textTyped("Other"), .backTapped, .discardAnswered(false))
        #expect(editor.events.isEmpty)
        editor.send(.textTyped("Text"), .backTapped)
        #expect(editor.events == [.close(nil)])
    }

    @Test("leaving an entry while its image is being read asks first")
    func guardsImage() {
        let editor = editor()
        editor.send(.imagePicked("a.jpg"), .backTapped)
        #expect(editor.state.form.asksToDiscard && editor.events.isEmpty)
        editor.send(.discardAnswered(false), for: 150)
        #expect(editor.state.form.hasChanges)
    }

    @Test("an entry that is not in the trip says so, and a trip that fails to load can be loaded again")
    func loading() {
        let gone = world.run(EntryEditorFlow(world.useCases, entry: .init(seed: 99), in: world.id))
        gone.send(.appeared, for: 150)
        #expect(gone.state.form.phase == .failed(.domain(.notFound(.entry(.init(seed: 99))))))
        world.fail("load")
        let editor = editor()
        #expect(editor.state.form.phase == .failed(.busy))
        world.fail("load", with: nil)
        editor.send(.retryTapped, for: 150)
        #expect(editor.state.form.draft.title == "Entry 1")
    }

    @Test("closing an entry editor ends the work of its form and of its place search")
    func closedWhileReading() {
        let editor = editor()
        editor.send(.placeRemoved, .placeTyped("해"), for: 300)
        editor.send(.imagePicked("a.jpg"), for: 50)
        editor.dismiss()
        editor.pass(150)
        #expect(world.cancelled.sorted() == ["places '해'", "read a.jpg"])
        world.scheduler.expectIdle()
    }

    @Test("closing an entry editor while it saves cancels that and says nothing")
    func closedWhileSaving() {
        let editor = editor()
        editor.send(.titleTyped("Mine"), .saveTapped, for: 50)
        editor.dismiss()
        editor.pass(150)
        #expect(world.cancelled == ["update"])
        #expect(editor.events.isEmpty)
        world.scheduler.expectIdle()
    }

    // MARK: Restarts

    /// The editor of an entry, new or stored, with the text of an earlier run.
    private func editor(restoring text: String?, isNew: Bool) -> ScreenRun<EntryEditorFlow> {
        let editor = world.run(
            isNew
                ? EntryEditorFlow(world.useCases, newEntryIn: world.id, day: 2, restoring: text)
                : EntryEditorFlow(world.useCases, entry: entry, in: world.id, restoring: text))
        editor.send(.appeared, for: 150)
        return editor
    }

    @Test(
        "a form of an entry is restored with everything that was typed, its pictures read again from their files",
        arguments: 0..<40 as Range<UInt64>)
    func restored(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let isNew = seed.isMultiple(of: 2)
        func text() -> String {
            let parts = [
                "바다", "\n", "\r\n", "\u{2028}", "\"", "\\", "\0", "\u{1B}[31m", "input ", "traveline://home\n",
                "e\u{301}",
                "👨‍👩‍👧", "}", "\u{202E}", " ", String(repeating: "가나다 ", count: 10_000),
            ]
            return (0..<Int.random(in: 0...4, using: &random)).compactMap { _ in parts.randomElement(using: &random) }
                .joined()
        }
        let first = editor(restoring: nil, isNew: isNew)
        first.edit(
            .dayPicked(Int.random(in: -1...4, using: &random)), .timeTyped(text()), .titleTyped("x" + text()),
            .textTyped(text()))
        if Bool.random(using: &random) {
            first.send(.placeRemoved, .placeTyped(text()))
        } else {
            let here = Bool.random(using: &random) ? try EditorWorld.here : nil
            first.send(.placePicked(try Place(name: "광안리", address: "부산", coordinate: here)))
        }
        let paths = (0..<Int.random(in: 0...4, using: &random)).map { $0 == 1 ? "here.jpg" : "\($0) \"#.jpg" }
        for path in paths { first.send(.imagePicked(path), for: 150) }
        for picture in first.state.form.draft.pictures where Bool.random(using: &random) {
            let changes: [EntryDraft.Change] = [
                .pictureDescribed(picture.id, text()), .pictureTimeRemoved(picture.id),
                .pictureMoved(picture.id, to: 0),
                .picturePositionTapped(picture.id), .picturePositionRemoved(picture.id),
            ]
            first.edit(changes.randomElement(using: &random) ?? .pictureRemoved(picture.id))
        }
        first.pass(500)
        let left = first.state.form
        let saved = try #require(left.restorableText)
        #expect(saved.split(whereSeparator: \.isWhitespace).count == 1)

        let second = editor(restoring: saved, isNew: isNew)
        // Also while the pictures are read, or if the app is left again meanwhile.
        let third = editor(restoring: second.state.form.restorableText, isNew: isNew)
        for editor in [second, third] {
            editor.pass(150 * (paths.count + 1))
            let (form, before) = (editor.state.form, left.draft)
            #expect(form.id == left.id && form.original == left.original && form.conflict == nil && form.hasChanges)
            #expect(editor.state.places.text == before.placeName && !form.isReadingImage && editor.events.isEmpty)
            var draft = form.draft
            #expect(draft.pictures.count == before.pictures.count && draft.pictures.allSatisfy { $0.new != nil })
            for (mine, theirs) in zip(draft.pictures, before.pictures) {
                #expect(mine.path == theirs.path && mine.text == theirs.text)
                #expect(mine.taken == theirs.taken && mine.position == theirs.position)
            }
            draft.pictures = before.pictures
            #expect(draft == before)
        }
    }

    @Test("a text that is no form of the entry is an unchanged form, whatever it is", arguments: [true, false])
    func restoredFromOthers(isNew: Bool) throws {
        let first = editor(restoring: nil, isNew: isNew)
        first.edit(.titleTyped("Mine"))
        #expect(editor(restoring: nil, isNew: isNew).state.form.restorableText == nil)
        let saved = try #require(first.state.form.restorableText)
        for text in ["", "?", "e30=", String(saved.dropLast(8)), String(repeating: "A", count: 100_000)] {
            let form = editor(restoring: text, isNew: isNew).state.form
            #expect(form.phase == .editing && !form.hasChanges)
        }
        // The form of another entry.
        let other = world.run(
            EntryEditorFlow(world.useCases, entry: .init(seed: 2), in: world.id, restoring: saved))
        other.send(.appeared, for: 150)
        #expect(!other.state.form.hasChanges && other.state.form.draft.title != "Mine")
    }

    @Test("a restored form whose entry was changed meanwhile is not saved before the user has decided")
    func restoredAfterChange() throws {
        let first = editor()
        first.edit(.titleTyped("Mine"))
        let saved = try #require(first.state.form.restorableText)
        try world.change { try $0.saving(.sample(1, day: 1, hour: 20)) }
        let second = editor(restoring: saved, isNew: false)
        #expect(second.state.form.conflict?.theirs?.time == "20:00" && second.state.form.draft.title == "Mine")
        second.send(.form(.conflictClosed))
        second.edit(.textTyped("More"))
        second.send(.saveTapped, for: 150)
        #expect(second.state.form.merge?.mine.text == "More" && stored(entry)?.time.description == "20:00")
        // Left again without an answer, it asks again.
        let third = editor(restoring: second.state.form.restorableText, isNew: false)
        #expect(third.state.form.conflict?.theirs?.time == "20:00")
        third.send(.mergeTapped, for: 150)
        #expect(stored(entry)?.title.text == "Mine" && stored(entry)?.text.text == "More")
        #expect(stored(entry)?.time.description == "20:00")
        // A form that was saved before the app was left has no changes.
        let fourth = editor(restoring: third.state.form.restorableText ?? saved, isNew: false)
        fourth.send(.takeTheirsTapped)
        #expect(!fourth.state.form.hasChanges && fourth.state.form.draft.title == "Mine")
    }

    @Test("a restored form whose entry is gone shows both versions, and one whose trip is gone says so")
    func restoredAfterRemoval() throws {
        let first = editor()
        first.edit(.titleTyped("Mine"))
        let saved = try #require(first.state.form.restorableText)
        try world.change { try $0.removing(entry) }
        let second = editor(restoring: saved, isNew: false)
        #expect(second.state.form.conflict != nil && second.state.form.conflict?.theirs == nil)
        second.send(.mergeTapped, for: 150)
        #expect(stored(entry)?.title.text == "Mine")
        world.delete()
        for isNew in [true, false] {
            let gone = editor(restoring: saved, isNew: isNew)
            #expect(gone.state.form.phase == .failed(.domain(.notFound(.trip(world.id)))))
            // What was typed is there until the user gives it up.
            #expect(gone.state.form.draft.title == "Mine" && gone.state.form.restorableText != nil)
            gone.send(.backTapped, .discardAnswered(true))
            #expect(gone.events == [.close(nil)])
        }
    }

    @Test("pictures of a restored form that cannot be read again are left out with a notice, and the others stay")
    func restoredWithoutPictures() throws {
        let first = editor(restoring: nil, isNew: true)
        for path in ["a.jpg", "b.jpg", "c.jpg"] { first.send(.imagePicked(path), for: 150) }
        // Two that were still to be read are read as well.
        first.send(.imagePicked("d.jpg"), .imagePicked("e.jpg"))
        let saved = try #require(first.state.form.restorableText)
        world.fail("read a.jpg", with: .invalid(.init(.image, .empty)))
        world.fail("read c.jpg")
        let second = editor(restoring: saved, isNew: true)
        second.send(.titleTyped("제목"), .textTyped("글"), .saveTapped)
        second.pass(1_000)
        #expect(second.state.form.draft.pictures.map(\.path) == ["b.jpg", "d.jpg", "e.jpg"])
        #expect(
            second.events == [
                .notice(.done(.picturesLeftOut(["a.jpg"]))), .notice(.done(.picturesLeftOut(["c.jpg"]))),
            ])
        #expect(second.state.form.problem(of: .pictures) == .text(.picturesLeftOut(["a.jpg", "c.jpg"])))
        second.send(.saveTapped, for: 150)
        #expect(world.images.count == 3)
    }
}
