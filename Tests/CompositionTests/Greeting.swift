import Composition
import Synchronization

/// A dependency with a value for each context.
enum GreetingKey: DependencyKey {
    static let liveValue = "Hello"
    static let previewValue = "Hello there"
    static let testValue = "Test"
}

/// A dependency without a test value.
enum PlaceKey: DependencyKey {
    static let liveValue = "World"
}

/// A dependency whose value reads others.
enum LetterKey: DependencyKey {
    static var liveValue: String { letter() }
    static var testValue: String { letter() }

    private static func letter() -> String {
        @Dependency(\.greeting) var greeting
        @Dependency(\.place) var place
        return "\(greeting), \(place)"
    }
}

extension DependencyValues {
    var greeting: String {
        get { self[GreetingKey.self] }
        set { self[GreetingKey.self] = newValue }
    }

    var place: String {
        get { self[PlaceKey.self] }
        set { self[PlaceKey.self] = newValue }
    }

    var letter: String {
        get { self[LetterKey.self] }
        set { self[LetterKey.self] = newValue }
    }
}

struct Greeter: Sendable {
    @Dependency(\.greeting) var greeting
    @Dependency(\.place) var place
    static let lineOfPlace: UInt = #line - 1
}

/// The reported missing overrides.
final class ReportLog: Sendable {
    private let reports = Mutex<[MissingOverride]>([])

    var all: [MissingOverride] { reports.withLock { $0 } }

    func add(_ report: MissingOverride) {
        reports.withLock { $0.append(report) }
    }
}
