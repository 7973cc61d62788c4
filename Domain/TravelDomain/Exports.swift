// The public interface of this module uses `Date`, `UUID` and `Data`.
#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif
