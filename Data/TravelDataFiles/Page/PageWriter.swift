public import Foundation

/// Writes a travel as one self-contained HTML page for people: the timeline by day, with its images and a map.
///
/// ```swift
/// let file = PageWriter(language: .korean).data(for: exported, facts: ["부산", "1박 2일", "2인"])
/// try file.write(to: URL(fileURLWithPath: "부산 밤바다.html"))
/// ```
///
/// The page needs nothing besides its file: images are part of it (`data:` addresses), the map is inline SVG, and there
/// is no script and no address on a network; a content security policy in the page forbids both. It is readable on a
/// phone, follows the reader's light or dark setting, and has a style for printing. It is HTML that is also well-formed
/// XML.
///
/// What the traveller wrote appears as text, whatever it contains, each piece with a direction of its own.
///
/// Images look as they do in the travel, and say nothing else: the place and the time of a photo, its camera, comments,
/// thumbnails and the film of a motion photo are left out. JPEG, PNG, GIF and WebP are embedded. HEIC and AVIF become
/// JPEG on Apple platforms; elsewhere they are not in the page, and neither are damaged images. ``TravelJSONWriter``
/// keeps every image exactly.
public struct PageWriter: Sendable {
    private let language: PageLanguage

    /// Creates a writer with labels in that language.
    public init(language: PageLanguage = .english) {
        self.language = language
    }

    /// Returns a page with `exported`, in UTF-8: the same travel always has the same bytes.
    ///
    /// - Parameters:
    ///   - exported: The travel with its images.
    ///   - facts: The lines below the title, in the language of the reader: region, themes and so on. This module knows
    ///     no names for them; `TravelPresentation` does.
    ///   - omitted: Called for each image that is not in the page, because it is damaged or its format has no place in
    ///     one.
    public func data(
        for exported: ExportedTravel, facts: [String] = [], omitted: (TravelImage) -> Void = { _ in }
    ) -> Data {
        var xml = XMLWriter()
        xml.markup("<!DOCTYPE html>\n")
        xml.element("html", ["lang": language.tag, "xmlns": "http://www.w3.org/1999/xhtml"]) { xml in
            xml.line()
            xml.element("head") { head(of: exported.travel, &$0) }
            xml.line()
            withoutActuallyEscaping(omitted) { omitted in
                let body = PageBody(exported, facts: facts, in: language, omitted: omitted)
                xml.element("body") { body.write(to: &$0) }
            }
            xml.line()
        }
        xml.line()
        return Data(xml.output.utf8)
    }

    private func head(of travel: RecordedTravel, _ xml: inout XMLWriter) {
        let metadata: [XMLWriter.Attributes] = [
            ["charset": "utf-8"], ["name": "viewport", "content": "width=device-width, initial-scale=1"],
            [
                "http-equiv": "Content-Security-Policy",
                "content": "default-src 'none'; img-src data:; style-src 'unsafe-inline'",
            ],
            ["name": "color-scheme", "content": "light dark"], ["name": "generator", "content": "traveline"],
        ]
        for attributes in metadata {
            xml.line()
            xml.empty("meta", attributes)
        }
        xml.line()
        xml.element("title", text: travel.content.title.text)
        xml.line()
        xml.element("style") { $0.markup("\n\(PageStyle.css)\n") }
        xml.line()
    }
}
