import Foundation

/// An event of a server (HTML Living Standard, section 9.2).
struct ServerEvent: Hashable, Sendable {
    /// `"message"` unless the server has sent another type.
    var type: String
    var data: Data
    /// The last ID that the server has sent, with this event or before.
    var id: String
}

/// Reads the events of a `text/event-stream` from its bytes, in chunks of any size.
struct EventParser {
    /// The bytes of the line that is not complete yet.
    private var line: [UInt8] = []
    private var type = ""
    private var data = Data()
    private var hasData = false
    private var id = ""
    /// Whether the last line ended with CR, after which an LF belongs to the same end.
    private var endsWithReturn = false
    private var isAtStart = true

    /// The maximum size of an event in bytes.
    private let maximumSize: Int

    init(maximumSize: Int) {
        self.maximumSize = maximumSize
    }

    struct TooLarge: Error {}

    /// Returns the events that `bytes` completes.
    ///
    /// - Throws: ``TooLarge`` when a line or an event is larger than the maximum.
    mutating func events(in bytes: Data) throws(TooLarge) -> [ServerEvent] {
        var events: [ServerEvent] = []
        for byte in bytes {
            if byte == 0x0A, endsWithReturn {
                endsWithReturn = false
                continue
            }
            endsWithReturn = byte == 0x0D
            if byte == 0x0A || byte == 0x0D {
                if let event = endLine() { events.append(event) }
            } else {
                line.append(byte)
                guard line.count + data.count <= maximumSize else { throw TooLarge() }
            }
        }
        return events
    }

    private mutating func endLine() -> ServerEvent? {
        defer { line.removeAll(keepingCapacity: true) }
        if isAtStart, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        isAtStart = false
        if line.isEmpty { return endEvent() }
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        var value = line.dropFirst(name.count + 1)
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        switch String(decoding: name, as: UTF8.self) {
        case "event": type = String(decoding: value, as: UTF8.self)
        case "data":
            if hasData { data.append(0x0A) }
            data.append(contentsOf: value)
            hasData = true
        case "id": if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
        // A comment, whose name is empty, or a field that is unknown.
        default: break
        }
        return nil
    }

    private mutating func endEvent() -> ServerEvent? {
        defer { (type, data, hasData) = ("", Data(), false) }
        return hasData ? ServerEvent(type: type.isEmpty ? "message" : type, data: data, id: id) : nil
    }
}
