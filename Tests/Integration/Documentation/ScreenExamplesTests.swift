import Foundation
import TestTurns
import Testing

/// Type-checks the examples in the documentation of TravelPresentation, each in a function of its own.
@Suite("Examples of screens", .takesTurns(within: .seconds(600)))
struct ScreenExamplesTests {
    @Test("every example compiles")
    func examplesCompile() throws {
        let examples = try Repository.swiftFiles(in: "Presentation/TravelPresentation").sorted { $0.path < $1.path }
            .flatMap(Self.examples)
        #expect(examples.count >= 30)
        let result = try SmallProgram.check(Self.program(examples), mode: "6")
        #expect(result.status == 0, "\(result.error)")
    }

    @Test("an example that does not compile is reported with its file and line")
    func faultIsReported() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("screens-\(UUID().uuidString)")
        let file = folder.appendingPathComponent("HomeFlow.swift")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        defer { Shell.remove(folder) }
        try "/// ```swift\n/// home.send(.nothing)\n/// ```\n".write(to: file, atomically: true, encoding: .utf8)
        let result = try SmallProgram.check(Self.program(Self.examples(in: file)), mode: "6")
        #expect(result.status != 0)
        #expect(result.error.contains("\(file.lastPathComponent):2:"))
    }

    @Test("bindings of an observed store compile without a warning where SwiftUI is", arguments: ["5", "6"])
    func bindings(mode: String) throws {
        let file = Repository.root.appendingPathComponent("Presentation/ViewModels/Binding/ObservedStore.swift")
        let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "#if canImport(SwiftUI)\n")
        let part = try #require(parts.count == 2 ? parts[1].components(separatedBy: "#endif").first : nil)
            .replacing("public import SwiftUI", with: "")
        let result = try SmallProgram.check(Self.swiftUI + part, mode: mode)
        #expect(result.status == 0 && !result.error.contains("warning:"), "\(result.error)")
    }

    /// The part of SwiftUI that the bindings use, and a view that uses them.
    private static let swiftUI = """
        import Observation
        import ViewModels

        public struct Binding<Value> {
            public init(
                get: @escaping @isolated(any) @Sendable () -> Value,
                set: @escaping @isolated(any) @Sendable (Value) -> Void
            ) {}
        }

        struct Search: Flow {
            struct State: Equatable, Sendable { var text = "" }
            enum Action: Equatable, Sendable { case typed(String) }
            var initialState: State { State() }
            func reduce(_ state: inout State, _ action: Action) -> Next<Never, Never> { .none }
        }

        @MainActor struct SearchView {
            let store: ObservedStore<Search.State, Search.Action, Never>
            var text: Binding<String> { store.binding(\\.text, send: Search.Action.typed) }
            var sameText: Binding<String> { store.binding(\\.text) { .typed($0) } }
        }

        """

    private struct Example {
        let file: URL
        let line: Int
        let code: [String]
        /// The name of the file, which determines the values that its examples use.
        var name: String {
            let name = file.deletingPathExtension().lastPathComponent
            return ScreenExamplesTests.screens[name] ?? name
        }
    }

    /// The examples in the documentation comments of a file.
    private static func examples(in file: URL) throws -> [Example] {
        var examples: [Example] = []
        var block: (line: Int, code: [String])?
        for (index, line) in try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n").enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            switch line {
            case "/// ```swift": block = (index + 2, [])
            case "/// ```":
                if let block { examples.append(Example(file: file, line: block.line, code: block.code)) }
                block = nil
            default: block?.code.append(String(line.dropFirst(4)))
            }
        }
        return examples
    }

    private static func program(_ examples: [Example]) -> String {
        let functions = examples.enumerated().map { index, example in
            """
            @MainActor func example\(index)() async throws {
                \(values)
                do {
                    \(valuesOfFiles[example.name] ?? "")
                    do {
            #sourceLocation(file: "\(example.file.lastPathComponent)", line: \(example.line))
            \(example.code.joined(separator: "\n"))
            #sourceLocation()
                    }
                }
            }
            """
        }
        return ([prelude] + functions).joined(separator: "\n")
    }

    /// The functions of an app that the examples call.
    private static let prelude = """
        import Foundation
        import Streams
        import TravelDataInMemory
        import TravelDomain
        import TravelPresentation
        import ViewModels

        struct AppView {
            var isEnabled = false
            var text = ""
            var values: Observable<String> { .never() }
            func show(_ value: Any) {}
            func enable(_ isEnabled: Bool) {}
            func showProblem(_ problem: NicknameProblem?) {}
            func handle(_ event: ScreenEvent) {}
            func end() {}
            func draw(in language: Language) {}
            func addMarker(_ text: String, at coordinate: Coordinate) {}
            func save(_ language: Language) async throws {}
        }
        func show(_ value: Any, _ hint: Any = 0) {}
        func show(_ cards: [TravelCard], seeAll: Bool) {}
        func show(_ draft: Any, isEnabled: Bool) {}
        func showSkeleton() {}
        func hideFooter() {}
        func showSpinner() {}
        func showRetry(_ text: String) {}
        func showHint(_ text: String) {}
        func ask(_ question: String, yes: String) {}
        func photo(at path: String) async throws -> PickedImage { throw CancellationError() }
        """

    /// The values that examples of all screens use.
    private static let values = """
        let (id, travel, person) = (Travel.ID(), Travel?.none!, Observable<User?>.just(nil))
            let (page, list, app, field, file, map, bag) = (
                AppView(), AppView(), AppView(), AppView(), AppView(), AppView(), DisposeBag())
            var (button, titleLabel, nicknameLabel) = (AppView(), AppView(), AppView())
            let (opened, retryTapped, saveTapped) = (PublishRelay<Screen>(), PublishRelay<Void>(), PublishRelay<Void>())
            let error = TravelError.signedOut
            _ = error
        """

    /// The files whose examples use the values of another.
    private static let screens = [
        "EntryDraft": "EntryEditorFlow", "Filters": "HomeFlow", "Screen": "CoordinatorFlow",
        "ScreenUseCases": "CoordinatorFlow", "TravelDraft": "TravelEditorFlow",
    ]

    /// The values that the examples of a file use, by its name.
    private static let valuesOfFiles = [
        "BlockedFlow": """
        let id = User.ID()
        let blockedAuthors: @Sendable () async throws -> [User] = { [] }
        let unblock: @Sendable (User.ID) async throws -> Void = { _ in }
        let flow = BlockedFlow(load: blockedAuthors, unblock: unblock)
        let blocked = FlowStore(flow), state = blocked.currentState
        """,
        "CoordinatorFlow": """
        let coordinator = FlowStore(CoordinatorFlow())
        let ports = ScreenUseCases.Ports?.none!
        let (identity, places) = ((any IdentityProvider)?.none!, (any PlaceRepository)?.none!)
        """,
        "EditorStatus": """
        let (image, conflict) = (TravelImage?.none!, TravelEditorFlow.Conflict?.none!)
        let editor = FlowStore(TravelEditorFlow(TravelEditorFlow.UseCases?.none!, travel: id))
        let state = editor.currentState
        """,
        "EntryEditorFlow": """
        let (useCases, travel) = (EntryEditorFlow.UseCases?.none!, RecordedTravel?.none!)
        let flow = EntryEditorFlow(useCases, newEntryIn: id, day: 1)
        let editor = FlowStore(flow), state = editor.currentState
        """,
        "English": "let arrival = JourneyMoment?.none!",
        "ErrorMessage": "let deleteTravel: @Sendable (Travel.ID) async throws -> Void = { _ in }",
        "HomeFlow": """
        let useCases = HomeFlow.UseCases?.none!
        let flow = HomeFlow(useCases, person: person)
        let home = FlowStore(flow), state = home.currentState
        """,
        "Korean": "let arrival = JourneyMoment?.none!",
        "MyPageViewModel": """
        let (useCases, content, coordinator) = (MyPageViewModel.UseCases?.none!, MyPageContent?.none!, AppView())
        let output = MyPageViewModel(useCases, person: person).transform(.init())
        """,
        "NicknameViewModel": """
        let check: @Sendable (String) async throws -> CheckNickname.Verdict = { _ in .available }
        let change: @Sendable (Nickname) async throws -> Void = { _ in }
        let (nickname, coordinator) = (AppView(), AppView())
        let output = NicknameViewModel.profile(check: check, change: change).transform(.init(nickname: .never()))
        """,
        "SessionFlow": """
        let (useCases, homeUseCases) = (SessionFlow.UseCases?.none!, HomeFlow.UseCases?.none!)
        let flow = SessionFlow(useCases)
        let session = FlowStore(flow)
        """,
        "SettingsFlow": """
        let flow = SettingsFlow(language: .english) { _ in }
        let settings = FlowStore(flow)
        """,
        "TimelineFlow": """
        let useCases = TimelineFlow.UseCases?.none!
        let flow = TimelineFlow(useCases, travel: id, person: person)
        let timeline = FlowStore(flow), state = timeline.currentState
        let card = state.cards[0]
        """,
        "TravelEditorFlow": """
        let (useCases, travel) = (TravelEditorFlow.UseCases?.none!, RecordedTravel?.none!)
        let flow = TravelEditorFlow(useCases, travel: id)
        let editor = FlowStore(flow), state = editor.currentState
        """,
    ]
}
