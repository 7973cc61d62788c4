/// Turns the bytes that a terminal sends into keys, however they are divided into reads.
///
/// Reads UTF-8, control characters, and the sequences of xterm, the Linux console, and terminals in the style of VT220
/// or rxvt. What is not understood is ignored, text that is not UTF-8 becomes `�`, and no more than a megabyte is kept.
///
/// A lone escape byte is a key of its own, or the beginning of a sequence; only time can tell. When ``timeout`` has
/// passed after the last byte, call ``flush()``.
///
/// ```swift
/// var decoder = InputDecoder()
/// decoder.decode([0xEA, 0xB0])             // []
/// decoder.decode([0x80, 0x1B, 0x5B, 0x41]) // [.key(.character("가")), .key(.up)]
/// ```
struct InputDecoder: Sendable {
    private enum State {
        case ground
        case escape
        /// After `ESC [`, with what came since.
        case control([UInt8])
        /// After `ESC O`, with a modifier if there was one.
        case singleShift([UInt8])
        /// After `ESC ]`, `ESC P`, `ESC X`, `ESC ^` or `ESC _`: ignored up to its end.
        case string(sawEscape: Bool)
        /// After `ESC [ M`: the number of bytes that the report of a mouse still has.
        case mouse(Int)
        case paste([UInt8])
    }

    private var state = State.ground
    private var text = TextDecoder()
    private static let pasteEnd = Array("\u{1B}[201~".utf8)
    private static let longestPaste = 1 << 20
    private static let longestControl = 64

    init() {}

    /// How long to wait for more bytes before calling ``flush()``; nil if nothing is incomplete.
    var timeout: Duration? {
        switch state {
        case .ground: text.isComplete ? nil : .milliseconds(500)
        case .paste: .seconds(2)
        case .escape, .control, .singleShift, .string, .mouse: .milliseconds(50)
        }
    }

    /// The events that these bytes complete.
    mutating func decode(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
        var events: [InputEvent] = []
        for byte in bytes { decode(byte, &events) }
        text.flushClusters(into: &events)
        return events
    }

    /// Returns the events of an incomplete sequence after which no bytes followed: an escape key; the text pasted so
    /// far.
    mutating func flush() -> [InputEvent] {
        var events: [InputEvent] = []
        text.flushAll(into: &events)
        switch state {
        case .escape: events.append(.key(.escape))
        case .control(let bytes) where bytes.isEmpty: events.append(.key(Key(.character("["), .alt)))
        case .singleShift(let bytes) where bytes.isEmpty: events.append(.key(Key(.character("O"), .alt)))
        case .paste(let bytes): events.appendPaste(bytes)
        case .ground, .control, .singleShift, .string, .mouse: break
        }
        state = .ground
        return events
    }

    private mutating func decode(_ byte: UInt8, _ events: inout [InputEvent]) {
        switch state {
        case .ground: ground(byte, [], &events)
        case .escape: escape(byte, &events)
        case .control(var bytes):
            // A new escape ends a sequence that is incomplete.
            if byte == 0x1B { return state = .escape }
            bytes.append(byte)
            let isFinal = (0x40...0x7E).contains(byte) && bytes != [0x5B]
            if isFinal {
                state = .ground
                control(bytes, &events)
            } else {
                state = bytes.count > Self.longestControl || byte < 0x20 ? .ground : .control(bytes)
            }
        case .singleShift(var bytes):
            if byte == 0x1B { return state = .escape }
            if (0x30...0x3B).contains(byte) && bytes.count < 8 {
                bytes.append(byte)
                return state = .singleShift(bytes)
            }
            state = .ground
            if let code = Key.Code(singleShift: byte) {
                events.append(.key(Key(code, .init(parameter: bytes.last.map { Int($0) - 0x30 }))))
            }
        case .string(let sawEscape):
            if byte == 0x07 || byte == 0x9C || sawEscape && byte == 0x5C { return state = .ground }
            state = .string(sawEscape: byte == 0x1B)
        case .mouse(let count):
            if byte == 0x1B { return state = .escape }
            state = count > 1 ? .mouse(count - 1) : .ground
        case .paste(var bytes):
            // Without the copy that two references to one buffer would cost.
            state = .ground
            bytes.append(byte)
            if byte == 0x7E && bytes.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd) {
                bytes.removeLast(Self.pasteEnd.count)
                events.appendPaste(bytes)
            } else if bytes.count >= Self.longestPaste && bytes.last.map({ $0 < 0x80 && $0 != 0x1B }) == true {
                events.appendPaste(bytes)
                state = .paste([])
            } else {
                state = .paste(bytes)
            }
        }
    }

    private mutating func ground(_ byte: UInt8, _ modifiers: Key.Modifiers, _ events: inout [InputEvent]) {
        if byte >= 0x20 && byte != 0x7F {
            text.decode(byte, modifiers, &events)
            return
        }
        text.flushAll(into: &events)
        if byte == 0x1B { return state = .escape }
        events.append(.key(Key(control: byte, modifiers)))
    }

    private mutating func escape(_ byte: UInt8, _ events: inout [InputEvent]) {
        state = .ground
        switch byte {
        case 0x1B:
            events.append(.key(.escape))
            state = .escape
        case UInt8(ascii: "["): state = .control([])
        case UInt8(ascii: "O"): state = .singleShift([])
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
            state = .string(sawEscape: false)
        default: ground(byte, .alt, &events)
        }
    }

    private mutating func control(_ bytes: [UInt8], _ events: inout [InputEvent]) {
        guard let final = bytes.last else { return }
        if bytes.first == 0x5B, bytes.count == 2 {
            // The function keys of the Linux console: ESC [ [ A to ESC [ [ E.
            if (0x41...0x45).contains(final) { events.append(.key(Key(.function(Int(final) - 0x40)))) }
            return
        }
        // The button and the position, which are letters, where another program has left the reports of a mouse on.
        if bytes == [UInt8(ascii: "M")] { return state = .mouse(3) }
        guard let parameters = Parameters(bytes.dropLast()) else { return }
        if final == UInt8(ascii: "~") && parameters.first == 200 { return state = .paste([]) }
        if let key = Key(final: final, parameters) { events.append(.key(key)) }
    }
}

extension [InputEvent] {
    fileprivate mutating func appendPaste(_ bytes: [UInt8]) {
        if !bytes.isEmpty { append(.paste(String(decoding: bytes, as: UTF8.self))) }
    }
}

/// Decodes UTF-8 into keys: one for each grapheme cluster of the bytes that arrive together.
private struct TextDecoder: Sendable {
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
