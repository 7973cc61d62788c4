import Foundation

/// A value behind a lock that the thread sanitizer understands: on Linux it does not see the synchronization of the
/// standard library's `Mutex`.
///
/// `@unchecked Sendable`: `value` is touched under the lock only.
package final class Guarded<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: Value) {
        self.value = value
    }

    package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&value)
    }
}
