import Composition
import Testing

@Suite("withDependencies")
struct WithDependenciesTests {
    private struct Failure: Error {}

    /// Neither `Sendable` nor bound to an actor.
    private final class Page {
        var lines: [String] = []
    }

    @Test("withDependencies rethrows the errors of the operation and of the update")
    func errorsAreThrown() async {
        #expect(throws: Failure.self) {
            try withDependencies {
                $0.greeting = "Hi"
            } operation: {
                throw Failure()
            }
        }
        #expect(throws: Failure.self) {
            try withDependencies { _ in
                throw Failure()
            } operation: {
            }
        }
        await #expect(throws: Failure.self) {
            try await withDependencies {
                $0.greeting = "Hi"
            } operation: {
                await Task.yield()
                throw Failure()
            }
        }
        #expect(Greeter().greeting == "Test")
    }

    @Test("the result of withDependencies need not be Sendable")
    func resultsAreFree() async {
        let page = withDependencies {
            $0.greeting = "Hi"
        } operation: {
            Page()
        }
        page.lines.append("1")
        let other = await withDependencies {
            $0.greeting = "Hi"
        } operation: {
            await Task.yield()
            page.lines.append(Greeter().greeting)
            return page
        }
        #expect(other.lines == ["1", "Hi"])
    }

    @Test("withDependencies runs the operation on the main actor of its caller, without a hop")
    @MainActor
    func mainActor() async {
        let page = Page()
        await withDependencies {
            $0.greeting = "Hi"
        } operation: {
            MainActor.assertIsolated()
            page.lines.append(Greeter().greeting)
            await Task.yield()
            MainActor.assertIsolated()
            page.lines.append(Greeter().greeting)
        }
        #expect(page.lines == ["Hi", "Hi"])
    }

    private actor Store {
        private var lines: [String] = []

        func load() async -> [String] {
            await withDependencies {
                $0.greeting = "Hi"
            } operation: {
                assertIsolated()
                lines.append(Greeter().greeting)
                let dependencies = DependencyValues.current
                await withDependencies(from: dependencies) {
                    assertIsolated()
                    lines.append(Greeter().greeting)
                    await Task.yield()
                }
            }
            return lines
        }
    }

    @Test("withDependencies runs the operation on any actor of its caller, without a hop")
    func otherActors() async {
        #expect(await Store().load() == ["Hi", "Hi"])
    }
}
