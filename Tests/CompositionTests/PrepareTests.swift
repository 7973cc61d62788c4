#if os(Linux) || os(macOS)
import Composition
import Dispatch
import TestTurns
import Testing

/// Prepared values apply to a whole process: each test runs in its own.
@Suite("DependencyValues.prepare", .takesTurns)
struct PrepareTests {
    /// Runs `body` as in the product.
    private static func inProduct(_ body: () -> Void) {
        withDependencies {
            $0.context = .live
        } operation: {
            body()
        }
    }

    @Test(
        "prepared values apply to owners that are made later, also on queues and in detached tasks, unless they are overridden"
    )
    func holds() async {
        await #expect(processExitsWith: .success) {
            DependencyValues.prepare {
                $0.greeting = "Prepared"
                $0.place = "\($0.greeting) place"
            }
            let live = withDependencies {
                $0.context = .live
            } operation: {
                DependencyValues.current
            }
            let detached = await Task.detached { withDependencies(from: live) { Greeter() } }.value
            #expect(detached.greeting == "Prepared")
            #expect(detached.place == "Prepared place")
            let queue: String = await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(returning: withDependencies(from: live) { Greeter().greeting })
                }
            }
            #expect(queue == "Prepared")
            PrepareTests.inProduct {
                withDependencies {
                    $0.greeting += "!"
                } operation: {
                    #expect(Greeter().greeting == "Prepared!")
                }
            }
        }
    }

    @Test("prepared values provide the dependencies of the composition root")
    func compositionRoot() async {
        await #expect(processExitsWith: .success) {
            enum Port: DependencyKey {
                static var liveValue: Int { fromCompositionRoot(placeholder: 0) }
            }
            DependencyValues.prepare { $0[Port.self] = 42 }
            PrepareTests.inProduct { #expect(DependencyValues.current[Port.self] == 42) }
        }
    }

    @Test("prepared values do not apply in tests")
    func notInTests() async {
        await #expect(processExitsWith: .success) {
            DependencyValues.prepare { $0.greeting = "Prepared" }
            #expect(Greeter().greeting == "Test")
        }
    }

    #if DEBUG
    @Test("preparing twice stops a debug build")
    func twice() async throws {
        let result = try #require(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                DependencyValues.prepare { $0.greeting = "Prepared" }
                DependencyValues.prepare { $0.greeting = "Again" }
            })
        let message = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(message.contains("DependencyValues.prepare was called twice"))
    }

    @Test("preparing after a read stops a debug build")
    func late() async throws {
        let result = try #require(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                PrepareTests.inProduct { _ = Greeter().greeting }
                DependencyValues.prepare { $0.greeting = "Prepared" }
            })
        let message = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(message.contains("DependencyValues.prepare was called after a dependency was read"))
    }
    #endif
}
#endif
