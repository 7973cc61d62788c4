public import Foundation

/// Reads travels in the JSON format of traveline, which ``TravelJSONWriter`` describes: all travels of a file or none.
///
/// ```swift
/// let travels = try TravelJSONReader().travels(at: URL(fileURLWithPath: "부산 밤바다.json"))
/// travels[0].travel.timeline.count
/// ```
///
/// Every value is checked by the rules of the domain, and every image of a travel has to be in the file. Unknown keys
/// are ignored, so that a file of a later edition of the same version can be read.
public struct TravelJSONReader: Sendable {
    private let maximumSize: Int

    /// Creates a reader of files with at most `maximumSize` bytes.
    public init(maximumSize: Int = TravelJSONWriter.maximumSize) {
        self.maximumSize = maximumSize
    }

    /// Returns the travels in the file at `url`, in their order.
    ///
    /// - Throws: ``TravelFileError`` with the problem, its place in the file, and the remedy.
    public func travels(at url: URL) throws(TravelFileError) -> [ExportedTravel] {
        try travels(in: FileContents.data(at: url, limit: maximumSize))
    }

    /// Returns the travels in a file that is in memory already, in their order.
    ///
    /// - Throws: ``TravelFileError`` with the problem, its place in the file, and the remedy.
    public func travels(in data: Data) throws(TravelFileError) -> [ExportedTravel] {
        try JSONText(data, limit: maximumSize).decode(TravelDocument.self).travels
    }
}
