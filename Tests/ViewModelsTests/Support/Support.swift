import Dispatch
import Foundation
import Observation
import Streams
import Synchronization
import Testing

/// An article of the module's documentation, whose examples a test file compiles and runs.
struct Article {
    /// The Swift examples, without those that begin with `// Combine` or similar: other code for comparison.
    let examples: [String]

    init(_ name: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appending(path: "Presentation/ViewModels/ViewModels.docc/\(name).md")
        examples = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
            .filter { !$0.hasPrefix("// ") }
    }

    /// Fails the test for each example that the calling file does not contain, word for word except its indentation and
    /// imports.
    func expectExamples(in file: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let source = try Self.lines(String(contentsOf: URL(filePath: file), encoding: .utf8))
        #expect(!examples.isEmpty, sourceLocation: sourceLocation)
        for example in examples {
            #expect(
                source.contains(Self.lines(example)), "missing in the test file: \(example)",
                sourceLocation: sourceLocation)
        }
    }

    private static func lines(_ text: String) -> String {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix("import ") }.joined(separator: "\n")
    }
}

/// The elements of a driver or signal, from its creation to its release.
@MainActor
final class Received<Element: Sendable> {
    private(set) var elements: [Element] = []
    private let bag = DisposeBag()

    init<Sequence: SharedSequenceConvertibleType>(_ sequence: Sequence) where Sequence.Element == Element {
        sequence.asObservable()
            .subscribe(
                with: self,
                onNext: { received, element in
                    MainActor.assumeIsolated { received.elements.append(element) }
                }
            )
            .disposed(by: bag)
    }
}

/// Runs work synchronously on the scheduling thread: for drivers with elements from many threads.
struct InlineScheduler: SchedulerType {
    var now: RxTime { Date(timeIntervalSince1970: 0) }

    func schedule<StateType: Sendable>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        action(state)
    }

    func scheduleRelative<StateType: Sendable>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        action(state)
    }
}

private let mainQueueKey: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
}()

/// Whether the calling code runs on the main queue, which need not be the main thread.
var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueueKey) ?? false }

/// Whether `change` invalidates a view that reads `value`.
@MainActor
func isInvalidated<Value>(_ value: @autoclosure () -> Value, when change: () -> Void) -> Bool {
    let isChanged = Atomic(false)
    withObservationTracking {
        _ = value()
    } onChange: {
        isChanged.store(true, ordering: .relaxed)
    }
    change()
    return isChanged.load(ordering: .relaxed)
}
