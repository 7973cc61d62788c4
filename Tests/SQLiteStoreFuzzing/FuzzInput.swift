import SQLiteStore

/// The bytes of a fuzzer, interpreted as numbers, values and choices.
struct FuzzInput {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position >= bytes.count }

    /// Returns the next byte; 0 at the end.
    mutating func byte() -> UInt8 {
        guard position < bytes.count else { return 0 }
        defer { position += 1 }
        return bytes[position]
    }

    /// Returns one of `count` choices.
    mutating func choice(of count: Int) -> Int {
        Int(byte()) % count
    }

    mutating func number() -> UInt64 {
        (0..<8).reduce(0) { number, _ in number << 8 | UInt64(byte()) }
    }

    /// Returns a run of bytes. One in sixteen runs is too long to be stored inline in a literal.
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
