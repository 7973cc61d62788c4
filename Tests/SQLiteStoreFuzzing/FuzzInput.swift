import SQLiteStore

/// Bytes of a fuzzer's, taken for numbers, values and choices until there are none left.
struct FuzzInput {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position >= bytes.count }

    /// The next byte; 0 at the end.
    mutating func byte() -> UInt8 {
        guard position < bytes.count else { return 0 }
        defer { position += 1 }
        return bytes[position]
    }

    /// One of so many choices.
    mutating func choice(of count: Int) -> Int {
        Int(byte()) % count
    }

    mutating func number() -> UInt64 {
        (0..<8).reduce(0) { number, _ in number << 8 | UInt64(byte()) }
    }

    /// A run of bytes; one in sixteen of them long enough not to be kept among the parts of a literal.
    mutating func run() -> [UInt8] {
        let count = Int(byte())
        let run = (0..<count & 0x0F).map { _ in byte() }
        return count >> 4 == 15 ? [[UInt8]](repeating: run, count: 500).flatMap { $0 } : run
    }

    mutating func text() -> String {
        String(decoding: run(), as: UTF8.self)
    }

    mutating func value() -> SQLValue {
        switch choice(of: 6) {
        case 0: return .null
        case 1: return .integer(Int64(bitPattern: number()))
        case 2: return .integer(Int64(Int8(bitPattern: byte())))
        case 3:
            let number = Double(bitPattern: number())
            return .real(number.isNaN ? 0.5 : number)
        case 4: return .text(text())
        default: return .blob(run())
        }
    }
}
