public import Foundation

/// Draws a travel as a map in one SVG file (Scalable Vector Graphics 2), which every browser opens.
///
/// ```swift
/// let file = MapWriter(language: .korean).data(for: travel)
/// try file.write(to: URL(fileURLWithPath: "부산 밤바다.svg"))
/// ```
///
/// - **Stops** are the entries with a place; each has the number of its entry in the timeline. Stops that are too close together
///   share a marker with all their numbers: `1–3, 7`.
/// - **Days** have a colour and a line each, and a legend lists them. After eight days the colours repeat, with dashed
///   lines.
/// - **Scale**: a bar shows a round length, true at the middle latitude. Meridians and parallels give orientation.
///   North is up. A travel across the 180th meridian is drawn in one piece.
/// - **Light and dark** follow the reader's settings, by a media query.
///
/// The file refers to no other file and no network address, and contains no script.
public struct MapWriter: Sendable {
    private let language: PageLanguage

    /// Creates a writer with labels in that language.
    public init(language: PageLanguage = .english) {
        self.language = language
    }

    /// Returns a file with the map of `travel`, in UTF-8: the same travel always has the same bytes.
    ///
    /// A travel without any place gets a drawing that says so.
    public func data(for travel: RecordedTravel) -> Data {
        var xml = XMLWriter()
        xml.markup("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        MapDrawing(of: travel, in: language, for: .file).write(to: &xml)
        xml.line()
        return Data(xml.output.utf8)
    }
}
