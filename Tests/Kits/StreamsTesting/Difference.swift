/// Describes two lists side by side from their first difference; returns `nil` if they are equal.
func describeDifference<Item>(_ lhs: [Item], _ rhs: [Item], _ areEqual: (Item, Item) -> Bool) -> String? {
    let length = max(lhs.count, rhs.count)
    let lines = (0..<length).flatMap { index -> [String] in
        let left = index < lhs.count ? lhs[index] : nil
        let right = index < rhs.count ? rhs[index] : nil
        if let left, let right, areEqual(left, right) { return [] }
        return [
            "  [\(index)] \(left.map { "\($0)" } ?? "nothing")",
            "  \(String(repeating: " ", count: "[\(index)]".count - 2))!= \(right.map { "\($0)" } ?? "nothing")",
        ]
    }
    if lines.isEmpty { return nil }
    return (["\(lhs.count) and \(rhs.count) events differ at:"] + lines).joined(separator: "\n")
}
