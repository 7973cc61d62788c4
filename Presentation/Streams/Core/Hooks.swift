import Synchronization

/// What the module does where no subscriber says otherwise. Process-wide; set once at start-up.
public enum Hooks {
    /// Hears an error that a subscription without `onError` ends with, and where it was subscribed (empty unless
    /// ``recordCallStackOnError`` is set).
    public typealias DefaultErrorHandler = @Sendable (_ subscriptionCallStack: [String], _ error: any Error) -> Void
    /// Makes the call stack that is handed to the error handler.
    public typealias CustomCaptureSubscriptionCallstack = @Sendable () -> [String]

    /// Takes a warning.
    public typealias WarningHandler = @Sendable (_ message: String) -> Void

    private struct Settings: Sendable {
        var warningHandler: WarningHandler = { print("Streams: \($0)") }
        var errorHandler: DefaultErrorHandler = { callStack, error in
            let place = callStack.isEmpty ? "" : " Subscribed at:\n\(callStack.joined(separator: "\n"))"
            print("Unhandled error in a stream: \(error). Pass `onError` to `subscribe`.\(place)")
        }
        var captureCallStack: CustomCaptureSubscriptionCallstack = { [] }
    }

    private static let settings = Mutex(Settings())
    private static let recordsCallStack = Atomic(false)

    /// Whether subscriptions without `onError` remember where they were made. Off by default: it is slow.
    public static var recordCallStackOnError: Bool {
        get { recordsCallStack.load(ordering: .relaxed) }
        set { recordsCallStack.store(newValue, ordering: .relaxed) }
    }

    /// Hears errors that no one else does. By default it prints them.
    @preconcurrency
    public static var defaultErrorHandler: DefaultErrorHandler {
        get { settings.withLock { $0.errorHandler } }
        set { replace(\.errorHandler, with: newValue) }
    }

    /// Makes the call stack that is handed to the error handler. By default an empty one.
    @preconcurrency
    public static var customCaptureSubscriptionCallstack: CustomCaptureSubscriptionCallstack {
        get { settings.withLock { $0.captureCallStack } }
        set { replace(\.captureCallStack, with: newValue) }
    }

    /// Called in debug builds with a warning about the use of a stream. By default it prints them.
    @preconcurrency
    public static var warningHandler: WarningHandler {
        get { settings.withLock { $0.warningHandler } }
        set { replace(\.warningHandler, with: newValue) }
    }

    private static func replace<Value: Sendable>(_ setting: WritableKeyPath<Settings, Value>, with value: Value) {
        let before = settings.withLock { settings in
            let before = settings[keyPath: setting]
            settings[keyPath: setting] = value
            return before
        }
        withExtendedLifetime(before) {}  // what it captures is released after the lock
    }

    #if DEBUG
        /// The number of waiting events that is warned of.
        static let pendingCountWarningThreshold = 10_000

        /// Warns that events pile up because an observer is slower than the threads that send.
        static func warn(_ queue: String) {
            warningHandler(
                "\(queue): its observers are slower than the threads that send. "
                    + "Put `throttle`, `sample` or `values(buffering:)` before a slow observer. See LiveSubscriptions.")
        }
    #endif

    @usableFromInline
    static func captureCallStack() -> [String] { customCaptureSubscriptionCallstack() }

    @usableFromInline
    static func handle(_ error: any Error, _ callStack: [String]) { defaultErrorHandler(callStack, error) }
}
