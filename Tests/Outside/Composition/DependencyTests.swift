import Composition
import CompositionTesting
import Foundation
import Testing

/// What a screen greets people with.
nonisolated enum GreetingKey: DependencyKey {
    static let liveValue = "Hello"
    static let previewValue = "Preview"
    static let testValue = "Test"
}

/// A dependency that only the executable can create.
nonisolated enum NamesKey: DependencyKey {
    static var liveValue: [String] { fromCompositionRoot(placeholder: ["nobody"]) }
}

/// A dependency without a test value: a test that reads it without an override fails.
nonisolated enum PortKey: DependencyKey {
    static let liveValue = 80
}

nonisolated extension DependencyValues {
    var greeting: String {
        get { self[GreetingKey.self] }
        set { self[GreetingKey.self] = newValue }
    }
    var names: [String] {
        get { self[NamesKey.self] }
        set { self[NamesKey.self] = newValue }
    }
    var port: Int {
        get { self[PortKey.self] }
        set { self[PortKey.self] = newValue }
    }
}

nonisolated struct Greeter {
    @Dependency(\.greeting) private var greeting
    @Dependency(NamesKey.self) private var names
    @Dependency(\.port) private var port

    var text: String { "\(greeting) \(names.joined(separator: " and "))" }
    var address: String { "localhost:\(port)" }
    /// The projected declaration of a property wrapper is its storage.
    var direct: String { _greeting.wrappedValue }
}

@Suite("Dependencies")
struct DependencyTests {
    @Test("a dependency has the value of its scope")
    func scopes() async throws {
        let greeter = withDependencies {
            $0.names = ["Mina"]
        } operation: {
            Greeter()
        }
        #expect(greeter.text == "Test Mina" && greeter.direct == "Test")

        let french = try await withDependencies {
            $0.greeting = "Bonjour"
            $0.names = ["Mina", "Jun"]
        } operation: {
            try await Task.sleep(for: .zero)
            return Greeter().text
        }
        #expect(french == "Bonjour Mina and Jun")
    }

    @Test("a scope is passed on as a value")
    func passingOn() async {
        let values = withDependencies {
            $0.greeting = "Hi"
        } operation: {
            DependencyValues.current
        }
        #expect(withDependencies(from: values) { Greeter().direct } == "Hi")
        #expect(await withDependencies(from: values) { await Task { Greeter().direct }.value } == "Hi")
    }

    @Test("each context has a value of its own")
    func contexts() {
        func greeting(in context: DependencyContext) -> String {
            withDependencies {
                $0.context = context
            } operation: {
                DependencyValues.current.greeting
            }
        }
        #expect(greeting(in: .live) == GreetingKey.liveValue)
        #expect(greeting(in: .preview) == GreetingKey.previewValue)
        #expect(greeting(in: .test) == GreetingKey.testValue)
        func liveValue<Key: DependencyKey>(of key: Key.Type) -> Key.Value { key.liveValue }
        #expect(liveValue(of: GreetingKey.self) == "Hello")
    }

    @Test("the composition root prepares what modules cannot create")
    func compositionRoot() {
        // The function of an executable's `main`, named only: what it sets stays for the process.
        let prepare: ((inout DependencyValues) throws -> Void) throws -> Void = DependencyValues.prepare
        _ = prepare
        let names = withDependencies {
            $0.context = .preview
        } operation: {
            DependencyValues.current.names
        }
        #expect(names == ["nobody"])
    }
}

/// The dependencies of nearly every screen, set as tests set them.
@Suite(
    "Built-in dependencies",
    .dependencies {
        $0.date = .constant(Date(timeIntervalSince1970: 60))
        $0.uuid = .incrementing
        $0.random = .seeded(7)
        $0.calendar = Calendar(identifier: .gregorian)
        $0.clock = ContinuousClock()
    })
struct BuiltInDependencyTests {
    @Dependency(\.date) private var date
    @Dependency(\.uuid) private var uuid
    @Dependency(\.random) private var random
    @Dependency(\.calendar) private var calendar
    @Dependency(\.clock) private var clock

    @Test("time, identifiers and random numbers are those of the test")
    func values() async throws {
        #expect(date.now == Date(timeIntervalSince1970: 60) && date() == date.now)
        #expect(uuid().uuidString.hasSuffix("0000") && uuid() == UUID(1))
        #expect((1...6).contains(random { Int.random(in: 1...6, using: &$0) }))
        #expect(calendar.identifier == .gregorian)
        try await clock.sleep(for: .zero)
    }

    @Test("each of them is also made from a closure")
    func closures() {
        let four = RandomSource { 4 }
        var generator = RandomSource.Generator { 5 }
        #expect(four { $0.next() } == 4 && generator.next() == 5)
        #expect(DateGenerator { .distantPast }.now == .distantPast)
        let id = UUID()
        #expect(UUIDGenerator { id }() == id && UUIDGenerator.constant(id)() == id)
        let system = RandomSource.system
        #expect((0..<10).contains(system { Int.random(in: 0..<10, using: &$0) }))
    }
}

@Suite("Dependencies that a test did not override")
struct MissingOverrideTests {
    @Test("a reporter receives the key, the property and the declaration", .dependencies)
    func reporting() async {
        await confirmation { reported in
            let reporter = MissingOverrideReporter { missing in
                #expect(missing.key == "PortKey" && missing.property == "port")
                #expect(missing.message.contains("PortKey"))
                #expect(missing.position?.fileID.description.hasSuffix("DependencyTests.swift") == true)
                reported()
            }
            withDependencies {
                $0.missingOverrideReporter = reporter
            } operation: {
                // The test continues with the preview value, which is the live one.
                #expect(Greeter().address == "localhost:80")
            }
        }
    }

    @Test("a reporter is tested with missing overrides that are made by hand")
    func testingAReporter() async {
        let here = SourcePosition()
        #expect(here.line > 0 && here.column > 0)
        #expect(
            here.filePath.description.hasSuffix(
                here.fileID.description.split(separator: "/").last.map(String.init) ?? "?"))
        await confirmation { reported in
            let reporter = MissingOverrideReporter { _ in reported() }
            reporter.report(MissingOverride(of: PortKey.self, property: "port", position: here))
        }
        // Writes to the standard error, where no test kit is linked.
        _ = MissingOverrideReporter.standardError
    }

    @Test("the trait runs each test in a scope of its own")
    func scoping() async throws {
        let trait: DependenciesTrait = .dependencies { $0.greeting = "scoped" }
        #expect(trait.isRecursive)
        let test = try #require(Test.current)
        try await confirmation { ran in
            try await trait.provideScope(for: test, testCase: Test.Case.current) {
                #expect(DependencyValues.current.greeting == "scoped")
                ran()
            }
        }
    }
}
