import Foundation

extension ObservableType {
    /// Prints the subscription, the events and the disposal of this stream, and forwards the events unchanged.
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
    ///   - identifier: The name of the stream in the output; by default its location in the source code.
    ///   - trimOutput: Whether events are shortened to 40 characters.
    ///   - file: The file of the call, for diagnostics.
    ///   - line: The line of the call, for diagnostics.
    ///   - function: The function of the call.
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

/// Returns the local date and time, to the millisecond.
private func timestamp() -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy-MM-dd HH:mm:ss.SSS"
    return formatter.string(from: Date())
}
