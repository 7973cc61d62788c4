/// The colours of a map, light and dark.
///
/// Colours are written out instead of using variables of CSS, which many programs for SVG do not know.
enum MapStyle {
    /// The number of colours for days; further days repeat them with dashed lines.
    static let dayCount = 8

    /// The class of the day at `index`: its colour, and dashes where the colour was used before.
    static func dayClass(_ index: Int) -> String {
        "d\(index % dayCount)" + (index / dayCount % 2 == 1 ? " dashed" : "")
    }

    /// The style sheet; every rule is confined to a map.
    static let css = """
        .tlmap{font-family:system-ui,-apple-system,"Apple SD Gothic Neo","Noto Sans KR","Malgun Gothic",sans-serif}
        .tlmap text{unicode-bidi:isolate;font-size:14px}
        .tlmap .small{font-size:11px}
        .tlmap .num{font-size:12px;font-weight:700;text-anchor:middle}
        .tlmap .head{font-weight:700}
        .tlmap .line{fill:none;stroke-width:3;stroke-linejoin:round;stroke-linecap:round;opacity:.75}
        .tlmap .way{fill:none;stroke-width:3;stroke-linejoin:round;stroke-linecap:round}
        .tlmap .dashed .line{stroke-dasharray:8 7}
        .tlmap .grid{stroke-width:1}
        .tlmap .bar{fill:none;stroke-width:2}
        .tlmap .mark{stroke-width:2}
        \(rules(light))
        @media (prefers-color-scheme:dark){
        \(rules(dark))
        }
        """

    private struct Palette {
        let paper: String, ink: String, soft: String, grid: String, number: String
        let days: [String]
    }

    // Each colour has a contrast of at least 4.5 to the number on it (WCAG 2.2, 1.4.3).
    private static let light = Palette(
        paper: "#fbfaf6", ink: "#1f2328", soft: "#5f646b", grid: "#e3dfd3", number: "#ffffff",
        days: ["#0b62b8", "#b93c0b", "#137a3a", "#8a2be2", "#be123c", "#0e6f8a", "#8f5a06", "#475569"])
    private static let dark = Palette(
        paper: "#171b20", ink: "#e8eaed", soft: "#a2a8b0", grid: "#2c323a", number: "#101317",
        days: ["#6cb2ff", "#ff9a5c", "#57d98a", "#cfa0ff", "#ff8098", "#3cd0e6", "#f2c94c", "#a9b6c6"])

    private static func rules(_ palette: Palette) -> String {
        var rules = [
            ".tlmap .paper{fill:\(palette.paper)}", ".tlmap text{fill:\(palette.ink)}",
            ".tlmap .small{fill:\(palette.soft)}", ".tlmap .grid{stroke:\(palette.grid)}",
            ".tlmap .bar{stroke:\(palette.ink)}", ".tlmap .mark{stroke:\(palette.paper)}",
            ".tlmap .way{stroke:\(palette.soft)}", ".tlmap .num{fill:\(palette.number)}",
        ]
        for (index, color) in palette.days.enumerated() {
            rules.append(
                ".tlmap .d\(index) .line{stroke:\(color)}.tlmap .d\(index) .mark{fill:\(color)}.tlmap .d\(index) .key{fill:\(color)}"
            )
        }
        return rules.joined(separator: "\n")
    }
}
