import Composition
import Foundation
import Testing

// The example of the article:
/// Where drafts go; only the executable can create one.
nonisolated struct Outbox: Sendable {
    var send: @Sendable (String) -> Void
}

nonisolated enum OutboxKey: DependencyKey {
    static var liveValue: Outbox { fromCompositionRoot(placeholder: Outbox { _ in }) }
    static var testValue: Outbox { Outbox { _ in } }
}

nonisolated extension DependencyValues {
    var outbox: Outbox {
        get { self[OutboxKey.self] }
        set { self[OutboxKey.self] = newValue }
    }
}

nonisolated struct Composer {
    @Dependency(\.outbox) private var outbox
    @Dependency(\.date) private var date
    @Dependency(\.uuid) private var uuid

    func submit(_ text: String) {
        outbox.send("\(uuid().uuidString.suffix(1)) at \(Int(date.now.timeIntervalSince1970)): \(text)")
    }
}

/// The first line of `main`: the values of the app.
nonisolated func prepareApp() {
    DependencyValues.prepare { $0.outbox = Outbox { print($0) } }
}

/// A test, or a part of the app with other values.
nonisolated func submitOne(into sent: @escaping @Sendable (String) -> Void) {
    withDependencies {
        $0.outbox = Outbox(send: sent)
        $0.date = .constant(Date(timeIntervalSince1970: 60))
        $0.uuid = .incrementing
    } operation: {
        Composer().submit("hello")  // 0 at 60: hello
    }
}
// Its results:

@Suite("The ten names of Composition")
struct TenNamesTests {
    @Test("a part of the app sends to the outbox of its scope")
    func example() async {
        await confirmation { sent in
            submitOne { text in
                #expect(text == "0 at 60: hello")
                sent()
            }
        }
        withDependencies {
            $0.date = .constant(.distantPast)
        } operation: {
            withDependencies {
                $0.uuid = .incrementing
            } operation: {
                Composer().submit("to the outbox of the test")
            }
        }
    }
}
