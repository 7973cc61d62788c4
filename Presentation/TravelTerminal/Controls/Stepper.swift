/// A number that left and right change by one, shown as a text.
struct Stepper: Hashable, Sendable {
    private(set) var value: Int
    let range: ClosedRange<Int>
    var text: String

    init(_ value: Int, in range: ClosedRange<Int>, text: String) {
        self.value = min(max(value, range.lowerBound), range.upperBound)
        self.range = range
        self.text = text
    }

    /// Changes the value; returns `false` if the key has no effect here.
    mutating func handle(_ key: Key) -> Bool {
        switch key {
        case .left: value = max(range.lowerBound, value - 1)
        case .right: value = min(range.upperBound, value + 1)
        case .home: value = range.lowerBound
        case .end: value = range.upperBound
        default: return false
        }
        return true
    }

    func render(into grid: inout Grid, in rect: Rect, isFocused: Bool) {
        let left = value > range.lowerBound ? "‹ " : "  "
        let right = value < range.upperBound ? " ›" : ""
        grid.draw(left + text + right, in: rect, isFocused ? Styles.selection : Styles.text)
    }
}
