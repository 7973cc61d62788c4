import Foundation
internal import CInflate

/// Unpacks deflated data by zlib, up to a limit.
enum Inflate {
    /// The content of a gzip file (RFC 1952), with all of its members.
    ///
    /// - Throws: ``TravelFileError`` when it is damaged, or has more than `limit` bytes.
    static func gzip(_ bytes: Data, limit: Int) throws(TravelFileError) -> Data {
        try unpacked(bytes, window: CInflate_gzip, limit: limit)
    }

    /// The content of deflated data (RFC 1951).
    ///
    /// - Throws: ``TravelFileError`` when it is damaged, or has more than `limit` bytes.
    static func raw(_ bytes: Data, limit: Int) throws(TravelFileError) -> Data {
        try unpacked(bytes, window: CInflate_raw, limit: limit)
    }

    /// The CRC-32 of bytes, as in gzip and zip.
    static func checksum(of bytes: Data) -> UInt32 {
        bytes.withUnsafeBytes { bytes in
            // No file is larger than `unsigned int`; an empty one has no address.
            guard let start = bytes.baseAddress else { return 0 }
            return UInt32(
                truncatingIfNeeded: CInflate_crc32(0, start.assumingMemoryBound(to: UInt8.self), UInt32(bytes.count)))
        }
    }

    private static let chunk = 1 << 18

    private static func unpacked(_ bytes: Data, window: Int32, limit: Int) throws(TravelFileError) -> Data {
        var output = Data()
        let fault = bytes.withUnsafeBytes { input -> TravelFileError.Problem? in
            guard let start = input.baseAddress, input.count <= UInt32.max else {
                return .damagedArchive("it is empty")
            }
            var stream = CInflate_stream()
            // The library keeps the address of the stream: all calls are within this one access to it.
            return withUnsafeMutablePointer(to: &stream) { stream in
                // Both pointers lead into `input`, which outlives the calls.
                stream.pointee.next_in = start.assumingMemoryBound(to: UInt8.self)
                stream.pointee.avail_in = UInt32(input.count)
                let size = Int32(MemoryLayout<CInflate_stream>.size)
                guard CInflate_begin(stream, window, CInflate_version, size) == CInflate_ok else {
                    return .damagedArchive("there is no memory to unpack it")
                }
                defer { CInflate_end(stream) }
                return run(stream, isGzip: window == CInflate_gzip, limit: limit, into: &output)
            }
        }
        if let fault { throw TravelFileError(fault) }
        return output
    }

    private static func run(
        _ stream: UnsafeMutablePointer<CInflate_stream>, isGzip: Bool, limit: Int, into output: inout Data
    ) -> TravelFileError.Problem? {
        var buffer = [UInt8](repeating: 0, count: chunk)
        while true {
            let (result, count) = buffer.withUnsafeMutableBufferPointer { buffer in
                // The library writes at most `avail_out` bytes, within this access to the buffer.
                stream.pointee.next_out = buffer.baseAddress
                stream.pointee.avail_out = UInt32(buffer.count)
                let result = CInflate_next(stream, CInflate_noFlush)
                return (result, buffer.count - Int(stream.pointee.avail_out))
            }
            guard output.count + count <= limit else { return .tooLarge(maximumBytes: limit) }
            output.append(contentsOf: buffer[..<count])
            switch result {
            case CInflate_ok: continue
            case CInflate_streamEnd:
                // Another member may follow; what is none, such as zeros of a tape, is ignored, as gzip does.
                guard isGzip, stream.pointee.avail_in > 1, stream.pointee.next_in[0] == 0x1F,
                    stream.pointee.next_in[1] == 0x8B, CInflate_reset(stream) == CInflate_ok
                else { return nil }
            case CInflate_bufferError where stream.pointee.avail_in == 0: return .truncated
            default: return .damagedArchive("its data is not as it was written")
            }
        }
    }
}
