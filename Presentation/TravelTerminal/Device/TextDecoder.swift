/// Decodes UTF-8 into keys: one for each grapheme cluster of the bytes that arrive together.
struct TextDecoder: Sendable {
    private var scalars = String.UnicodeScalarView()
    /// The bytes of an incomplete scalar, and the number of bytes that it will have.
    private var pending: [UInt8] = []
    private var expected = 0

    /// Whether every decoded byte was emitted.
    var isComplete: Bool { pending.isEmpty && scalars.isEmpty }

    /// Decodes a byte other than an ASCII control.
    mutating func decode(_ byte: UInt8, _ modifiers: Key.Modifiers, _ events: inout [InputEvent]) {
        if !modifiers.isEmpty {
            flushAll(into: &events)
            if byte < 0x80 { events.append(.key(Key(.character(Character(Unicode.Scalar(byte))), modifiers))) }
            return
        }
        if byte & 0xC0 == 0x80 {
            pending.append(byte)
            if pending.count == 1 { return endPending() }
            if pending.count == expected { endPending() }
            return
        }
        if !pending.isEmpty { endPending() }
        switch byte {
        case ..<0x80: scalars.append(Unicode.Scalar(byte))
        case 0xC2...0xDF: begin(byte, of: 2)
        case 0xE0...0xEF: begin(byte, of: 3)
        case 0xF0...0xF4: begin(byte, of: 4)
        default: scalars.append("\u{FFFD}")
        }
    }

    private mutating func begin(_ byte: UInt8, of count: Int) {
        pending = [byte]
        expected = count
    }

    private mutating func endPending() {
        // Replaces each incomplete or overlong sequence by a replacement character.
        for scalar in String(decoding: pending, as: UTF8.self).unicodeScalars
        where !(0x80..<0xA0).contains(scalar.value) {
            scalars.append(scalar)
        }
        pending.removeAll(keepingCapacity: true)
        expected = 0
    }

    /// Emits the clusters of the complete scalars.
    mutating func flushClusters(into events: inout [InputEvent]) {
        if scalars.isEmpty { return }
        for cluster in String(scalars) { events.append(.key(.character(cluster))) }
        scalars = String.UnicodeScalarView()
    }

    /// Emits the clusters, and a replacement character for an incomplete scalar.
    mutating func flushAll(into events: inout [InputEvent]) {
        if !pending.isEmpty { endPending() }
        flushClusters(into: &events)
    }
}
