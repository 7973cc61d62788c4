import Foundation
import StreamsTesting
import TestConcurrency
import Testing
import TravelDomainTesting

@testable import TravelPresentation

@Suite("Trip editor", .limitedConcurrency)
struct TripEditorFlowTests {
    private let world: EditorWorld

    init() throws {
        world = try EditorWorld()
    }

    /// An editor of the stored trip, which has loaded.
    private func editor() -> ScreenRun<TripEditorFlow> {
        let editor = world.run(TripEditorFlow(world.useCases, trip: world.id))
        editor.send(.appeared, for: 150)
        return editor
    }

    /// An editor of a new trip.
    private func newTrip() -> ScreenRun<TripEditorFlow> {
        let editor = world.run(TripEditorFlow(world.useCases, newTrip: .init(seed: 7)))
        editor.send(.appeared, for: 150)
        return editor
    }

    @Test("a new trip begins with an empty form, whose problems show only where the user has been")
    func emptyForm() {
        let editor = newTrip()
        #expect(editor.state.isNew)
        #expect(!editor.state.canSave)
        for field in TripDraft.Field.allCases { #expect(editor.state.problem(of: field) == nil) }
        editor.send(.fieldLeft(.title))
        #expect(editor.state.problem(of: .title) == .violation(.init(.title, .tooShort(minimum: 1))))
        #expect(editor.state.problem(of: .region) == nil)
    }

    @Test("an attempt to save shows every problem and saves nothing")
    func allProblems() {
        let editor = newTrip()
        editor.send(.titleTyped(String(repeating: "1", count: 61)), .saveTapped, for: 150)
        #expect(editor.state.problem(of: .title) == .violation(.init(.title, .tooLong(maximum: 60))))
        #expect(editor.state.problem(of: .region) == .text(.chooseRegion))
        #expect(editor.state.problem(of: .firstDay) != nil)
        #expect(editor.state.problem(of: .lastDay) == nil)
        #expect(world.calls.isEmpty)
    }

    @Test("a new trip is recorded with its ID and closes the editor")
    func record() throws {
        let editor = newTrip()
        editor.send(.titleTyped(" 제주 "), .optionTapped(.region(.jeju)), .firstDayTyped("2024-06-01"))
        #expect(editor.state.draft.lastDay == "" && editor.state.draft.impliedLastDay == "2024-06-01")
        editor.send(.lastDayTyped(" 2024-06-03 "), .optionTapped(.theme(.food)), .optionTapped(.headcount(.two)))
        #expect(editor.state.canSave)
        editor.send(.saveTapped, for: 150)
        let id = Trip.ID(seed: 7)
        #expect(editor.events == [.notice(.done(.saved)), .close(.savedTrip(id))])
        let content = try #require(world.trip?.content)
        #expect(world.trip?.id == id)
        #expect(content.title.text == "제주")
        #expect(content.days.count == 3)
        #expect(content.themes == [.food])
        #expect(content.headcount == .two)
    }

    @Test("a new trip whose answer was lost is compared with the form that has changed since")
    func lostAnswer() {
        let editor = newTrip()
        editor.send(.titleTyped("First"), .optionTapped(.region(.jeju)), .firstDayTyped("2024-06-01"))
        world.fail("answer")
        editor.send(.saveTapped, for: 150)
        #expect(editor.events == [.notice(.failed(.busy))])
        world.fail("answer", with: nil)
        editor.send(.titleTyped("Second"), .saveTapped, for: 250)
        #expect(editor.state.conflict?.theirs?.title == "First")
        editor.send(.mergeTapped, for: 150)
        #expect(world.trip?.content.title.text == "Second")
        #expect(editor.events.last == .close(.savedTrip(.init(seed: 7))))
    }

    @Test("two quick taps on save save once, and the form cannot be changed meanwhile")
    func quickTaps() {
        let editor = editor()
        editor.send(.titleTyped("Busan"), .saveTapped, .saveTapped, .titleTyped("Seoul"), .backTapped, for: 50)
        #expect(editor.state.phase == .saving)
        #expect(!editor.state.canSave)
        editor.send(.saveTapped, for: 150)
        #expect(world.calls == ["load", "update"])
        #expect(world.trip?.content.title.text == "Busan")
        #expect(editor.events == [.notice(.done(.saved)), .close(.savedTrip(world.id))])
    }

    @Test("an editor whose loading, reading of an image or saving is cancelled says so, and can do it again")
    func cancelled() throws {
        let editor = world.run(TripEditorFlow(world.useCases, trip: world.id))
        editor.send(.appeared, cancelledAfter: 50)
        #expect(editor.state.phase == .failed(.unknown))
        editor.send(.retryTapped, for: 150)
        editor.send(.titleTyped("Busan"))
        editor.send(.imagePicked("here.jpg"), cancelledAfter: 50)
        #expect(!editor.state.isReadingImage)
        editor.send(.saveTapped, cancelledAfter: 50)
        #expect(editor.state.phase == .editing)
        #expect(editor.events == [.notice(.failed(.unknown))])
        editor.send(.saveTapped, for: 150)
        #expect(world.trip?.content.title.text == "Busan")
        #expect(world.cancelled == ["load", "read here.jpg", "update"])
    }

    @Test("a form without changes cannot be saved and closes without asking")
    func unchanged() {
        let editor = editor()
        #expect(!editor.state.canSave)
        editor.send(.saveTapped, .titleTyped("x"), .titleTyped("부산"), .saveTapped, .backTapped, for: 150)
        #expect(world.calls == ["load"])
        #expect(editor.events == [.close(nil)])
    }

    @Test("leaving a changed form asks first")
    func guardsChanges() {
        let editor = editor()
        editor.send(.titleTyped("Busan"), .backTapped)
        #expect(editor.state.asksToDiscard)
        editor.send(.discardAnswered(false))
        #expect(!editor.state.asksToDiscard)
        #expect(editor.events.isEmpty)
        editor.send(.backTapped, .discardAnswered(true), .discardAnswered(true))
        #expect(editor.events == [.close(nil)])
    }

    @Test("a first day after the last day pushes the last day, and an earlier one leaves it")
    func dates() {
        let editor = editor()
        editor.send(.firstDayTyped("2024-05-0"))
        #expect(editor.state.draft.lastDay == "2024-05-03")
        #expect(editor.state.problem(of: .firstDay) != nil)
        editor.send(.firstDayTyped("2024-04-30"))
        #expect(editor.state.draft.lastDay == "2024-05-03")
        editor.send(.firstDayTyped("2024-06-10"))
        #expect(editor.state.draft.lastDay == "" && editor.state.draft.impliedLastDay == "2024-06-10")
        // The last day that was typed returns when the first is not after it any more.
        editor.send(.firstDayTyped("2024-05-02"))
        #expect(editor.state.draft.lastDay == "2024-05-03" && editor.state.draft.impliedLastDay == nil)
        editor.send(.firstDayTyped("2024-06-10"))
        editor.send(.lastDayTyped("2024-06-09"))
        #expect(editor.state.problem(of: .lastDay) == .violation(.init(.dates, .endsBeforeItBegins)))
        #expect(!editor.state.canSave)
    }

    @Test("dates that leave entries behind name them before anything is saved")
    func entriesInTheWay() {
        let editor = editor()
        editor.send(.lastDayTyped("2024-05-01"))
        let problem = FormProblem.violation(.init(.dates, .entriesInTheWay([.init(seed: 2)])))
        #expect(editor.state.problem(of: .lastDay) == problem)
        editor.send(.saveTapped, for: 150)
        #expect(world.calls == ["load"])
    }

    /// Changes the stored trip as another device does.
    private func change(_ body: (inout TripContent) throws -> Void) throws {
        try world.change { trip in
            var content = trip.content
            try body(&content)
            return try trip.with(content)
        }
    }

    @Test("a part that was changed here and elsewhere shows both versions, and the user keeps theirs")
    func keepMine() throws {
        let editor = editor()
        try change { $0.title = try Title("Elsewhere") }
        editor.send(.titleTyped("Mine"), .saveTapped, for: 150)
        let merge = try #require(editor.state.merge)
        #expect(
            merge.collidingLines(in: .english).map(\.line)
                == [VersionLine(label: "Title", mine: "Mine", theirs: "Elsewhere")])
        #expect(merge.arrived == [])
        editor.send(.saveTapped, for: 150)
        #expect(world.calls == ["load", "update"])
        editor.send(.mergeTapped, for: 150)
        #expect(world.trip?.content.title.text == "Mine")
        #expect(editor.events.last == .close(.savedTrip(world.id)))
    }

    @Test("what was changed on one side only is merged after one confirmation, which says what came from elsewhere")
    func merged() throws {
        let editor = editor()
        let link = Audience.byLink(LinkKey())
        try change { content in
            (content.region, content.themes, content.audience) = (.jeju, [.food], link)
        }
        editor.send(.titleTyped("Mine"), .lastDayTyped("2024-05-05"), .saveTapped, for: 150)
        let merge = try #require(editor.state.merge)
        #expect(merge.collisions == [] && merge.arrived == [.choice(.region), .choice(.theme), .audience])
        #expect(merge.arrivedLines(in: .korean).map(\.theirs) == ["제주", "맛집", "링크"])
        #expect(!editor.state.canKeepBoth)
        editor.send(.mergeTapped, .mergeTapped, for: 150)
        let content = try #require(world.trip?.content)
        #expect(content.title.text == "Mine" && content.days.count == 5)
        #expect(content.region == .jeju && content.themes == [.food] && content.audience == link)
        #expect(world.calls == ["load", "update", "update"])
        #expect(editor.events.last == .close(.savedTrip(world.id)))
    }

    @Test("each part that collides has the version that was chosen last, and the rest is merged")
    func chosen() throws {
        let editor = editor()
        try change { content in
            (content.title, content.region, content.headcount) = (try Title("Elsewhere"), .jeju, .two)
        }
        editor.send(
            .titleTyped("Mine"), .optionTapped(.region(.seoul)), .optionTapped(.budget(.under10)), .saveTapped, for: 150
        )
        #expect(editor.state.merge?.collisions == [.title, .choice(.region)])
        #expect(editor.state.merge?.arrived == [.choice(.headcount)])
        editor.send(
            .versionChosen(.title, .theirs), .versionChosen(.choice(.region), .theirs),
            .versionChosen(.choice(.region), .mine))
        #expect(editor.state.merge?.result.title == "Elsewhere" && editor.state.merge?.result.region == .seoul)
        editor.send(.mergeTapped, for: 150)
        let content = try #require(world.trip?.content)
        #expect(content.title.text == "Elsewhere" && content.region == .seoul)
        #expect(content.headcount == .two && content.budget == .under10)
    }

    @Test("the same change on both sides raises no question")
    func sameChange() throws {
        let editor = editor()
        try change { $0.title = try Title("Same") }
        editor.send(.titleTyped("Same"), .optionTapped(.theme(.food)), .saveTapped, for: 250)
        #expect(editor.state.conflict == nil && editor.events.last == .close(.savedTrip(world.id)))
        #expect(world.trip?.content.title.text == "Same" && world.trip?.content.themes == [.food])
    }

    @Test("a merge that makes no trip shows the problem in the form, which has what came from elsewhere")
    func invalidMerge() throws {
        let editor = editor()
        try change { $0.days = try DayRange(CalendarDay("2024-05-02"), through: $0.days.last) }
        editor.send(.lastDayTyped("2024-05-02"), .saveTapped, for: 150)
        #expect(editor.state.merge?.arrived == [.firstDay] && editor.state.merge?.collisions == [])
        editor.send(.mergeTapped, for: 150)
        #expect(editor.state.draft.firstDay == "2024-05-02" && editor.state.draft.lastDay == "2024-05-02")
        #expect(editor.state.problem(of: .lastDay) != nil && editor.state.phase == .editing)
        editor.send(.lastDayTyped("2024-05-04"), .saveTapped, for: 150)
        #expect(world.trip?.content.days.count == 3 && editor.events.last == .close(.savedTrip(world.id)))
    }

    @Test("a change that arrives while a merge is saved is merged as well")
    func twice() throws {
        let editor = editor()
        try change { $0.region = .jeju }
        editor.send(.titleTyped("Mine"), .saveTapped, for: 150)
        try change { $0.budget = .under10 }
        editor.send(.mergeTapped, for: 150)
        #expect(editor.state.merge?.arrived == [.choice(.budget)])
        editor.send(.mergeTapped, for: 150)
        let content = try #require(world.trip?.content)
        #expect(content.title.text == "Mine" && content.region == .jeju && content.budget == .under10)
    }

    @Test("a form of a page is merged with what it began with, and without that, whatever differs collides")
    func resumed() throws {
        let first = try #require(world.trip)
        try change { content in (content.title, content.region) = (try Title("Elsewhere"), .jeju) }
        for original in [TripDraft(first.content), nil] {
            let editor = editor()
            // A page posts all of its fields, with what its form began with.
            editor.send(
                .resumed(from: first.version, original: original), .titleTyped("부산"), .optionTapped(.region(.busan)),
                .optionTapped(.budget(.under10)), .saveTapped, for: 150)
            #expect(editor.state.seenVersion == first.version && editor.state.conflict?.version != first.version)
            let merge = try #require(editor.state.merge)
            #expect(merge.arrived == (original == nil ? [] : [.title, .choice(.region)]))
            #expect(merge.collisions == (original == nil ? [.title, .choice(.region), .choice(.budget)] : []))
            #expect(editor.state.restorableOriginal.isEmpty == (original == nil))
        }
        let answered = editor()
        let version = try #require(world.trip?.version)
        answered.send(
            .resumed(from: version, original: TripDraft(first.content)), .titleTyped("Mine"),
            .optionTapped(.region(.busan)), .versionChosen(.title, .theirs), .mergeTapped, for: 150)
        #expect(world.trip?.content.title.text == "Elsewhere" && world.trip?.content.region == .jeju)
    }

    /// An editor whose new title could not be saved, because the region has changed elsewhere.
    private func conflictingEditor() throws -> ScreenRun<TripEditorFlow> {
        let editor = editor()
        try change { $0.region = .jeju }
        editor.send(.titleTyped("Mine"), .saveTapped, for: 150)
        return editor
    }

    @Test("a user who takes the stored version of a conflict continues to edit it")
    func takeTheirs() throws {
        let editor = try conflictingEditor()
        #expect(!editor.state.canKeepBoth)
        editor.send(.keepBothTapped, for: 150)
        #expect(editor.state.conflict != nil)
        editor.send(.takeTheirsTapped)
        #expect(editor.state.draft.title == "부산")
        #expect(editor.state.draft.region == .jeju)
        #expect(!editor.state.hasChanges)
        editor.send(.titleTyped("Mine"), .saveTapped, for: 150)
        #expect(world.trip?.content.title.text == "Mine")
        #expect(world.trip?.content.region == .jeju)
    }

    @Test("a conflict that is closed without a decision comes back at the next attempt")
    func undecided() throws {
        let editor = try conflictingEditor()
        editor.send(.conflictClosed)
        #expect(editor.state.draft.title == "Mine")
        editor.send(.saveTapped, for: 150)
        #expect(editor.state.conflict != nil)
    }

    @Test("an entry that was added elsewhere does not ask, unless it is in the way of the dates")
    func timelineChange() throws {
        let editor = editor()
        try world.change { try $0.saving(.sample(3, day: 3)) }
        editor.send(.titleTyped("Mine"), .saveTapped, for: 250)
        #expect(editor.state.conflict == nil)
        #expect(world.trip?.content.title.text == "Mine")
        #expect(world.trip?.timeline.count == 3)

        let other = self.editor()
        other.send(.lastDayTyped("2024-05-02"), .saveTapped, for: 150)
        #expect(other.state.problem(of: .lastDay) != nil)
    }

    @Test("a conflict whose stored timeline is in the way of the dates says so")
    func conflictInTheWay() throws {
        let editor = editor()
        editor.send(.lastDayTyped("2024-05-02"))
        try world.change { try $0.saving(.sample(3, day: 3)) }
        editor.send(.saveTapped, for: 250)
        #expect(
            editor.state.problem(of: .lastDay) == .violation(.init(.dates, .entriesInTheWay([.init(seed: 3)]))))
        #expect(editor.state.phase == .editing)
    }

    @Test("a form that could not be saved keeps its values, and can be saved again")
    func failure() {
        let editor = editor()
        world.fail("update")
        editor.send(.titleTyped("Mine"), .saveTapped, for: 150)
        #expect(editor.events == [.notice(.failed(.busy))])
        #expect(editor.state.draft.title == "Mine")
        #expect(editor.state.canSave)
        world.fail("update", with: nil)
        editor.send(.saveTapped, for: 150)
        #expect(world.trip?.content.title.text == "Mine")
    }

    @Test("a rule that only the store knows shows beside its field until the field changes")
    func rejection() {
        let editor = editor()
        world.fail("update", with: .invalid(.init(.title, .controlCharacter)))
        editor.send(.titleTyped("Mine"), .saveTapped, for: 150)
        #expect(editor.state.problem(of: .title) == .violation(.init(.title, .controlCharacter)))
        #expect(!editor.state.canSave)
        editor.send(.titleTyped("Yours"))
        #expect(editor.state.canSave)
    }

    @Test(
        "a trip that was deleted elsewhere is saved again as its form has it, without a stored cover, or given up",
        arguments: [true, false])
    func deletedElsewhere(keeps: Bool) throws {
        let first = editor()
        first.send(.imagePicked("a.jpg"), for: 150)
        first.send(.saveTapped, for: 150)
        let editor = editor()
        #expect(editor.state.draft.image != nil)
        world.delete()
        editor.send(.titleTyped("Mine"), .saveTapped, for: 150)
        #expect(editor.state.conflict != nil && editor.state.merge == nil && !editor.state.canKeepBoth)
        #expect(editor.state.conflict?.version == nil && editor.state.draft.deletion == .tripWasDeleted)
        // The question comes again until it is answered.
        editor.send(.conflictClosed)
        #expect(editor.state.conflict == nil && editor.state.draft.title == "Mine")
        editor.send(.saveTapped, for: 150)
        editor.send(keeps ? .mergeTapped : .takeTheirsTapped, for: 150)
        #expect(world.trip?.id == (keeps ? world.id : nil) && world.trip?.content.title.text == (keeps ? "Mine" : nil))
        #expect(world.trip?.content.thumbnail == nil)
        #expect(editor.events.last == .close(keeps ? .savedTrip(world.id) : .removedTrip(world.id)))
    }

    @Test("a trip without a last day ends on its first day")
    func oneDay() throws {
        let editor = newTrip()
        editor.send(.titleTyped("Jeju"), .optionTapped(.region(.jeju)), .firstDayTyped(" 2024-06-01 "))
        #expect(editor.state.canSave)
        editor.send(.saveTapped, for: 150)
        let day = try CalendarDay("2024-06-01")
        #expect(world.trip?.content.days == (try DayRange(day, through: day)))
    }

    @Test("a save during the reading of an image waits for the image, and is stored with it")
    func image() throws {
        let editor = editor()
        editor.send(.imagePicked("a.jpg"), .titleTyped("Mine"), .saveTapped, for: 50)
        #expect(editor.state.isReadingImage)
        #expect(!editor.state.canSave)
        editor.pass(250)
        let picture = try EditorWorld.picture().image
        #expect(editor.state.draft.image == .picked(picture))
        #expect(world.images == [picture])
        #expect(world.trip?.content.thumbnail == picture.id)
    }

    @Test("an image that cannot be read says why, and one that is removed is not read on")
    func imageFailure() {
        let editor = editor()
        world.fail("read a.jpg", with: .invalid(.init(.image, .empty)))
        editor.send(.imagePicked("a.jpg"), for: 150)
        #expect(editor.state.problem(of: .image) == .violation(.init(.image, .empty)))
        editor.send(.imagePicked("b.jpg"), .imageRemoved, for: 150)
        #expect(editor.state.draft.image == nil)
        #expect(editor.state.problem(of: .image) == nil)
        #expect(world.cancelled == ["read b.jpg"])
    }

    @Test(
        "a save that waits for an image is forgotten with the image",
        arguments: [TripEditorFlow.Action.imageRemoved, .imagePicked("b.jpg"), .backTapped])
    func forgottenSave(action: TripEditorFlow.Action) {
        let editor = editor()
        editor.send(.imagePicked("a.jpg"), .saveTapped, action, for: 500)
        #expect(world.trip?.content.thumbnail == nil && world.images == [])
        world.fail("read a.jpg", with: .invalid(.init(.image, .empty)))
        editor.send(.titleTyped("Mine"), .imagePicked("a.jpg"), .saveTapped, for: 500)
        #expect(editor.state.problem(of: .image) != nil && world.trip?.content.title.text != "Mine")
    }

    @Test("the form of a new trip is restored with everything in it, and any other text is an empty form")
    func restored() throws {
        let editor = newTrip()
        #expect(editor.state.restorableText == nil)
        editor.send(
            .titleTyped("제주\u{2028}\"1\"\n"), .firstDayTyped("2024-06-0"), .lastDayTyped("2024"),
            .optionTapped(.region(.jeju)), .optionTapped(.theme(.food)), .optionTapped(.companion(.pets)),
            .optionTapped(.headcount(.fiveOrMore)), .optionTapped(.budget(.under10)),
            .optionTapped(.transportation(.ownCar)), .imagePicked("a.jpg"), for: 150)
        let text = try #require(editor.state.restorableText)
        #expect(text.split(whereSeparator: \.isWhitespace).count == 1)
        let restored = world.run(TripEditorFlow(world.useCases, restoring: text)).state
        #expect(restored.draft == editor.state.draft && restored.id == editor.state.id)
        #expect(restored.hasChanges && restored.isNew)
        for text in ["", "?", "e30=", String(text.dropLast(8))] {
            let state = world.run(TripEditorFlow(world.useCases, restoring: text)).state
            #expect(!state.hasChanges && state.phase == .editing)
        }
        // A last day that an earlier first day sets aside returns with the first day that is meant.
        editor.send(.lastDayTyped("2024-05-03"), .firstDayTyped("2024-06-01"))
        let laterText = try #require(editor.state.restorableText)
        let later = world.run(TripEditorFlow(world.useCases, restoring: laterText))
        #expect(later.state.draft == editor.state.draft && later.state.draft.lastDay == "")
        later.send(.firstDayTyped("2024-05-01"))
        #expect(later.state.draft.lastDay == "2024-05-03")
        // Choices of another version are left out.
        var stored = try JSONDecoder().decode([String: String].self, from: #require(Data(base64Encoded: text)))
        for chosen in [nil, "theme=flying"] {
            stored["chosen"] = chosen
            let text = try JSONEncoder().encode(stored).base64EncodedString()
            let draft = world.run(TripEditorFlow(world.useCases, restoring: text)).state.draft
            #expect(draft.title == editor.state.draft.title && draft.region == nil)
        }
        // A stored trip is edited from its stored version.
        #expect(self.editor().state.restorableText == nil)
    }

    @Test("the form of a stored trip is restored, compared with what is stored now", arguments: Audience.Level.allCases)
    func restoredEdit(level: Audience.Level) throws {
        try world.change { trip in
            var content = trip.content
            content.audience = .byLink(LinkKey())
            content.thumbnail = .init(seed: 5)
            return try trip.with(content)
        }
        func restoring(_ text: String?) -> ScreenRun<TripEditorFlow> {
            let editor = world.run(TripEditorFlow(world.useCases, trip: world.id, restoring: text))
            editor.send(.appeared, for: 150)
            return editor
        }
        let first = editor()
        first.send(
            .titleTyped("제주\n\"1\""), .lastDayTyped("2024-05-0"), .optionTapped(.theme(.food)),
            .edited(.audienceTapped(level)))
        let saved = try #require(first.state.restorableText)
        #expect(saved.split(whereSeparator: \.isWhitespace).count == 1)
        let second = restoring(saved)
        #expect(second.state.draft == first.state.draft && second.state.original == first.state.original)
        #expect(second.state.conflict == nil && second.state.hasChanges && second.state.phase == .editing)
        second.send(.imagePicked("a.jpg"), for: 150)
        #expect(restoring(second.state.restorableText).state.draft == second.state.draft)
        for text in ["", "?", "e30=", String(saved.dropLast(8))] { #expect(!restoring(text).state.hasChanges) }

        try world.change { trip in
            var content = trip.content
            content.title = try Title("Theirs")
            return try trip.with(content)
        }
        let third = restoring(saved)
        #expect(third.state.conflict?.theirs?.title == "Theirs" && third.state.merge?.mine.title == "제주\n\"1\"")
        third.send(.takeTheirsTapped)
        #expect(!third.state.hasChanges && third.state.draft.title == "Theirs")
        world.delete()
        let gone = restoring(saved)
        #expect(gone.state.phase == .failed(.domain(.notFound(.trip(world.id)))))
        #expect(gone.state.restorableText != nil)
    }

    @Test("an image that cannot be read does not prevent saving without it")
    func saveWithoutImage() {
        let editor = editor()
        world.fail("read a.jpg", with: .invalid(.init(.image, .empty)))
        editor.send(.titleTyped("Mine"), .imagePicked("a.jpg"), for: 150)
        #expect(editor.state.problem(of: .image) != nil && editor.state.canSave)
        editor.send(.saveTapped, for: 150)
        #expect(world.trip?.content.title.text == "Mine" && world.images == [])
    }

    @Test("a trip that fails to load shows why, and a retry loads it")
    func retry() {
        world.fail("load")
        let editor = editor()
        #expect(editor.state.phase == .failed(.busy))
        editor.send(.titleTyped("x"), .saveTapped)
        #expect(editor.state.draft == TripDraft())
        world.fail("load", with: nil)
        editor.send(.retryTapped, for: 150)
        #expect(editor.state.draft.title == "부산")
    }

    @Test("an editor that is closed while it saves, as by signing out, cancels that and says nothing")
    func closedWhileSaving() {
        let editor = editor()
        editor.send(.titleTyped("Mine"), .saveTapped, for: 50)
        editor.dismiss()
        editor.pass(150)
        #expect(world.cancelled == ["update"])
        #expect(editor.events.isEmpty)
        #expect(world.trip?.content.title.text == "부산")
        world.scheduler.expectIdle()
    }

    @Test("every choice of the form can be made and, except the region, taken back")
    func choices() {
        var draft = TripDraft()
        for kind in TripDraft.choices {
            for option in kind.options {
                draft.toggle(option)
                #expect(draft.contains(option))
            }
            #expect(!draft.text(of: kind, in: .korean).isEmpty)
            for option in kind.options where draft.contains(option) {
                draft.toggle(option)
                #expect(draft.contains(option) == (kind == .region))
            }
        }
    }
}
