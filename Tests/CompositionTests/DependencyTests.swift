import Composition
import Testing

@Suite("Dependencies")
struct DependencyTests {
    @Test(
        "each context selects its own default value, and can be set",
        arguments: [(DependencyContext.live, "Hello"), (.preview, "Hello there"), (.test, "Test")])
    func contextsDecide(context: DependencyContext, greeting: String) {
        withDependencies {
            $0.context = context
        } operation: {
            #expect(DependencyValues.current.context == context)
            #expect(Greeter().greeting == greeting)
        }
    }

    @Test("a preview uses the live value, unless the key defines another")
    func previewsAreLive() {
        withDependencies {
            $0.context = .preview
        } operation: {
            #expect(Greeter().place == "World")
        }
    }

    @Test("an override applies to the operation and the owners made there, and nowhere else")
    func overridesAreScoped() {
        let greeter = withDependencies {
            $0.greeting = "Hi"
        } operation: {
            Greeter()
        }
        #expect(greeter.greeting == "Hi")
        #expect(Greeter().greeting == "Test")
    }

    @Test("an owner keeps the dependencies of its scope wherever it is used")
    func ownersKeep() {
        let greeter = withDependencies {
            $0.greeting = "Hi"
        } operation: {
            Greeter()
        }
        withDependencies {
            $0.greeting = "Bye"
        } operation: {
            #expect(greeter.greeting == "Hi")
        }
    }

    @Test("an inner override takes precedence, and leaves the other overrides unchanged")
    func overridesNest() {
        withDependencies {
            $0.greeting = "Hi"
            $0.place = "Busan"
        } operation: {
            withDependencies {
                $0.greeting = "Bye"
            } operation: {
                #expect(Greeter().greeting == "Bye")
                #expect(Greeter().place == "Busan")
            }
            #expect(Greeter().greeting == "Hi")
        }
    }

    @Test("an update reads the current values, and may change them")
    func updatesSeeWhatHolds() {
        withDependencies {
            $0.greeting = "Hi"
        } operation: {
            withDependencies {
                $0.greeting += "!"
            } operation: {
                #expect(Greeter().greeting == "Hi!")
            }
        }
    }

    @Test("an override applies in every context")
    func overridesHoldInEveryContext() {
        for context in [DependencyContext.live, .preview, .test] {
            withDependencies {
                $0.context = context
                $0.place = "Busan"
            } operation: {
                #expect(Greeter().place == "Busan")
            }
        }
    }

    @Test("each of many overrides has its last value")
    func manyOverrides() {
        enum Key<Tag>: DependencyKey {
            static var liveValue: Int { 0 }
        }
        withDependencies {
            $0[Key<Int>.self] = 1
            $0[Key<String>.self] = 2
            $0[Key<Bool>.self] = 3
            $0[Key<String>.self] = 4
        } operation: {
            @Dependency(Key<Int>.self) var one
            @Dependency(Key<String>.self) var four
            @Dependency(Key<Bool>.self) var three
            #expect([one, three, four] == [1, 3, 4])
        }
    }

    @Test("overriding the missing values keeps existing overrides and the context")
    func others() {
        withDependencies {
            $0.context = .live
            $0.greeting = "Hi"
            $0.overrideMissing {
                $0.greeting = "Bye"
                $0.place = "Busan"
            }
        } operation: {
            #expect(Greeter().greeting == "Hi")
            #expect(Greeter().place == "Busan")
            #expect(DependencyValues.current.context == .live)
        }
    }

    @Test("a default value that reads other dependencies uses those of its owner, wherever it is read")
    func defaultsSeeTheOwnersOverrides() {
        struct Owner {
            @Dependency(\.letter) var letter
        }
        for context in [DependencyContext.live, .test] {
            let owner = withDependencies {
                $0.context = context
                $0.greeting = "Dear"
                $0.place = "Jeju"
            } operation: {
                Owner()
            }
            #expect(owner.letter == "Dear, Jeju")
            withDependencies {
                $0.greeting = "Bye"
            } operation: {
                #expect(owner.letter == "Dear, Jeju")
            }
        }
    }

    @Test("a default value is made when it is read, not when the owner is made")
    func defaultsAreLazy() {
        enum Unmakeable: DependencyKey {
            static var liveValue: Int { fromCompositionRoot(placeholder: 0) }
        }
        struct Owner {
            @Dependency(Unmakeable.self) var value
        }
        _ = Owner()
    }

    @Test("the value of the composition root is read in its scope")
    func compositionRoot() {
        enum Port: DependencyKey {
            static var liveValue: Int { fromCompositionRoot(placeholder: 0) }
        }
        withDependencies {
            $0.context = .live
            $0[Port.self] = 42
        } operation: {
            @Dependency(Port.self) var port
            #expect(port == 42)
        }
    }

    #if os(Linux) || os(macOS)
    @Test("reading without a value from the composition root stops the process, naming the key and the remedy")
    func nothingGiven() async throws {
        let result = try #require(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                enum Port: DependencyKey {
                    static var liveValue: Int { fromCompositionRoot(placeholder: 0) }
                }
                withDependencies {
                    $0.context = .live
                } operation: {
                    @Dependency(Port.self) var port
                    _ = port
                }
            })
        let message = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(message.contains("The dependency Port has no value of its own"))
        #expect(message.contains("withDependencies { $0[Port.self] = … }"))
    }
    #endif
}
