import Synchronization

/// Process-wide handlers for errors and warnings that no subscriber handles. Set them once at start-up.
///
/// ```swift
/// Hooks.defaultErrorHandler = { _, error in log.error("unhandled: \(error)") }
/// requests.subscribe(onNext: show)    // a failure of `requests` is logged
/// ```
public enum Hooks {
    /// A handler for an error that terminates a subscription without `onError`. The call stack of the subscription is
    /// empty unless ``recordCallStackOnError`` is set.
    public typealias DefaultErrorHandler = @Sendable (_ subscriptionCallStack: [String], _ error: any Error) -> Void
    public typealias CustomCaptureSubscriptionCallstack = @Sendable () -> [String]

    public typealias WarningHandler = @Sendable (_ message: String) -> Void

    private struct Settings: Sendable {
        var warningHandler: WarningHandler = { print("Streams: \($0)") }
        var errorHandler: DefaultErrorHandler = { callStack, error in
            let place = callStack.isEmpty ? "" : "\nSubscribed at:\n\(callStack.joined(separator: "\n"))"
            print("Unhandled error in a stream without `onError`: \(error)\(place)")
        }
        var captureCallStack: CustomCaptureSubscriptionCallstack = { [] }
    }

    private static let settings = Mutex(Settings())
    private static let recordsCallStack = Atomic(false)

    /// Whether subscriptions without `onError` record their call stack. Off by default, because recording is slow.
    public static var recordCallStackOnError: Bool {
        get { recordsCallStack.load(ordering: .relaxed) }
        set { recordsCallStack.store(newValue, ordering: .relaxed) }
    }

    /// The handler of errors that no subscriber handles. By default it prints them.
    @preconcurrency
    public static var defaultErrorHandler: DefaultErrorHandler {
        get { settings.withLock { $0.errorHandler } }
        set { replace(\.errorHandler, with: newValue) }
    }

    /// Captures the call stack for the error handler. By default it returns an empty one.
    @preconcurrency
    public static var customCaptureSubscriptionCallstack: CustomCaptureSubscriptionCallstack {
        get { settings.withLock { $0.captureCallStack } }
        set { replace(\.captureCallStack, with: newValue) }
    }

    /// The handler of warnings about the use of streams, called in debug builds only. By default it prints them.
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
        withExtendedLifetime(before) {}  // its captures are released after the lock
    }

    #if DEBUG
    /// The number of pending events at which a warning is issued.
    static let pendingCountWarningThreshold = 10_000

    /// Warns that events accumulate because an observer is slower than the threads that send.
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
