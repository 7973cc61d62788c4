extension String {
    /// The text with its control characters made visible, so that text of others can neither move the cursor nor change
    /// the colours, the title or the direction of the terminal.
    ///
    /// ASCII controls become their pictures (`␛` for escape), other controls `�`; a tab becomes a space. Marks that
    /// change the direction of text, and characters without a width or a meaning here (byte order mark, soft hyphen,
    /// zero-width space), are removed. The joiners and tags of emoji sequences stay.
    ///
    /// ```swift
    /// "a\u{1B}[31mb".terminalSafe    // "a␛[31mb"
    /// ```
    package var terminalSafe: String {
        var text = self
        if text.withUTF8({ bytes in bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }) { return self }
        if text.unicodeScalars.allSatisfy({ $0.terminalSafe == $0 }) { return self }
        var scalars = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if let safe = scalar.terminalSafe { scalars.append(safe) }
        }
        return String(scalars)
    }

    /// The text with each run of line breaks replaced by a space, for a place of one line.
    package var onOneLine: String {
        guard contains(where: \.isNewline) else { return self }
        return split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}

extension Unicode.Scalar {
    fileprivate var terminalSafe: Unicode.Scalar? {
        switch value {
        case 0x09: return " "
        case 0..<0x20: return Unicode.Scalar(0x2400 + value)
        case 0x20..<0x7F: return self
        case 0x7F: return "\u{2421}"
        case 0x80..<0xA0: return "\u{FFFD}"
        case 0xA0..<0xAD, 0xAE..<0x300: return self
        case 0x2028, 0x2029: return "\u{2424}"
        case 0xAD, 0x61C, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB: return nil
        case 0xFDD0..<0xFDF0: return nil  // noncharacters
        default: return self
        }
    }
}

extension String {
    /// The number of terminal columns of the text, the sum over its extended grapheme clusters: two for a wide cluster
    /// such as a Korean syllable, a flag or an emoji, none for a lone combining mark, one for others.
    ///
    /// ```swift
    /// "부산 여행".displayWidth    // 9
    /// "👨‍👩‍👧🇰🇷".displayWidth      // 4
    /// ```
    ///
    /// Widths follow Unicode Standard Annex 11; characters of ambiguous width count one column. A control character
    /// counts one, the width of the picture that ``terminalSafe`` shows for it.
    package var displayWidth: Int {
        var text = self
        let ascii: Int? = text.withUTF8 { bytes in bytes.allSatisfy { $0 < 0x80 } ? bytes.count : nil }
        return ascii ?? text.reduce(0) { $0 + $1.displayWidth }
    }

    /// The text, padded with trailing spaces to `width` columns; unchanged if it is wider.
    package func padded(toWidth width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, width - displayWidth))
    }
}

extension Character {
    /// The number of terminal columns of the cluster: 0, 1 or 2.
    ///
    /// The widths of the scalars are added, up to two: a decomposed Korean syllable has the width of its leading
    /// consonant, and an emoji sequence that of one emoji. A variation selector 16 asks for the wide emoji form.
    package var displayWidth: Int {
        if utf8.count == 1 { return 1 }
        var width = 0
        for scalar in unicodeScalars {
            if scalar == "\u{FE0F}" && width > 0 { return 2 }
            width += scalar.displayWidth
        }
        return Swift.min(width, 2)
    }

    /// Whether terminals are known to disagree about the width of the cluster: it has more than one scalar, or is an
    /// emoji.
    ///
    /// After such a cluster the position of the cursor is not relied on.
    var hasUncertainWidth: Bool {
        if utf8.count == 1 { return false }
        let scalars = unicodeScalars
        guard let first = scalars.first else { return false }
        return scalars.index(after: scalars.startIndex) != scalars.endIndex || first.value >= 0x1F000
    }
}

extension Unicode.Scalar {
    /// The number of terminal columns of the scalar by itself: 0, 1 or 2.
    var displayWidth: Int {
        if value < 0x300 { return value == 0xAD ? 0 : 1 }
        // Arrows, mathematical and technical signs, lines, blocks and shapes: looking up their properties takes longer.
        if value >= 0x2190 && value < 0x2600 { return WideRanges.contains(value) ? 2 : 1 }
        if WideRanges.contains(value) { return 2 }
        // Vowels and trailing consonants of decomposed Korean syllables: part of the leading consonant's column.
        if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FB).contains(value) { return 0 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return properties.isDefaultIgnorableCodePoint ? 0 : 1
        }
    }
}

/// The wide characters: classes W and F of `EastAsianWidth.txt`, Unicode 16.
///
/// Unassigned code points between two wide ones count as wide, which keeps the table short and lets later emoji in.
enum WideRanges {
    /// Whether the code point takes two columns.
    static func contains(_ value: UInt32) -> Bool {
        if value < 0x1100 { return false }
        if value >= 0xAC00 && value <= 0xD7A3 { return true }
        var low = 0
        var high = bounds.count / 2 - 1
        while low <= high {
            let middle = (low + high) / 2
            if value < bounds[2 * middle] {
                high = middle - 1
            } else if value > bounds[2 * middle + 1] {
                low = middle + 1
            } else {
                return true
            }
        }
        return false
    }

    /// The first and last code point of each range, in order.
    static let bounds: [UInt32] = [
        0x1100, 0x115F, 0x231A, 0x231B, 0x2329, 0x232A, 0x23E9, 0x23EC, 0x23F0, 0x23F0, 0x23F3, 0x23F3,
        0x25FD, 0x25FE, 0x2614, 0x2615, 0x2630, 0x2637, 0x2648, 0x2653, 0x267F, 0x267F, 0x268A, 0x268F,
        0x2693, 0x2693, 0x26A1, 0x26A1, 0x26AA, 0x26AB, 0x26BD, 0x26BE, 0x26C4, 0x26C5, 0x26CE, 0x26CE,
        0x26D4, 0x26D4, 0x26EA, 0x26EA, 0x26F2, 0x26F3, 0x26F5, 0x26F5, 0x26FA, 0x26FA, 0x26FD, 0x26FD,
        0x2705, 0x2705, 0x270A, 0x270B, 0x2728, 0x2728, 0x274C, 0x274C, 0x274E, 0x274E, 0x2753, 0x2755,
        0x2757, 0x2757, 0x2795, 0x2797, 0x27B0, 0x27B0, 0x27BF, 0x27BF, 0x2B1B, 0x2B1C, 0x2B50, 0x2B50,
        0x2B55, 0x2B55, 0x2E80, 0x303E, 0x3041, 0x3247, 0x3250, 0xA4C6, 0xA960, 0xA97C, 0xAC00, 0xD7A3,
        0xF900, 0xFAFF, 0xFE10, 0xFE19, 0xFE30, 0xFE6B, 0xFF01, 0xFF60, 0xFFE0, 0xFFE6, 0x16FE0, 0x18D08,
        0x1AFF0, 0x1B2FB, 0x1D300, 0x1D376, 0x1F004, 0x1F004, 0x1F0CF, 0x1F0CF, 0x1F18E, 0x1F18E, 0x1F191, 0x1F19A,
        0x1F200, 0x1F320, 0x1F32D, 0x1F335, 0x1F337, 0x1F37C, 0x1F37E, 0x1F393, 0x1F3A0, 0x1F3CA, 0x1F3CF, 0x1F3D3,
        0x1F3E0, 0x1F3F0, 0x1F3F4, 0x1F3F4, 0x1F3F8, 0x1F43E, 0x1F440, 0x1F440, 0x1F442, 0x1F4FC, 0x1F4FF, 0x1F53D,
        0x1F54B, 0x1F54E, 0x1F550, 0x1F567, 0x1F57A, 0x1F57A, 0x1F595, 0x1F596, 0x1F5A4, 0x1F5A4, 0x1F5FB, 0x1F64F,
        0x1F680, 0x1F6C5, 0x1F6CC, 0x1F6CC, 0x1F6D0, 0x1F6D2, 0x1F6D5, 0x1F6DF, 0x1F6EB, 0x1F6EC, 0x1F6F4, 0x1F6FC,
        0x1F7E0, 0x1F7F0, 0x1F90C, 0x1F93A, 0x1F93C, 0x1F945, 0x1F947, 0x1F9FF, 0x1FA70, 0x1FAFF, 0x20000, 0x3FFFD,
    ]
}

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

extension String {
    /// The text in at most `width` columns: unchanged if it fits, otherwise its beginning and an ellipsis; empty for a
    /// width below one.
    ///
    /// A wide cluster that would exceed the width is omitted.
    ///
    /// ```swift
    /// "제주 올레길".truncated(toWidth: 6)    // "제주 …"
    /// ```
    package func truncated(toWidth width: Int) -> String {
        if utf8.count <= width || displayWidth <= width { return self }
        guard width > 0 else { return "" }
        var used = 0
        // The ellipsis has one column.
        let beginning = prefix { cluster in
            used += cluster.displayWidth
            return used < width
        }
        return "\(beginning)…"
    }
}
