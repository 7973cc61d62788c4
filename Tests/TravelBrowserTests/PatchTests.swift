import Foundation
import Testing
import TravelDomainTesting

@testable import TravelBrowser
@testable import TravelPages

@Suite("Patches of pages")
struct PatchTests {
    /// What a browser has: the parts of a page, put in the places that mark them.
    private struct Browser {
        var parts: [String: String] = [:]

        mutating func apply(_ patch: [HTML.Part]) { for part in patch { parts[part.id] = part.source } }

        func source(of id: String) throws -> String {
            let mark = try Regex("<page-part ref=\"([^\"]*)\"></page-part>")
            return try #require(parts[id]).replacing(mark) { match in
                (try? source(of: String(match[1].substring ?? ""))) ?? "missing"
            }
        }
    }

    /// A random page: lists of lists with and without IDs, whose items come, go, move and change.
    private static func page(_ random: inout SeededGenerator, depth: Int = 0, ids: inout [Int]) -> HTML {
        let count = Int.random(in: 0...4, using: &random)
        var content = HTML()
        for _ in 0..<count where depth < 4 {
            switch Int.random(in: 0...3, using: &random) {
            case 0: content += HTML(text: ["a < b", "\"", "서울", ""].randomElement(using: &random) ?? "")
            case 1: content += HTML("p", ["class": "x"]) { page(&random, depth: depth + 1, ids: &ids) }
            case 2: content += HTML("br")
            default:
                guard let id = ids.popLast() else { continue }
                content += HTML("div", ["id": "part-\(id)"]) { page(&random, depth: depth + 1, ids: &ids) }
            }
        }
        return content
    }

    @Test("the parts that have changed make of a page the next one, whatever comes, goes or moves", arguments: 1...200)
    func parts(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var browser = Browser()
        var known: [String: String] = [:]
        for _ in 1...5 {
            var ids = Array(1...12).shuffled(using: &random)
            let page = HTML("main", ["id": "page"]) { Self.page(&random, ids: &ids) }
            let parts = page.parts
            #expect(Set(parts.map(\.id)).count == parts.count)
            browser.apply(parts.filter { known[$0.id] != $0.source })
            known = Dictionary(uniqueKeysWithValues: parts.map { ($0.id, $0.source) })
            #expect(try browser.source(of: "page") == page.text)
        }
    }

    @Test("a drawing is one piece, and what stands outside of every ID is no part")
    func drawings() {
        let page = HTML("p") {
            "before"
            HTML("section", ["id": "map"]) {
                HTML("svg", ["id": "drawing"]) { HTML("path", ["id": "coast", "d": "M0 0"]) }
            }
        }
        #expect(page.parts.map(\.id) == ["map"])
        #expect(
            page.parts.first?.source
                == "<section id=\"map\"><svg id=\"drawing\"><path id=\"coast\" d=\"M0 0\" /></svg></section>")
    }

    @Test("a patch is JSON in one line, whatever its texts are")
    func json() throws {
        let texts = ["a\n\"b\\", "\u{2028}\u{0}</script>", "서울 🏝️"]
        let pieces = texts.map { text in HTML("p", ["id": text]) { text } }
        let patch = PagePatch(
            version: 7, lastInput: 3, title: texts[0], address: "/app/?a=\"b", parts: pieces.flatMap(\.parts))
        #expect(!patch.json.contains(UInt8(ascii: "\n")))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(patch.json)) as? [String: Any])
        #expect(object["version"] as? Int == 7 && object["input"] as? Int == 3)
        #expect(object["title"] as? String == texts[0] && object["address"] as? String == "/app/?a=\"b")
        #expect(object["parts"] as? [[String]] == zip(texts, pieces).map { [$0, $1.text] })
    }
}
