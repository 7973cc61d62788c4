#if canImport(FoundationEssentials)
@_spi(_Unicode) import Swift
#else
import Foundation
#endif

// FoundationEssentials, which uses these as well, has no public normal form, and Foundation is no part of the domain.
extension String {
    /// The text in Normalization Form C (Unicode Standard Annex 15): composed.
    var normalized: String {
        #if canImport(FoundationEssentials)
        var scalars = UnicodeScalarView()
        for scalar in _nfc { scalars.append(scalar) }
        return String(scalars)
        #else
        precomposedStringWithCanonicalMapping
        #endif
    }

    /// The text in Normalization Form D: decomposed.
    var decomposed: String {
        #if canImport(FoundationEssentials)
        var scalars = UnicodeScalarView()
        for scalar in _nfd { scalars.append(scalar) }
        return String(scalars)
        #else
        decomposedStringWithCanonicalMapping
        #endif
    }
}
