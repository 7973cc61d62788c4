import TestTurns
import Testing
import TravelDomain
import TravelDomainTesting

@Suite("The contracts of stores", .takesTurns)
struct FlawedStoreTests {
    typealias Flaw = FlawedStore.Flaw

    @Test(
        "a store that breaks a promise about travels fails the check of that promise",
        arguments: [
            (Flaw.missingTravelsAreOthers, "viewer: a travel that is not there is not found, whoever looks"),
            (.likesOfMissingTravelsAreIgnored, "likes: a travel that is not there cannot be liked"),
            (.additionsRename, "viewer: the author goes by the nickname they had before, whatever comes with a travel"),
            (
                .cancellationIsIgnored,
                "cancellation: a search in a cancelled task ends with CancellationError and changes nothing"
            ),
            (
                .cancellationIsIgnored,
                "cancellation: an addition in a cancelled task ends with CancellationError and changes nothing"
            ),
        ])
    func travels(flaw: Flaw, check: String) async throws {
        try await expectViolation(of: check, among: TravelRepositoryContract.checks) { FlawedStore(flaw) }
    }

    @Test(
        "a store that breaks a promise of editing fails the check of that promise",
        arguments: [
            (
                Flaw.anyoneMayEdit,
                "editing: others than the author may not, whatever they would do, and nothing changes"
            ),
            (.changesOverlap, "editing: entries that several tasks add at the same time are all there"),
            (.removalHidesOnly, "editing: a removed travel is gone, its timeline with it, and others stay"),
            (.editsTakeOver, "editing: identity, author and time of recording stay, whatever comes back"),
            (.editsLoseLikes, "editing: likes stay"),
            (.removedTravelsKeepLikes, "editing: a removed travel can be added again and begins without likes"),
            (.strangersChangesAreMade, "editing: what someone else would change is not even asked for"),
            (.entryConflictsAreIgnored, "editing: an entry of another travel is refused and nothing changes"),
            (.failedChangesAreForgiven, "editing: what the change throws is thrown, and nothing changes"),
            (.missingTravelsMayBeEdited, "editing: a travel that is not there cannot be changed"),
            (
                .changesSeeNoTimeline,
                "editing: the change is given the trip as it is: content, timeline, author and time of recording"
            ),
            (.searchesFindOldContent, "editing: searches find the new content and no longer the old"),
            (
                .oldTitlesStay,
                "editing: titles that no travel has any more are not suggested, those that others have are"
            ),
            (
                .cancellationIsIgnored,
                "editing: an edit in a cancelled task ends with CancellationError and changes nothing"
            ),
        ])
    func editing(flaw: Flaw, check: String) async throws {
        try await expectViolation(of: check, among: TravelEditingContract.checks) { FlawedStore(flaw) }
    }

    @Test(
        "a store that breaks a promise of moderation fails the check of that promise",
        arguments: [
            (Flaw.reportsAddUp, "moderation: a second report by the same person is refused and does not count"),
            (.oneReportIsLost, "moderation: a travel that six people have reported is there for its author alone"),
            (.oneReportCountsTwice, "moderation: a travel that five people have reported is still there"),
            (.strangersMayReport, "moderation: what is not there cannot be reported, nor can who is not there report"),
            (
                .missingTravelsMayBeReported,
                "moderation: what is not there cannot be reported, nor can who is not there report"
            ),
            (
                .hiddenTravelsMayBeReported,
                "moderation: what one does not see can neither be liked nor reported, and what was liked before stays liked"
            ),
            (
                .hiddenTravelsAreShown,
                "moderation: a travel that six people have reported is there for its author alone"
            ),
            (
                .hiddenTravelsAreFound,
                "moderation: a travel that six people have reported is there for its author alone"
            ),
            (
                .ownHiddenTravelsAreGone,
                "moderation: a travel that six people have reported is there for its author alone"
            ),
            (.ownHiddenTravelsAreGone, "moderation: the sixth report may be the author's own"),
            (
                .blocksDoNotReachSearches,
                "moderation: the travels of a blocked author are gone for the one who blocked alone"
            ),
            (.blocksAreMutual, "moderation: the travels of a blocked author are gone for the one who blocked alone"),
            (.secondBlocksAreIgnored, "moderation: an author can be blocked once"),
            (.unblockingIsIgnored, "moderation: what was blocked can be unblocked, and what was not too"),
            (.blockedAreInNoOrder, "moderation: several authors can be blocked"),
            (.strangersMayBlock, "moderation: who is not there can neither block nor be blocked"),
            (
                .cancellationIsIgnored,
                "moderation: a report in a cancelled task ends with CancellationError and does not count"
            ),
            (
                .cancellationIsIgnored,
                "moderation: a block in a cancelled task ends with CancellationError and hides nothing"
            ),
            (
                .cancellationIsIgnored,
                "moderation: the end of a block in a cancelled task ends with CancellationError and shows nothing"
            ),
            (.oneMayBlockOneself, "moderation: nobody can block themselves"),
            (.blocksReachAll, "moderation: the travels of a blocked author are gone for the one who blocked alone"),
            (
                .hiddenTimelinesAreShown,
                "moderation: a travel that six people have reported is there for its author alone"
            ),
            (
                .hiddenTimelinesAreShown,
                "moderation: the travels of a blocked author are gone for the one who blocked alone"
            ),
            (.hiddenTitlesAreSuggested, "moderation: several authors can be blocked"),
            (
                .hiddenTravelsMayBeLiked,
                "moderation: what one does not see can neither be liked nor reported, and what was liked before stays liked"
            ),
        ])
    func moderation(flaw: Flaw, check: String) async throws {
        try await expectViolation(of: check, among: ModerationContract.checks) { FlawedStore(flaw) }
    }

    @Test(
        "a store that breaks a promise about people fails the check of that promise",
        arguments: [
            (Flaw.caseTellsNamesApart, "users: \"mINA\" is taken where someone else is \"Mina\""),
            (
                .withdrawalKeepsTravels,
                "users: who is removed takes travels, timelines and titles along, and nobody else's"
            ),
            (.renamingIsForgotten, "users: a new nickname is on all travels, and the old one free"),
            (.takenNicknamesAreGiven, "users: \"Mina\" is taken where someone else is \"Mina\""),
            (.ownNicknameIsTaken, "users: \"Mina\" is taken where someone else is \"Mina\""),
            (.oldNicknamesStayTaken, "users: a new nickname is on all travels, and the old one free"),
            (.oldNicknamesStayTaken, "users: who was removed may come back, and the nickname is free"),
            (.secondAdditionsRename, "users: the same person twice is refused and keeps the nickname"),
            (.missingPeopleAreInvented, "users: who was not added is not found"),
            (.missingPeopleMayLeave, "users: who was not added is not found"),
            (.nicknamesAreComposed, "users: who was added is there, nickname scalar by scalar"),
            (.withdrawalKeepsLikes, "users: who is removed takes likes along"),
            (.withdrawalKeepsReports, "users: who is removed takes reports along"),
            (.withdrawalKeepsBlocks, "users: who is removed is blocked by nobody and blocks nobody"),
            (.cancellationIsIgnored, "users: a look in a cancelled task ends with CancellationError"),
            (
                .cancellationIsIgnored,
                "users: an addition and a renaming in a cancelled task end with CancellationError and change nothing"
            ),
            (
                .cancellationIsIgnored,
                "users: a removal in a cancelled task ends with CancellationError and removes nobody"
            ),
            (.anyoneMayRename, "users: nobody can rename or remove anyone else, and nothing changes"),
            (.anyoneMayRemove, "users: nobody can rename or remove anyone else, and nothing changes"),
        ])
    func people(flaw: Flaw, check: String) async throws {
        try await expectViolation(of: check, among: UserRepositoryContract.checks) { FlawedStore(flaw) }
    }

    @Test(
        "a store that breaks a promise about images fails the check of that promise",
        arguments: [
            (Flaw.imagesAreCut, "images: an image comes back byte for byte, whoever looks"),
            (.imagesAreLost, "images: an image comes back byte for byte, whoever looks"),
            (.sharedImagesGoEarly, "images: several entries and the thumbnail may show the same image"),
            (
                .imagesAreReplaced,
                "images: an image that the travel has already may come along again, and stays as it was"
            ),
            (.unshownImagesStay, "images: of images that come along, those that nothing shows are not kept"),
            (
                .missingImagesAreIgnored,
                "images: a new travel cannot show an image that does not come along, and nothing is added"
            ),
            (
                .missingImagesAreIgnored,
                "images: an entry cannot show an image that does not come along, and nothing changes"
            ),
            (.imageConflictsAreIgnored, "images: a travel cannot show an image of another, and nothing changes"),
            (
                .imageConflictsAreIgnored,
                "images: an addition with an image that is there already is refused and leaves nothing behind"
            ),
            (.imageConflictsAreIgnored, "images: two new travels cannot show the same image"),
            (.imageConflictsAreIgnored, "images: the same image twice is refused"),
            (.cancellationIsIgnored, "images: a look in a cancelled task ends with CancellationError"),
            (
                .cancellationIsIgnored,
                "images: an edit in a cancelled task ends with CancellationError, and no image comes or goes"
            ),
            (.imagesStay, "images: an image goes with the last entry that shows it, and others stay"),
            (.imagesStay, "images: the images of a deleted travel are gone, and others stay"),
            (.withdrawalKeepsTravels, "images: who withdraws takes all images along, and nobody else's"),
            (.refusedImagesStay, "images: what the change throws is thrown, and no image comes or goes"),
            (
                .anyoneMayEdit,
                "images: others than the author may not add, change or remove images, and nothing changes"
            ),
            (.hiddenImagesAreShown, "images: the images of a hidden travel are there for its author alone"),
            (.choiceIsIgnored, "images: the author's choice stands before the timeline, until it is taken back"),
            (
                .lastImageIsThumbnail,
                "images: deleting the entry of the thumbnail picks the next image, and none after the last"
            ),
        ])
    func images(flaw: Flaw, check: String) async throws {
        try await expectViolation(of: check, among: ImageContract.checks) { FlawedStore(flaw) }
    }

    @Test("a store that breaks a promise about all its parts together fails the check of that promise")
    func wholes() async throws {
        try await expectViolation(
            of: "store: an edit sees the author by the nickname of now", among: TravelStoreContract.checks
        ) { FlawedStore(.changesSeeOldNicknames) }
        try await expectViolation(
            of: "titles: a look in a cancelled task ends with CancellationError", among: TitleRepositoryContract.checks
        ) { FlawedStore(.cancellationIsIgnored) }
    }

    @Test(
        "generated histories find every flaw that one can come across in order",
        arguments: Flaw.allCases.filter {
            ![.changesOverlap, .cancellationIsIgnored, .imagesAreLost, .nicknamesAreComposed, .cursorIsAnOffset]
                .contains($0)
        })
    func generatedHistoriesFindFlaws(flaw: Flaw) async throws {
        let histories = TravelStoreContract.generated(seeds: 1...150)
        #expect(try await histories.hasViolation { FlawedStore(flaw) }, "\(flaw) goes unnoticed")
    }

    @Test("a store that pages by offset repeats or hides travels while others write", arguments: TravelSort.allCases)
    func pagingByOffset(sort: TravelSort) async throws {
        let checks = TravelStoreContract.pagingWhileWriting(500).filter { $0.promise.contains("sorted by \(sort)") }
        #expect(checks.count == 1)
        let violations = try await checks.violations { FlawedStore(.cursorIsAnOffset) }
        let message = try #require(violations.first?.message, "it goes unnoticed")
        #expect(message.contains("different travels shown") || message.contains("not shown"), "\(message)")
    }

    @Test("generated edits find flaws, too", arguments: [Flaw.anyoneMayEdit, .removalHidesOnly])
    func generatedEditsFindFlaws(flaw: Flaw) async throws {
        let edits = TravelEditingContract.generated(seeds: 1...5)
        #expect(try await edits.hasViolation { FlawedStore(flaw) })
    }

    @Test("the wrapper that the flawed stores share keeps every promise while it has no flaw")
    func withoutFlawEveryCheckPasses() async throws {
        #expect(try await TravelEditingContract.checks.violations { FlawedStore(nil) } == [])
        #expect(try await ModerationContract.checks.violations { FlawedStore(nil) } == [])
        #expect(try await UserRepositoryContract.checks.violations { FlawedStore(nil) } == [])
        #expect(try await ImageContract.checks.violations { FlawedStore(nil) } == [])
        #expect(try await TravelStoreContract.generated(seeds: 1...2).violations { FlawedStore(nil) } == [])
    }

    @Test("no two checks have the same name")
    func namesAreUnique() {
        let names =
            TravelEditingContract.checks.map(\.id) + ModerationContract.checks.map(\.id)
            + UserRepositoryContract.checks.map(\.id) + ImageContract.checks.map(\.id)
            + TravelStoreContract.checks.map(\.id)
        #expect(Set(names).count == names.count)
    }
}
