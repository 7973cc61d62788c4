import TestTurns
import Testing
import TravelDomain
import TravelDomainTesting

@Suite("Contracts of stores", .takesTurns)
struct FlawedStoreTests {
    typealias Flaw = FlawedStore.Flaw

    @Test(
        "a store with a flaw in travels fails the check for it",
        arguments: [
            (Flaw.missingTravelsAreOthers, "viewer: an unknown travel is not found for any viewer"),
            (.likesOfMissingTravelsAreIgnored, "likes: an unknown travel cannot be liked"),
            (.additionsRename, "viewer: an existing author keeps their nickname when travels are added"),
            (
                .cancellationIsIgnored,
                "cancellation: a search in a cancelled task throws CancellationError and changes nothing"
            ),
            (
                .cancellationIsIgnored,
                "cancellation: an addition in a cancelled task throws CancellationError and changes nothing"
            ),
        ])
    func travels(flaw: Flaw, check: String) async throws {
        try await expectViolation(of: check, among: TravelRepositoryContract.checks) { FlawedStore(flaw) }
    }

    @Test(
        "a store with a flaw in editing fails the check for it",
        arguments: [
            (
                Flaw.anyoneMayEdit,
                "editing: only the author can change or remove a travel, and a refused edit changes nothing"
            ),
            (.changesOverlap, "editing: entries that several tasks add concurrently are all stored"),
            (.removalHidesOnly, "editing: removing a travel removes its timeline, and keeps other travels"),
            (
                .editsTakeOver,
                "editing: an edit keeps the ID, the author and the time of recording, whatever the change returns"
            ),
            (.editsLoseLikes, "editing: an edit keeps the likes"),
            (.removedTravelsKeepLikes, "editing: a removed travel can be added again and then has no likes"),
            (.strangersChangesAreMade, "editing: an edit that is not allowed does not call its change"),
            (
                .entryConflictsAreIgnored,
                "editing: adding an entry of another travel throws a conflict and changes nothing"
            ),
            (.failedChangesAreForgiven, "editing: an edit rethrows the error of its change and changes nothing"),
            (.missingTravelsMayBeEdited, "editing: an unknown travel cannot be changed"),
            (.fullTimelinesAreCut, "editing: a full timeline takes no further entry, and its entries can be replaced"),
            (
                .failedChangesAreForgiven,
                "editing: a full timeline takes no further entry, and its entries can be replaced"
            ),
            (
                .repeatedEntriesAreDropped,
                "editing: an edit that repeats an entry throws a conflict and changes nothing"
            ),
            (
                .changesSeeNoTimeline,
                "editing: the change receives the current content, timeline, author and time of recording"
            ),
            (.searchesFindOldContent, "editing: searches match the new content and not the old"),
            (.versionsStay, "editing: each change of content or timeline increases the version, and stores its time"),
            (
                .timesOfChangeStay,
                "editing: each change of content or timeline increases the version, and stores its time"
            ),
            (
                .everyEditRaisesVersions,
                "editing: an edit that changes nothing keeps the version and the time of the last change"
            ),
            (.likesRaiseVersions, "editing: likes keep the version and the time of the last change"),
            (.editsReturnWhatWas, "editing: an edit returns the travel as it is stored, and a removal nothing"),
            (
                .expectationsAreIgnored,
                "editing: an edit of another version throws the current travel without calling its change"
            ),
            (
                .removalsExpectNothing,
                "editing: an edit of another version throws the current travel without calling its change"
            ),
            (
                .versionsAreComparedLate,
                "editing: an edit of another version throws the current travel without calling its change"
            ),
            (
                .versionsAreComparedEarly,
                "editing: of several tasks that expect the same version, exactly one changes the travel"
            ),
            (.strangersAreOutdated, "editing: someone else's edit is forbidden, whichever version it expects"),
            (.oldTitlesStay, "editing: titles are suggested as long as any travel has them"),
            (
                .cancellationIsIgnored,
                "editing: an edit in a cancelled task throws CancellationError and changes nothing"
            ),
        ])
    func editing(flaw: Flaw, check: String) async throws {
        try await expectViolation(of: check, among: TravelEditingContract.checks) { FlawedStore(flaw) }
    }

    @Test(
        "a store with a flaw in moderation fails the check for it",
        arguments: [
            (Flaw.reportsAddUp, "moderation: a second report by the same person returns false and does not count"),
            (.repeatedReportsAreNew, "moderation: a second report by the same person returns false and does not count"),
            (.authorsMayReport, "moderation: authors cannot report their own travels"),
            (.hiddenLikesStay, "moderation: a like of a hidden travel can be taken back, once"),
            (.hiddenTravelsAreFound, "moderation: searches by author and by liker omit hidden travels"),
            (.oneReportIsLost, "moderation: a travel with six reports is visible to its author only"),
            (.oneReportCountsTwice, "moderation: a travel with five reports is visible"),
            (.strangersMayReport, "moderation: reports of unknown travels and by unknown people throw an error"),
            (
                .missingTravelsMayBeReported,
                "moderation: reports of unknown travels and by unknown people throw an error"
            ),
            (
                .hiddenTravelsMayBeReported,
                "moderation: hidden travels can be neither liked nor reported, and keep their likes"
            ),
            (.hiddenTravelsAreShown, "moderation: a travel with six reports is visible to its author only"),
            (.hiddenTravelsAreFound, "moderation: a travel with six reports is visible to its author only"),
            (.ownHiddenTravelsAreGone, "moderation: a travel with six reports is visible to its author only"),
            (
                .blocksDoNotReachSearches,
                "moderation: the travels of a blocked author are hidden only from the person who blocked them"
            ),
            (
                .blocksAreMutual,
                "moderation: the travels of a blocked author are hidden only from the person who blocked them"
            ),
            (.repeatedBlocksAreNew, "moderation: blocking an author twice returns false, and one call unblocks them"),
            (
                .unblockingIsIgnored,
                "moderation: unblocking shows the travels again, and has no effect on authors who are not blocked"
            ),
            (.blockedAreInNoOrder, "moderation: several authors can be blocked"),
            (.strangersMayBlock, "moderation: unknown people can neither block nor be blocked"),
            (
                .cancellationIsIgnored,
                "moderation: a report in a cancelled task throws CancellationError and does not count"
            ),
            (
                .cancellationIsIgnored,
                "moderation: a block in a cancelled task throws CancellationError and hides nothing"
            ),
            (
                .cancellationIsIgnored,
                "moderation: unblocking in a cancelled task throws CancellationError and shows nothing"
            ),
            (.oneMayBlockOneself, "moderation: people cannot block themselves"),
            (
                .blocksReachAll,
                "moderation: the travels of a blocked author are hidden only from the person who blocked them"
            ),
            (.hiddenTimelinesAreShown, "moderation: a travel with six reports is visible to its author only"),
            (
                .hiddenTimelinesAreShown,
                "moderation: the travels of a blocked author are hidden only from the person who blocked them"
            ),
            (.hiddenTitlesAreSuggested, "moderation: several authors can be blocked"),
            (
                .hiddenTravelsMayBeLiked,
                "moderation: hidden travels can be neither liked nor reported, and keep their likes"
            ),
        ])
    func moderation(flaw: Flaw, check: String) async throws {
        try await expectViolation(of: check, among: ModerationContract.checks) { FlawedStore(flaw) }
    }

    @Test(
        "a store with a flaw in people fails the check for it",
        arguments: [
            (Flaw.caseTellsNamesApart, "users: 'mINA' is taken when someone else is 'Mina'"),
            (.alphabetsTellNamesApart, "users: 'Мina' is taken when someone else is 'Mina'"),
            (.alphabetsTellNamesApart, "users: 'Ｍina' is taken when someone else is 'Mina'"),
            (.spacesTellNamesApart, "users: '민 지' is taken when someone else is '민지'"),
            (.withdrawalKeepsTravels, "users: removing a person removes only their own travels, timelines and titles"),
            (.renamingIsForgotten, "users: a new nickname appears on all travels, and the old one is free"),
            (.takenNicknamesAreGiven, "users: 'Mina' is taken when someone else is 'Mina'"),
            (.ownNicknameIsTaken, "users: 'Mina' is taken when someone else is 'Mina'"),
            (.oldNicknamesStayTaken, "users: a new nickname appears on all travels, and the old one is free"),
            (.oldNicknamesStayTaken, "users: a removed person can be added again, and their nickname is free"),
            (.joinedNicknamesAreRefused, "users: a nickname of characters that consist of many scalars is kept"),
            (
                .joinedNicknamesAreRefused,
                "users: authors with nicknames of characters that consist of many scalars are stored"
            ),
            (.secondAdditionsRename, "users: adding a person twice throws a conflict and keeps the nickname"),
            (.missingPeopleAreInvented, "users: an unknown person is not found"),
            (.missingPeopleMayLeave, "users: an unknown person is not found"),
            (.nicknamesAreComposed, "users: an added person is returned, with the nickname scalar by scalar"),
            (.withdrawalKeepsLikes, "users: removing a person removes their likes"),
            (.withdrawalKeepsReports, "users: removing a person removes their reports"),
            (.withdrawalKeepsBlocks, "users: removing a person removes all blocks by and of them"),
            (.returnBringsLikesBack, "users: a removed person who returns has none of their likes, reports and blocks"),
            (
                .returnBringsReportsBack,
                "users: a removed person who returns has none of their likes, reports and blocks"
            ),
            (
                .returnBringsBlocksBack,
                "users: a removed person who returns has none of their likes, reports and blocks"
            ),
            (.strangersMayBlock, "users: a removed person can neither like, report nor block, nor be blocked"),
            (.strangersMayLike, "users: a removed person can neither like, report nor block, nor be blocked"),
            (.strangersMayReport, "users: a removed person can neither like, report nor block, nor be blocked"),
            (.cancellationIsIgnored, "users: a lookup in a cancelled task throws CancellationError"),
            (
                .cancellationIsIgnored,
                "users: an addition and a renaming in a cancelled task throw CancellationError and change nothing"
            ),
            (
                .cancellationIsIgnored,
                "users: a removal in a cancelled task throws CancellationError and removes nobody"
            ),
            (
                .anyoneMayRename,
                "users: people can rename and remove only themselves, and a refused call changes nothing"
            ),
            (
                .anyoneMayRemove,
                "users: people can rename and remove only themselves, and a refused call changes nothing"
            ),
        ])
    func people(flaw: Flaw, check: String) async throws {
        try await expectViolation(of: check, among: UserRepositoryContract.checks) { FlawedStore(flaw) }
    }

    @Test(
        "a store with a flaw in images fails the check for it",
        arguments: [
            (Flaw.imagesAreCut, "images: an image is returned byte for byte to every viewer"),
            (.imagesAreLost, "images: an image is returned byte for byte to every viewer"),
            (.sharedImagesGoEarly, "images: several entries and the thumbnail can show the same image"),
            (.imagesAreReplaced, "images: passing an image that the travel already has leaves it unchanged"),
            (.unshownImagesStay, "images: images that no travel shows are not stored"),
            (.missingImagesAreIgnored, "images: a new travel cannot show an unknown image, and nothing is added"),
            (.missingImagesAreIgnored, "images: an entry cannot show an unknown image, and nothing changes"),
            (.imageConflictsAreIgnored, "images: a travel cannot show an image of another travel, and nothing changes"),
            (.imageConflictsAreIgnored, "images: adding an existing image throws a conflict and stores nothing"),
            (.imageConflictsAreIgnored, "images: two new travels cannot show the same image"),
            (.imageConflictsAreIgnored, "images: adding the same image twice throws a conflict"),
            (.cancellationIsIgnored, "images: a lookup in a cancelled task throws CancellationError"),
            (
                .cancellationIsIgnored,
                "images: an edit in a cancelled task throws CancellationError, and no image is added or removed"
            ),
            (.imagesStay, "images: removing the last entry that shows an image removes the image only"),
            (.imagesStay, "images: deleting a travel removes its images only"),
            (.withdrawalKeepsTravels, "images: removing a person removes the images of all their travels only"),
            (.refusedImagesStay, "images: an edit rethrows the error of its change, and no image is added or removed"),
            (
                .anyoneMayEdit,
                "images: only the author can add, replace or remove images, and a refused edit changes nothing"
            ),
            (.hiddenImagesAreShown, "images: the images of a hidden travel are visible to its author only"),
            (
                .avatarsAreForgotten,
                "images: the picture of a person is returned to everyone, and shown with all their travels"
            ),
            (.formerAvatarsStay, "images: another picture replaces the former one, and both can be removed"),
            (
                .renamingLosesAvatars,
                "images: a new nickname keeps the picture, and pictures of several people are independent"
            ),
            (.anyoneMaySetAvatars, "images: people can only set their own picture, and a refused call changes nothing"),
            (.formerAvatarsStay, "images: removing a person removes their picture"),
            (
                .cancellationIsIgnored,
                "images: a change of a picture in a cancelled task throws CancellationError and changes nothing"
            ),
            (.choiceIsIgnored, "images: the author's choice takes precedence over the timeline until it is withdrawn"),
            (
                .lastImageIsThumbnail,
                "images: deleting the entry of the thumbnail selects the next image, or none after the last"
            ),
        ])
    func images(flaw: Flaw, check: String) async throws {
        try await expectViolation(of: check, among: ImageContract.checks) { FlawedStore(flaw) }
    }

    @Test("a store with a flaw across its parts fails the check for it")
    func flawAcrossPartsIsFound() async throws {
        try await expectViolation(
            of: "store: an edit receives the current nickname of the author", among: TravelStoreContract.checks
        ) { FlawedStore(.changesSeeOldNicknames) }
        try await expectViolation(
            of: "titles: a lookup in a cancelled task throws CancellationError", among: TitleRepositoryContract.checks
        ) { FlawedStore(.cancellationIsIgnored) }
    }

    @Test(
        "generated histories find every flaw that sequential calls reveal",
        arguments: Flaw.allCases.filter {
            ![
                .changesOverlap, .versionsAreComparedEarly, .cancellationIsIgnored, .imagesAreLost,
                .nicknamesAreComposed, .cursorIsAnOffset,
                // No history fills a timeline, or repeats an entry in an edit.
                .fullTimelinesAreCut, .repeatedEntriesAreDropped,
            ].contains($0)
        })
    func generatedHistoriesFindFlaws(flaw: Flaw) async throws {
        let histories = TravelStoreContract.generated(seeds: 1...150)
        #expect(try await histories.hasViolation { FlawedStore(flaw) }, "\(flaw) goes unnoticed")
    }

    @Test("a store that pages by offset fails the check of paging during writes", arguments: TravelSort.allCases)
    func pagingByOffset(sort: TravelSort) async throws {
        let checks = TravelStoreContract.pagingWhileWriting(500).filter { $0.promise.contains("sorted by \(sort)") }
        #expect(checks.count == 1)
        let violations = try await checks.violations { FlawedStore(.cursorIsAnOffset) }
        let message = try #require(violations.first?.message, "the flaw goes unnoticed")
        #expect(
            message.contains("different travels on the pages") || message.contains("missing on the pages"), "\(message)"
        )
    }

    @Test("generated edits find flaws", arguments: [Flaw.anyoneMayEdit, .removalHidesOnly])
    func generatedEditsFindFlaws(flaw: Flaw) async throws {
        let edits = TravelEditingContract.generated(seeds: 1...5)
        #expect(try await edits.hasViolation { FlawedStore(flaw) })
    }

    @Test("the wrapper of flawed stores passes every check without a flaw")
    func withoutFlawEveryCheckPasses() async throws {
        #expect(try await TravelEditingContract.checks.violations { FlawedStore(nil) } == [])
        #expect(try await ModerationContract.checks.violations { FlawedStore(nil) } == [])
        #expect(try await UserRepositoryContract.checks.violations { FlawedStore(nil) } == [])
        #expect(try await ImageContract.checks.violations { FlawedStore(nil) } == [])
        #expect(try await TravelStoreContract.generated(seeds: 1...2).violations { FlawedStore(nil) } == [])
    }

    @Test("the names of store checks are unique")
    func namesAreUnique() {
        let names =
            TravelEditingContract.checks.map(\.id) + ModerationContract.checks.map(\.id)
            + UserRepositoryContract.checks.map(\.id) + ImageContract.checks.map(\.id)
            + TravelStoreContract.checks.map(\.id)
        #expect(Set(names).count == names.count)
    }
}
