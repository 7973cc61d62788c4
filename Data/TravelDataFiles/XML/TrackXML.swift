import Foundation
import TravelDomain

/// Walks through the elements that a format of tracks has, and passes over all others with their content.
///
/// The formats that use it are found by the names of their elements, whatever the namespace: programs declare many.
struct TrackXML<Element: Sendable> {
    enum Event {
        case start(Element, XMLReader.Element)
        /// The end of an element, with its text if it has some.
        case end(Element, text: String)
    }

    private var xml: XMLReader
    private(set) var open: [Element] = []
    private var depthPassedOver = 0
    private let child: (Element?, String) -> Element?
    private let isText: (Element) -> Bool
    private let refusal: (String) -> TravelFileError.Problem

    /// - Parameters:
    ///   - longestText: The number of bytes after which the rest of a text is left out.
    ///   - child: The element with that name in another one, or at the root.
    ///   - isText: Whether the text of an element counts.
    ///   - refusal: The problem of a file that is something else, in words.
    init(
        longestText: Int, child: @escaping (Element?, String) -> Element?, isText: @escaping (Element) -> Bool,
        refusal: @escaping (String) -> TravelFileError.Problem,
        read: @escaping () throws(XMLDecoder.Failure) -> Data?
    ) throws(TravelFileError) {
        (self.child, self.isText, self.refusal) = (child, isText, refusal)
        xml = try XMLReader(read: read)
        xml.longestText = longestText
    }

    /// The next element that the format has; `nil` at the end of the file.
    mutating func next() throws(TravelFileError) -> Event? {
        while let event = try nextOfAny() {
            switch event {
            case .start(let element):
                let known = depthPassedOver == 0 ? child(open.last, element.name) : nil
                guard let known else {
                    if open.isEmpty { throw TravelFileError(refusal(Self.form(ofRoot: element.name))) }
                    depthPassedOver += 1
                    xml.collectsText = false
                    continue
                }
                open.append(known)
                xml.text.removeAll(keepingCapacity: true)
                xml.collectsText = isText(known)
                return .start(known, element)
            case .end:
                if depthPassedOver > 0 {
                    depthPassedOver -= 1
                    xml.collectsText = depthPassedOver == 0 && open.last.map(isText) == true
                    continue
                }
                guard let element = open.popLast() else { continue }
                let text = isText(element) ? String(decoding: xml.text, as: UTF8.self).trimmed : ""
                xml.collectsText = open.last.map(isText) == true
                return .end(element, text: text)
            }
        }
        return nil
    }

    func fault(_ problem: TravelFileError.Problem) -> TravelFileError {
        TravelFileError(problem, at: .line(xml.line))
    }

    private mutating func nextOfAny() throws(TravelFileError) -> XMLReader.Event? {
        do throws(TravelFileError) {
            return try xml.next()
        } catch {
            if let form = GPXDocument.foreignForm(ofBytes: xml.head) { throw TravelFileError(refusal(form)) }
            if case .notGPX(let form) = error.problem { throw TravelFileError(refusal(form), at: error.place) }
            throw error
        }
    }

    private static func form(ofRoot name: String) -> String {
        name == "gpx" ? "a GPX file" : GPXDocument.foreignForm(ofRoot: name) ?? "XML of another kind"
    }
}
