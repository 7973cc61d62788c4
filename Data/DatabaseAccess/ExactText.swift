#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A text that equals only a text of the same Unicode scalars, as in SQL. A `String` also equals its canonical equivalents:
/// `"\u{E9}" == "e\u{301}"`.
package struct ExactText: Hashable, Sendable {
    package let string: String

    package init(_ string: String) {
        self.string = string
    }

    package static func == (left: ExactText, right: ExactText) -> Bool {
        var (left, right) = (left.string, right.string)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                // Within the calls the buffers are valid; an empty one may have no address.
                guard left.count == right.count, let first = left.baseAddress, let second = right.baseAddress else {
                    return left.count == right.count
                }
                return memcmp(first, second, left.count) == 0
            }
        }
    }

    package func hash(into hasher: inout Hasher) {
        var string = string
        string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
