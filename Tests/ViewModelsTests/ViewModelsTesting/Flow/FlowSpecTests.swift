import Testing
import TestReporting
import ViewModels
import ViewModelsTesting

@Suite("FlowSpec")
struct FlowSpecTests {
    @Test("FlowSpec passes for the expected state, side effects and events, and continues from there")
    func passes() {
        FlowSpec(Finder())
            .when(.typed("Je"))
            .then(.latest(.search("Je"), id: "search")) {
                $0.text = "Je"
                $0.isSearching = true
            }
            .when(.arrived([]))
            .then(.event(.toast("nothing found"))) { $0.isSearching = false }
            .when(.cleared)
            .then(Finder.State(), .cancel("search").and(.run(.forget, id: "care")).and(.event(.tick)))
    }

    @Test("FlowSpec begins with the given state or with changes to it")
    func given() {
        let state = Finder.State(text: "Je", isSearching: true)
        FlowSpec(Finder()).given(state).given { $0.titles = ["old"] }
            .when(.arrived(["new"]))
            .then {
                $0.isSearching = false
                $0.titles = ["new"]
            }
    }

    @Test("FlowSpec joins the requests of several actions")
    func severalActions() {
        FlowSpec(Finder())
            .when(.typed("J"), .typed("Je"))
            .then(.latest(.search("J"), id: "search").and(.latest(.search("Je"), id: "search"))) {
                $0.text = "Je"
                $0.isSearching = true
            }
    }

    @Test("FlowSpec fails for a different state, with the differences and the code to write")
    func stateDiffers() {
        let findings = collectFindings {
            FlowSpec(Finder())
                .when(.typed("Je"))
                .then(.latest(.search("Je"), id: "search")) {
                    $0.text = "Jeju"
                    $0.titles = ["a"]
                }
        }
        #expect(
            findings.map(\.message) == [
                """
                when typed("Je"):
                the state differs:
                  text is "Je", expected "Jeju"
                  isSearching is true, expected false
                  titles[0] is absent, expected "a"
                If the flow is correct, write: { $0.text = "Je"; $0.isSearching = true }
                """
            ])
    }

    @Test("FlowSpec fails for a different request, and shows both")
    func requestDiffers() {
        let findings = collectFindings {
            FlowSpec(Finder())
                .when(.typed("Je"))
                .then(.run(.search("Je"))) {
                    $0.text = "Je"
                    $0.isSearching = true
                }
        }
        #expect(
            findings.map(\.message) == [
                """
                when typed("Je"):
                requested  .latest(search("Je"), id: search)
                expected   .run(search("Je"))
                """
            ])
    }
}
