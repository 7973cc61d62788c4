import Synchronization
import TestTurns
import Testing
import TravelDomain
import TravelDomainTesting

@Suite("Shrinking of failing histories", .takesTurns)
struct ShrinkingTests {
    private func message<Subject>(
        of checks: [ContractCheck<Subject>], _ make: @Sendable () async throws -> Subject
    ) async throws -> String {
        for check in checks {
            do { try await check.run(make) } catch let violation as ContractViolation { return violation.message }
        }
        throw Unnoticed(check: checks.first?.id ?? "")
    }

    private func calls(in message: String) -> [String] {
        message.split(separator: "\n").filter { $0.hasPrefix("    try await") }.map { String($0.dropFirst(4)) }
    }

    @Test("a failing history is shrunk and reported as source code, with its seed")
    func histories() async throws {
        // Takes two people, a travel, a like, and the removal of the person who likes it. A few steps more may remain,
        // because a step without another one draws other people.
        let message = try await message(of: TravelStoreContract.generated(seeds: 1...30)) {
            FlawedStore(.withdrawalKeepsLikes)
        }
        let calls = calls(in: message)
        #expect((5...12).contains(calls.count), "\(message)")
        #expect(calls.contains { $0.hasPrefix("try await store.setLiked(true, travel: ") }, "\(message)")
        #expect(calls.contains { $0.hasPrefix("try await store.add(User(id: User.ID(\"") }, "\(message)")
        #expect(calls.contains { $0.hasPrefix("try await store.add([RecordedTravel(id: Travel.ID(\"") }, "\(message)")
        #expect(calls.contains { $0.hasPrefix("try await store.removeUser(User.ID(\"") }, "\(message)")
        #expect(message.contains(" steps of seed "), "\(message)")
        #expect(message.split(separator: "\n").count <= 50, "\(message)")
    }

    @Test("failing operations of a repository are shrunk to an addition, two likes and a lookup")
    func operations() async throws {
        let message = try await message(of: TravelRepositoryContract.generated(seeds: 1...30)) {
            FlawedTravelRepository(.likesAddUp)
        }
        let calls = calls(in: message)
        #expect((3...6).contains(calls.count), "\(message)")
        #expect(calls.filter { $0.hasPrefix("try await store.setLiked(true, travel: ") }.count >= 2, "\(message)")
        #expect(message.split(separator: "\n").count <= 50, "\(message)")
    }

    @Test("failing edits are shrunk to the existing travels and one edit")
    func edits() async throws {
        let message = try await message(of: TravelEditingContract.generated(seeds: 1...5)) {
            FlawedStore(.removalHidesOnly)
        }
        #expect(calls(in: message).count <= 4, "\(message)")
        #expect(message.split(separator: "\n").count <= 50, "\(message)")
    }

    @Test("the number of calls in the message is that of the calls below it")
    func numberOfCalls() async throws {
        let message = try await message(of: TravelStoreContract.generated(seeds: 1...30)) {
            FlawedStore(.withdrawalKeepsLikes)
        }
        #expect(message.contains("\n\(calls(in: message).count) calls are sufficient, of a history of "), "\(message)")
    }

    @Test("a long call is reported whole, so that it can be copied")
    func longCalls() async throws {
        let message = try await message(of: TravelStoreContract.generated(seeds: 1...30)) {
            FlawedStore(.imagesAreCut)
        }
        let calls = calls(in: message)
        #expect(calls.contains { $0.count > 1_000 }, "no call is long")
        #expect(calls.allSatisfy { $0.hasSuffix(")") && !$0.contains("…") }, "\(message)")
    }

    @Test("a history that does not fail again is reported with the calls of its first failure")
    func unrepeatable() async throws {
        let stores = Mutex(0)
        let message = try await message(of: TravelStoreContract.generated(seeds: 1...30)) {
            // The first store only: those of the attempts to shrink its history are sound.
            FlawedStore(
                stores.withLock {
                    $0 += 1; return $0
                } == 1 ? .likesOfMissingTravelsAreIgnored : nil)
        }
        #expect(
            message.contains("did not fail again, so the results vary between attempts. The calls were:"), "\(message)")
        #expect(!calls(in: message).isEmpty, "\(message)")
    }

    @Test("each attempt of shrinking uses a new store")
    func newStores() async throws {
        let history = try #require(TravelStoreContract.generated(seeds: [1]).first)
        // No store is reused: a second history in it would find the people of the first.
        try await history.run { FlawedStore(nil) }
    }

    @Test("the message of a failing check has at most 50 lines", arguments: FlawedStore.Flaw.allCases.prefix(12))
    func messagesAreShort(flaw: FlawedStore.Flaw) async throws {
        let written = TravelEditingContract.checks + []
        let checks = written.filter { !$0.promise.contains("of seed") }
        for violation in try await checks.violations(of: { FlawedStore(flaw) }) {
            #expect(violation.description.split(separator: "\n").count <= 50)
            #expect(violation.description.count <= 20_000)
        }
    }
}
