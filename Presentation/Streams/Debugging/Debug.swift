import Foundation

extension ObservableType {
    /// The stream as it is; its subscription, events and disposal are printed as they pass.
    ///
    /// ```swift
    /// Observable.of(1).debug("numbers")
    /// // 2026-01-01 12:00:00.000: numbers -> subscribed
    /// // 2026-01-01 12:00:00.001: numbers -> Event next(1)
    /// // 2026-01-01 12:00:00.001: numbers -> Event completed
    /// // 2026-01-01 12:00:00.001: numbers -> isDisposed
    /// ```
    ///
    /// - Parameters:
    ///   - identifier: What to call the stream; by default, the place in the source.
    ///   - trimOutput: Whether an event is shortened to 40 characters.
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false, file: String = #file, line: UInt = #line,
        function: String = #function
    ) -> Observable<Element> {
        let name = identifier ?? "\(file.split(separator: "/").last ?? ""):\(line) (\(function))"
        let log = { @Sendable (text: String) in print("\(timestamp()): \(name) -> \(text)") }
        let logEvent = { @Sendable (event: Event<Element>) in
            let text = String(describing: event)
            log("Event \(trimOutput && text.count > 40 ? "\(text.prefix(20))...\(text.suffix(20))" : text)")
        }
        return self.do(
            onNext: { logEvent(.next($0)) },
            onError: { logEvent(.error($0)) },
            onCompleted: { logEvent(.completed) },
            onSubscribe: { log("subscribed") },
            onDispose: { log("isDisposed") })
    }
}

/// The time of day in this place, to the millisecond.
private func timestamp() -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy-MM-dd HH:mm:ss.SSS"
    return formatter.string(from: Date())
}
