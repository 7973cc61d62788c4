import Dispatch

extension DispatchTimeInterval {
    /// The interval in seconds; `nil` for `never`.
    var seconds: Double? {
        switch self {
        case .seconds(let count): Double(count)
        case .milliseconds(let count): Double(count) / 1e3
        case .microseconds(let count): Double(count) / 1e6
        case .nanoseconds(let count): Double(count) / 1e9
        case .never: nil
        @unknown default: nil
        }
    }
}
