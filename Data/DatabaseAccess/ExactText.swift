/// A text that equals only a text of the same Unicode scalars, as in SQL. A `String` also equals its canonical equivalents:
/// `"\u{E9}" == "e\u{301}"`.
package struct ExactText: Hashable, Sendable {
    package let string: String

    package init(_ string: String) {
        self.string = string
    }

    package static func == (left: ExactText, right: ExactText) -> Bool {
        left.string.utf8.elementsEqual(right.string.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        var string = string
        string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
