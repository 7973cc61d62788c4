import Testing
import TravelDomainTesting

@Suite("The contracts of editing, moderation, people and images", .timeLimit(.minutes(5)))
struct FlawedStoreTests {
    typealias Flaw = FlawedStore.Flaw

    @Test(
        "a store that breaks a promise of editing fails the check of that promise",
        arguments: [
            (
                Flaw.anyoneMayEdit,
                "editing: others than the author may not, whatever they would do, and nothing changes"
            ),
            (.changesOverlap, "editing: entries that several tasks add at the same time are all there"),
            (.removalHidesOnly, "editing: a removed travel is gone, its timeline with it, and others stay"),
        ])
    func editing(flaw: Flaw, check: String) async throws {
        try await expectViolation(of: check, among: TravelEditingContract.checks) { FlawedStore(flaw) }
    }

    @Test(
        "a store that breaks a promise of moderation fails the check of that promise",
        arguments: [
            (Flaw.reportsAddUp, "moderation: a second report by the same person is refused and does not count"),
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

    @Test(
        "generated histories find every flaw that one can come across in order",
        arguments: Flaw.allCases.filter { ![.changesOverlap, .caseTellsNamesApart].contains($0) })
    func generatedHistoriesFindFlaws(flaw: Flaw) async throws {
        let histories = TravelStoreContract.generated(seeds: 1...150)
        #expect(try await isUnsound(FlawedStore.init(_:), flaw, by: histories), "\(flaw) goes unnoticed")
    }

    @Test("generated edits find flaws, too", arguments: [Flaw.anyoneMayEdit, .removalHidesOnly])
    func generatedEditsFindFlaws(flaw: Flaw) async throws {
        let edits = TravelEditingContract.generated(seeds: 1...5)
        #expect(try await !edits.violations { FlawedStore(flaw) }.isEmpty)
    }

    @Test("the wrapper that the flawed stores share keeps every promise while it has no flaw")
    func withoutFlawEveryCheckPasses() async throws {
        #expect(try await TravelEditingContract.checks.violations { FlawedStore(nil) } == [])
        #expect(try await ModerationContract.checks.violations { FlawedStore(nil) } == [])
        #expect(try await UserRepositoryContract.checks.violations { FlawedStore(nil) } == [])
        #expect(try await ImageContract.checks.violations { FlawedStore(nil) } == [])
        #expect(try await TravelStoreContract.generated(seeds: 1...20).violations { FlawedStore(nil) } == [])
    }

    @Test("no two checks have the same name")
    func namesAreUnique() {
        let names =
            TravelEditingContract.checks.map(\.id) + ModerationContract.checks.map(\.id)
            + UserRepositoryContract.checks.map(\.id) + ImageContract.checks.map(\.id)
            + TravelStoreContract.checks.map(\.id)
        #expect(Set(names).count == names.count)
    }

    /// Whether one of `checks` fails; those after it need not run.
    private func isUnsound(
        _ make: @Sendable (Flaw?) -> FlawedStore, _ flaw: Flaw, by checks: [ContractCheck<TravelStore>]
    ) async throws -> Bool {
        for check in checks {
            do { try await check.run { make(flaw) } } catch is ContractViolation { return true }
        }
        return false
    }
}
