import Foundation

/// Reads files of a limited size.
enum FileContents {
    /// Reads the whole file at `url`, which may also be a pipe.
    ///
    /// Stops as soon as more than `limit` bytes have arrived, so that an endless source cannot fill the memory.
    static func data(at url: URL, limit: Int) throws(TravelFileError) -> Data {
        var data = Data()
        do {
            let file = try FileHandle(forReadingFrom: url)
            while data.count <= limit, let more = try file.read(upToCount: 1 << 20), !more.isEmpty {
                data.append(more)
            }
        } catch {
            throw TravelFileError(.unreadable(GPXSource.reason(for: error)))
        }
        return data
    }
}
