import Synchronization

/// The number of live objects of this module: streams, subjects, disposables and the objects of subscriptions.
///
/// Counted in debug builds only, for the whole process; 0 in release builds. If closing a screen leaves the count
/// higher than before, the screen has leaked; ``LiveSubscriptions`` shows the subscriptions.
///
/// ```swift
/// let before = Resources.total
/// autoreleasepool { openAndCloseScreen() }
/// assert(Resources.total == before)
/// ```
public struct Resources {
    private static let count = Atomic<Int32>(0)

    /// The number of live objects.
    public static var total: Int32 { count.load(ordering: .relaxed) }

    /// Counts the creation of one of your own objects.
    ///
    /// - Returns: The new total.
    @discardableResult
    public static func incrementTotal() -> Int32 {
        count.add(1, ordering: .relaxed).newValue
    }

    /// Counts the deallocation of one of your own objects.
    ///
    /// - Returns: The new total.
    @discardableResult
    public static func decrementTotal() -> Int32 {
        count.subtract(1, ordering: .relaxed).newValue
    }
}

extension Resources {
    /// A stored property of this type counts the object that contains it. Without size, and without effect in release
    /// builds.
    @usableFromInline
    struct Counted: ~Copyable, Sendable {
        #if DEBUG
            @usableFromInline
            init() { Resources.incrementTotal() }

            deinit { Resources.decrementTotal() }
        #else
            @inlinable
            init() {}
        #endif
    }
}
