#if os(Linux) || os(macOS)
    import Composition
    import Dispatch
    import TestTurns
    import Testing

    /// What is prepared holds for a whole process: each test has one of its own.
    @Suite("DependencyValues.prepare", .takesTurns)
    struct PrepareTests {
        /// Runs `body` as the product would.
        private static func inProduct(_ body: () -> Void) {
            withDependencies {
                $0.context = .live
            } operation: {
                body()
            }
        }

        @Test("holds in owners that are made later, on queues and in detached tasks too, unless they are overridden")
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

        @Test("gives what the composition root has to give")
        func compositionRoot() async {
            await #expect(processExitsWith: .success) {
                enum Port: DependencyKey {
                    static var liveValue: Int { fromCompositionRoot(placeholder: 0) }
                }
                DependencyValues.prepare { $0[Port.self] = 42 }
                PrepareTests.inProduct { #expect(DependencyValues.current[Port.self] == 42) }
            }
        }

        @Test("does not hold in tests")
        func notInTests() async {
            await #expect(processExitsWith: .success) {
                DependencyValues.prepare { $0.greeting = "Prepared" }
                #expect(Greeter().greeting == "Test")
            }
        }

        #if DEBUG
            @Test("stops a debug build that prepares twice")
            func twice() async throws {
                let result = try #require(
                    await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                        DependencyValues.prepare { $0.greeting = "Prepared" }
                        DependencyValues.prepare { $0.greeting = "Again" }
                    })
                let message = String(decoding: result.standardErrorContent, as: UTF8.self)
                #expect(message.contains("DependencyValues.prepare is called twice"))
            }

            @Test("stops a debug build that has read a dependency before")
            func late() async throws {
                let result = try #require(
                    await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                        PrepareTests.inProduct { _ = Greeter().greeting }
                        DependencyValues.prepare { $0.greeting = "Prepared" }
                    })
                let message = String(decoding: result.standardErrorContent, as: UTF8.self)
                #expect(message.contains("DependencyValues.prepare is called after a dependency was read"))
            }
        #endif
    }
#endif
