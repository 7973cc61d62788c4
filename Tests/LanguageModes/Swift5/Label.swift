/// A reference type that is not `Sendable`, like most types in Rx code.
final class Label {
    var text = ""
    var number: Int?
    var isHidden = false
}
