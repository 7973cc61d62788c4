import Synchronization
import Testing
import TravelDomainTesting
import ViewModelsTesting

@testable import TravelPresentation

@Suite("Blocked people")
struct BlockedFlowTests {
    @Test("a blocked author leaves the list when unblocked, once, however often that is tapped")
    func unblock() {
        let unblocked = Recorder<User.ID>()
        let tester = FlowTester(
            BlockedFlow(load: { [Person.mina, Person.jun] }, unblock: { unblocked.add($0) }))
        tester.send(.appeared)
        tester.receive(.arrived(.success([Person.mina, Person.jun]))) {
            $0.content = .people([Person.mina, Person.jun])
        }
        tester.send(.unblockTapped(Person.jun.id)) { $0.working = [Person.jun.id] }
        tester.send(.unblockTapped(Person.jun.id))
        tester.receive(.unblocked(Person.jun.id, .done)) {
            $0.working = []
            $0.content = .people([Person.mina])
        }
        tester.receive(event: .notice(.done(.unblocked)))
        tester.finish()
        #expect(unblocked.all == [Person.jun.id])
    }

    @Test("blocked people that fail to load can be loaded again, and one who cannot be unblocked stays")
    func failures() {
        FlowSpec(BlockedFlow(load: { [] }, unblock: { _ in }))
            .when(.appeared).then(.latest(.load))
            .when(.arrived(.failure(.busy))).then { $0.content = .failed(.busy) }
            .when(.appeared).then(.latest(.load)) { $0.content = .loading }
            .when(.arrived(.success([Person.jun]))).then { $0.content = .people([Person.jun]) }
            .when(.unblockTapped(Person.jun.id))
            .then(.run(.unblock(Person.jun.id))) { $0.working = [Person.jun.id] }
            .when(.unblocked(Person.jun.id, .failed(.busy)))
            .then(.event(.notice(.failed(.busy)))) { $0.working = [] }
            .when(.backTapped).then(.event(.close(nil)))
    }
}
