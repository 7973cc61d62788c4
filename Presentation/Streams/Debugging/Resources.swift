import Synchronization

/// How many of this module's objects are alive: streams, subjects, disposables and what subscriptions are made of.
///
/// Counted in debug builds, for the whole process; in release builds the count stays 0. A screen that, once closed,
/// leaves the count higher than it was has leaked; ``LiveSubscriptions`` tells what.
///
/// ```swift
/// let before = Resources.total
/// autoreleasepool { openAndCloseScreen() }
/// assert(Resources.total == before)
/// ```
public struct Resources {
    private static let count = Atomic<Int32>(0)

    /// The number of objects that are alive.
    public static var total: Int32 { count.load(ordering: .relaxed) }

    /// Counts an object of yours.
    ///
    /// - Returns: The new total.
    @discardableResult
    public static func incrementTotal() -> Int32 {
        count.add(1, ordering: .relaxed).newValue
    }

    /// Says that an object that was counted is gone.
    ///
    /// - Returns: The new total.
    @discardableResult
    public static func decrementTotal() -> Int32 {
        count.subtract(1, ordering: .relaxed).newValue
    }
}
