#if PostgreSQL
import PostgreSQLStore
import PostgreSQLStoreTesting
import TestConcurrency
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite("A relay that loses connections", .needsOwnServer, .limitedConcurrency)
struct FaultyNetworkTests {
    @Test("cuts no other socket of the process, also when its connections end at the same time")
    func otherSockets() async throws {
        let server = try await PostgreSQLServer.shared
        let (isOver, cut) = (Counter(), Counter())
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        onThread {
                            while isOver.value == 0 {
                                if Self.isCut(socketsOpenedAtOnce: 16) { cut.increment() }
                            }
                            continuation.resume()
                        }
                    }
                }
            }
            await Self.cutRepeatedly(server)
            isOver.increment()
        }
        #expect(cut.value == 0)
    }

    /// Cuts eight connections from four threads at once, so that some find what others have cut.
    private static func cutRepeatedly(_ server: PostgreSQLServer) async {
        let configuration = Database.Configuration().with { $0.connectionCount = 8 }
        for _ in 0..<60 {
            guard let network = try? FaultyNetwork(to: server),
                let database = try? await Database.open(network.location, configuration: configuration)
            else { continue }
            await withTaskGroup(of: Void.self) { group in
                // A read that is cut fails.
                for _ in 0..<8 {
                    group.addTask { _ = try? await database.read { db in try db.execute("SELECT pg_sleep(0.02)") } }
                }
                await group.waitForAll()
                for _ in 0..<4 {
                    group.addTask { network.cut(afterSending: 0) }
                }
            }
            network.close()
            await database.close()
        }
    }

    /// Opens pairs of sockets, and returns whether somebody has shut one down.
    private static func isCut(socketsOpenedAtOnce count: Int) -> Bool {
        #if canImport(Darwin)
        let kind = SOCK_STREAM
        #else
        let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        var sockets: [Int32] = []
        for _ in 0..<count {
            var pair: [Int32] = [-1, -1]
            if socketpair(AF_UNIX, kind, 0, &pair) == 0 { sockets += pair }
        }
        usleep(200)
        var byte: UInt8 = 0
        // The end of the stream is no error; that nothing has arrived is one.
        let isCut = sockets.contains { recv($0, &byte, 1, Int32(MSG_DONTWAIT)) == 0 }
        for socket in sockets { _ = close(socket) }
        return isCut
    }
}
#endif
