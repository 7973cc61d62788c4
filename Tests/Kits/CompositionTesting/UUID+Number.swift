internal import Composition

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension UUID {
    /// The identifier that `UUIDGenerator.incrementing` returns after so many others.
    ///
    /// ```swift
    /// UUID(1).uuidString    // 00000000-0000-0000-0000-000000000001
    /// ```
    ///
    /// - Precondition: `number` is not negative.
    public init(_ number: Int) {
        self.init(number: UInt64(number))
    }
}
