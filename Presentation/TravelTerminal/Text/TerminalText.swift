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
