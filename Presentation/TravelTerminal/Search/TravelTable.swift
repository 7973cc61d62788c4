import TravelPresentation

/// Travels as lines with aligned columns.
struct TravelTable {
    private let lines: [[String]]

    init(_ rows: [TravelRow]) {
        lines = rows.map { row in
            ["\(row.travel.likeCount)", row.title, row.summary, row.dates, row.author].map(\.terminalSafe)
        }
    }

    /// The lines, each with a trailing line break.
    var text: String {
        guard let columns = lines.first?.count else { return "" }
        let widths = (0..<columns).map { column in lines.map { $0[column].displayWidth }.max() ?? 0 }
        return lines.map { cells in
            let likes = String(repeating: " ", count: widths[0] - cells[0].displayWidth) + cells[0]
            let middle = (1..<columns - 1).map { cells[$0].padded(toWidth: widths[$0]) }
            return (["♥ \(likes)"] + middle + [cells[columns - 1]]).joined(separator: "  ") + "\n"
        }.joined()
    }
}
