public import Foundation
public import TravelDomain

/// The time zones of the earth by their boundaries, with the clocks of Foundation.
///
/// ```swift
/// TimeZoneMap.shared.zone(at: lisbon)                          // "Europe/Lisbon"
/// TimeZoneMap.shared.offset(of: "Europe/Lisbon", at: now)      // 3600 in summer
/// ```
///
/// The boundaries are those of Timezone Boundary Builder, made from OpenStreetMap (© OpenStreetMap contributors, Open
/// Database License 1.0), in cells of 1/64 degree, which is less than two kilometres. Of the 12,000 largest cities of
/// GeoNames, 4 have another offset there, besides those of Xinjiang, where two zones are in use: the map has that of Beijing.
///
/// **Format.** The first line has the names of the zones. Each other line is a degree of latitude from the south pole, and has
/// its cells of one degree from 180° west: the number of a zone plus 1, where 0 is the sea, and that of the cells that it fills;
/// or 0, the number of zones in one cell, their numbers, the number of the characters that follow, and a tree. A node of the
/// tree is a bit 1 and its four quarters, south-west first, then south-east, north-west and north-east; or a bit 0, which is
/// left out where the cell is the smallest, and the index of a zone in just enough bits. Numbers are in groups of five bits
/// from the lowest, each a character from `?` on, all but the last + 32; a character of a tree has six bits from the highest.
public struct TimeZoneMap: TimeZoneDirectory {
    /// The map of the earth, read when a position is first looked up.
    public static let shared = TimeZoneMap(cells)

    /// How often a cell of one degree can be divided.
    private static let depth = 6

    private let names: [String]
    /// The characters of each degree of latitude.
    private let rows: [ArraySlice<UInt8>]

    init(_ text: String) {
        let lines = Array(text.utf8).split(separator: UInt8(ascii: "\n"))
        names = (lines.first ?? []).split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        rows = Array(lines.dropFirst())
    }

    /// Returns the zone that has the position, or the coast within about 50 kilometres; `nil` at sea.
    public func zone(at coordinate: Coordinate) -> String? {
        let (x, y) = (coordinate.longitude + 180, coordinate.latitude + 90)
        let row = min(Int(y), rows.count - 1)
        guard rows.indices.contains(row) else { return nil }
        // 180° east is 180° west.
        let column = Int(x) % 360
        var numbers = PackedNumbers(rows[row])
        var next = 0
        while !numbers.rest.isEmpty {
            let (number, count) = (numbers.number(), numbers.number())
            if number > 0 {
                next += count
                if column < next { return name(number - 1) }
                continue
            }
            let zones = (0..<count).map { _ in numbers.number() }
            let size = numbers.number()
            next += 1
            if column < next {
                var tree = Tree(numbers.rest.prefix(size), width: (count - 1).bitCount)
                let index = tree.index(x - x.rounded(.down), y - Double(row), depth: Self.depth)
                return zones.indices.contains(index) ? name(zones[index]) : nil
            }
            numbers.skip(size)
        }
        return nil
    }

    /// The zone of a number; 0 is the sea.
    private func name(_ number: Int) -> String? {
        names.indices.contains(number - 1) ? names[number - 1] : nil
    }

    /// Returns the difference from UTC with daylight saving time; `nil` for a name that Foundation does not know.
    public func offset(of zone: String, at date: Date) -> Int? {
        TimeZone(identifier: zone)?.secondsFromGMT(for: date)
    }

    /// The names of zones that contain `text`, in any letter case, or whose last part begins with it: what a user may
    /// have meant.
    public func names(like text: String) -> [String] {
        let text = text.lowercased().replacingOccurrences(of: " ", with: "_")
        return TimeZone.knownTimeZoneIdentifiers.filter { $0.lowercased().contains(text) }.sorted()
    }
}

extension TimeZoneMap {
    /// Reads the tree of a cell.
    private struct Tree {
        private let characters: ArraySlice<UInt8>
        private let width: Int
        private var position = 0

        init(_ characters: ArraySlice<UInt8>, width: Int) {
            (self.characters, self.width) = (characters, width)
        }

        /// The index of the zone at a position in the cell, from 0 to 1 to the east and to the north.
        mutating func index(_ x: Double, _ y: Double, depth: Int) -> Int {
            guard depth > 0, bits(1) == 1 else { return bits(width) }
            let (east, north) = (x >= 0.5 ? 1 : 0, y >= 0.5 ? 1 : 0)
            for _ in 0..<2 * north + east { skip(depth: depth - 1) }
            return index(2 * x - Double(east), 2 * y - Double(north), depth: depth - 1)
        }

        private mutating func skip(depth: Int) {
            guard depth > 0, bits(1) == 1 else {
                position += width
                return
            }
            for _ in 0..<4 { skip(depth: depth - 1) }
        }

        private mutating func bits(_ count: Int) -> Int {
            var value = 0
            for _ in 0..<count {
                let index = characters.startIndex + position / 6
                // Past the end there are zeros.
                let group = index < characters.endIndex ? Int(characters[index]) - 63 : 0
                value = value << 1 | group >> (5 - position % 6) & 1
                position += 1
            }
            return value
        }
    }
}

extension Int {
    /// The number of bits in which the number can be written: 0 for 0.
    fileprivate var bitCount: Int { bitWidth - leadingZeroBitCount }
}
