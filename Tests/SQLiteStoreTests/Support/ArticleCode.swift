import Foundation
import Testing

/// Expects each code block of an article of the module in a source file, with any indentation.
func expectCode(of article: String, inSource path: String) throws {
    let articles = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../Data/SQLiteStore/SQLiteStore.docc")
    let source = unindented(try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8))
    let blocks = try String(contentsOf: articles.appendingPathComponent("\(article).md"), encoding: .utf8)
        .components(separatedBy: "```swift\n").dropFirst()
    #expect(!blocks.isEmpty)
    for block in blocks.map({ $0.components(separatedBy: "```")[0] }) {
        #expect(source.contains(unindented(block)), "\(block)")
    }
}

private func unindented(_ text: String) -> String {
    text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n")
}
