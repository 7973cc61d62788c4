#if Server
import Synchronization
import TestConcurrency
import Testing
import TravelDomain

@testable import TravelServer

@Suite("Passwords and tokens", .limitedConcurrency)
struct SodiumTests {
    @Test("a hash is one of its password only, by Argon2id, and another one each time")
    func passwords() async throws {
        let sodium = try Sodium()
        let password = try Password("open sesame 참깨")
        let (first, second) = try await (sodium.hash(password), sodium.hash(password))
        #expect(first != second)
        #expect(first.text.hasPrefix("$argon2id$v=19$m=65536,t=2,p=1$"))
        #expect(try await sodium.verify(password, first))
        #expect(try await sodium.verify(password, second))
        #expect(try await !sodium.verify(Password("open sesame"), first))
        #expect(try await !sodium.verify(password, sodium.decoy))
        #expect(sodium.decoy.text.hasPrefix("$argon2id$v=19$m=65536,t=2,p=1$"))
        let damaged = try #require(PasswordHash("$argon2id$v=19$damaged"))
        #expect(try await !sodium.verify(password, damaged))
    }

    @Test("a hash with other parameters is outdated, and its password is verified as before")
    func outdated() async throws {
        let sodium = try Sodium()
        let password = try Password("open sesame")
        #expect(try await !sodium.isOutdated(sodium.hash(password)))
        // One pass over 8 MiB.
        let text = "$argon2id$v=19$m=8192,t=1,p=1$mVmFz5xUWepsx/S+OQd70Q$wOco6rJMdqRkJ/bCrfGdr6BnxHWYh60ObqH2/AjoFvI"
        let weak = try #require(PasswordHash(text))
        #expect(sodium.isOutdated(weak))
        #expect(try await sodium.verify(password, weak))
    }

    @Test("tokens differ, and a digest is always that of its token")
    func tokens() throws {
        let sodium = try Sodium()
        let tokens = (0..<1_000).map { _ in sodium.token() }
        #expect(Set(tokens).count == 1_000)
        #expect(Set(tokens.map(sodium.digest)).count == 1_000)
        let zero = try #require(Token(bytes: [UInt8](repeating: 0, count: 32)))
        #expect(sodium.digest(of: zero) == sodium.digest(of: zero))
    }

    @Test("a queue runs as many jobs at a time as it may, refuses what is too much, and drops cancelled ones")
    func queue() async throws {
        let queue = HashingQueue(limit: 2, waiting: 3)
        final class Counts: Sendable {
            let running = Atomic(0)
            let most = Atomic(0)
        }
        let counts = Counts()
        let results = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    do {
                        return try await queue.run {
                            let count = counts.running.add(1, ordering: .relaxed).newValue
                            counts.most.max(count, ordering: .relaxed)
                            for _ in 0..<100_000 { _ = counts.running.load(ordering: .relaxed) }
                            counts.running.subtract(1, ordering: .relaxed)
                            return true
                        }
                    } catch {
                        return false
                    }
                }
            }
            return await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(results.count == 50)
        #expect(results.contains(true))
        #expect(counts.most.load(ordering: .relaxed) <= 2)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await queue.run { 1 }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await queue.run { 2 } == 2)
    }
}
#endif
