#if Server
internal import CZlib
import Foundation

/// Pictures as PNG (Portable Network Graphics, third edition, W3C 2025).
enum PNG {
    /// Returns a file with 8 bits of red, green and blue a pixel; `nil` where there is no memory, or it would be longer than
    /// the pixels.
    ///
    /// - Parameter pixels: Red, green and blue of each pixel, row by row from the top left.
    static func data(of pixels: [UInt8], width: Int, height: Int) -> Data? {
        let row = width * 3
        guard width > 0, height > 0, pixels.count == row * height else { return nil }
        // Each row as its difference from the one above, which is mostly nothing in a drawing: filter 2.
        let filtered = [UInt8](unsafeUninitializedCapacity: (row + 1) * height) { target, count in
            var index = 0
            for y in 0..<height {
                target[index] = y == 0 ? 0 : 2
                index += 1
                for x in y * row..<(y + 1) * row {
                    target[index] = y == 0 ? pixels[x] : pixels[x] &- pixels[x - row]
                    index += 1
                }
            }
            count = index
        }
        guard let compressed = zlibCompressed(filtered, level: 4, format: CZlib_zlib) else { return nil }
        var file = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        file.append(chunk: "IHDR", number(width) + number(height) + [8, 2, 0, 0, 0])
        file.append(chunk: "IDAT", compressed)
        file.append(chunk: "IEND", [])
        return file
    }

    /// Four bytes, the highest first.
    fileprivate static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}

extension Data {
    fileprivate mutating func append(chunk type: String, _ content: [UInt8]) {
        let checked = Array(type.utf8) + content
        append(contentsOf: PNG.number(content.count) + checked)
        // The library reads the bytes during the call.
        append(contentsOf: PNG.number(Int(crc32(0, checked, UInt32(checked.count)))))
    }
}
#endif
