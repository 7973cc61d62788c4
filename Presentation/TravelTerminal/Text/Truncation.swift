extension String {
    /// The text in at most `width` columns: unchanged if it fits, otherwise its beginning and an ellipsis.
    ///
    /// A wide cluster that would exceed the width is omitted.
    ///
    /// ```swift
    /// "제주 올레길".truncated(toWidth: 6)    // "제주 …"
    /// ```
    package func truncated(toWidth width: Int, ellipsis: String = "…") -> String {
        if utf8.count <= width || displayWidth <= width { return self }
        let room = width - ellipsis.displayWidth
        guard room >= 0 else { return prefix(width: width) }
        return prefix(width: room) + ellipsis
    }

    /// The longest beginning of the text in at most `width` columns.
    func prefix(width: Int) -> String {
        var used = 0
        var end = startIndex
        while end < endIndex {
            used += self[end].displayWidth
            if used > width { break }
            end = index(after: end)
        }
        return String(self[..<end])
    }
}
