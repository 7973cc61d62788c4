extension String {
    /// The text in lines of at most `width` columns.
    ///
    /// Lines end at line breaks, at spaces, after hyphens, and between wide clusters such as Korean syllables, but
    /// never before closing or after opening punctuation unless there is no other place. A longer word is divided
    /// between clusters. Spaces at the end of a line are removed; an empty text has one empty line.
    ///
    /// ```swift
    /// "부산 밤바다를 걷다.".wrapped(toWidth: 10)    // ["부산 밤바", "다를 걷다."]
    /// ```
    package func wrapped(toWidth width: Int) -> [String] {
        let clusters = Array(self)
        return LineBreaker(clusters, width: width).lines.map { range in
            var line = clusters[range]
            while let last = line.last, last.isWhitespace { line.removeLast() }
            return String(line)
        }
    }
}

/// The places where lines of a text begin and end.
struct LineBreaker {
    /// The lines as ranges of clusters: what is between two of them is a line break, or spaces where a line was
    /// divided.
    private(set) var lines: [Range<Int>] = []

    /// Divides the clusters of a text into lines of at most `width` columns; with a width below one, as with one.
    init(_ clusters: [Character], width: Int) {
        var start = 0
        for (index, cluster) in clusters.enumerated() where cluster.isNewline {
            divide(clusters, start..<index, width: max(width, 1))
            start = index + 1
        }
        divide(clusters, start..<clusters.count, width: max(width, 1))
    }

    private mutating func divide(_ clusters: [Character], _ range: Range<Int>, width: Int) {
        var start = range.lowerBound
        var lastBreak: Int?
        var used = 0
        var index = start
        while index < range.upperBound {
            let cluster = clusters[index]
            if index > start && Self.canBreak(clusters[index - 1], cluster) { lastBreak = index }
            let columns = cluster.displayWidth
            if used + columns > width && index > start && cluster != " " {
                let end = lastBreak ?? index
                lines.append(start..<end)
                start = end
                index = start
                used = 0
                lastBreak = nil
                continue
            }
            used += columns
            index += 1
        }
        lines.append(start..<range.upperBound)
    }

    /// Whether a line may end between the two clusters. Spaces stay at the end of the line.
    static func canBreak(_ before: Character, _ after: Character) -> Bool {
        if after == " " { return false }
        if before == " " { return true }
        if closing.contains(after) || opening.contains(before) { return false }
        if before == "-" && after.isLetter { return true }
        return before.displayWidth == 2 || after.displayWidth == 2
    }

    private static let closing = Set(",.!?;:)]}%'\"…‥、。，．！？；：）］｝」』】》〉〕”’·・ー々~～％")
    private static let opening = Set("([{「『【《〈〔（［｛“‘")
}
