import Foundation
import Testing
import TravelDomainTesting
import TravelFileSamples
import TravelPages

@Suite("HTML")
struct HTMLTests {
    @Test("elements are closed, attributes without a value are omitted, and pieces follow one another")
    func elements() {
        let (number, words): (Int?, [String]) = (nil, ["a", "b"])
        let piece = HTML("p", ["class": "note", "id": number.map { "n\($0)" }]) {
            "x"
            HTML("br")
            for word in words { HTML("b") { word } }
            if let number { "\(number)" } else { HTML("span") }
        }
        #expect(piece.text == #"<p class="note">x<br /><b>a</b><b>b</b><span></span></p>"#)
        #expect(HTML().text == "" && HTML(text: "").text == "")
        let shapes = HTML("svg") {
            HTML("rect", ["width": "1"])
            HTML("path") { HTML("title") { "a" } }
        }
        #expect(shapes.text == #"<svg><rect width="1" /><path><title>a</title></path></svg>"#)
    }

    @Test(
        "what markup is made of is escaped, in texts and in attributes",
        arguments: [
            ("<script>", "&lt;script&gt;", "&lt;script&gt;"),
            ("a & \"b\" 'c'", "a &amp; &quot;b&quot; &#39;c&#39;", nil),
            ("a\r\nb\tc", "a&#13;\nb\tc", "a&#13;&#10;b&#9;c"),
            ("\u{0}\u{1F}\u{FFFE}\u{FFFF}", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}", nil),
            ("&amp;", "&amp;amp;", nil), ("\u{FEFF}가e\u{301}👩‍👩‍👧", "\u{FEFF}가e\u{301}👩‍👩‍👧", nil),
        ] as [(String, String, String?)])
    func escaping(text: String, content: String, attribute: String?) {
        #expect(Array(HTML(text: text).text.utf8) == Array(content.utf8))
        let element = HTML("a", ["title": text])
        #expect(Array(element.text.utf8) == Array("<a title=\"\(attribute ?? content)\"></a>".utf8))
    }

    @Test("random texts are what a parser reads, wherever they stand", arguments: 0..<20 as Range<UInt64>)
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let parts = [
            "<", ">", "&", "\"", "'", "a", " ", "\n", "\t", "\r", "\u{85}", "\u{2028}", "]]>", "<!--", "-->", "가", "🏝️",
            "\u{FFFE}",
        ]
        func text() -> String {
            (0..<Int.random(in: 0...12, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
        }
        let pairs = (0..<100).map { _ in (text(), text()) }
        let document = HTML("list") {
            for (value, content) in pairs { HTML("item", ["value": value]) { content } }
        }.document(.svg)
        let parsed = CheckedXML(document)
        #expect(parsed.error == nil)
        #expect(parsed.all("item").map { $0.attributes["value"] ?? "" } == pairs.map { xmlText($0.0) })
        #expect(parsed.all("item").map(\.text) == pairs.map { xmlText($0.1) })
    }

    @Test("a style sheet is written as its literals say, and joins others")
    func styles() {
        let ink: CSS = "#123"
        let rule: CSS = "a>b{color:\(ink);margin:\(2)px}"
        #expect(HTML.style(CSS(lines: [rule, "c{}"])).text == "<style>a>b{color:#123;margin:2px}\nc{}</style>")
    }

    @Test("a document begins with its kind, and ends with a line break")
    func documents() {
        #expect(String(decoding: HTML("html").document(.html), as: UTF8.self) == "<!DOCTYPE html>\n<html></html>\n")
        #expect(
            String(decoding: HTML("svg").document(.svg), as: UTF8.self)
                == "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg></svg>\n")
    }

    @Test("an element that has no content cannot be given any")
    func contentOfEmptyElements() async {
        await #expect(processExitsWith: .failure) { _ = HTML("br") { "x" } }
    }

    @Test("facts are read with dots between them")
    func facts() {
        let facts = HTML.facts([HTML(text: "<a>"), HTML("bdi") { "b" }])
        #expect(facts.text == "<p class=\"parts\"><span>&lt;a&gt;</span><span><i> · </i><bdi>b</bdi></span></p>")
        #expect(HTML.facts([HTML(text: "a")]).text == "<p class=\"parts\"><span>a</span></p>")
    }
}
