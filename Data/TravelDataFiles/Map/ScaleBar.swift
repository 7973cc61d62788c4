/// The scale bar of a map: a round length, true at the middle latitude.
struct ScaleBar {
    /// The length in metres.
    let metres: Double
    /// The length in units of the drawing.
    let length: Double
    private let height: Double

    init(_ projection: MapProjection) {
        metres = RoundNumber.atMost(160 / projection.scale)
        length = metres * projection.scale
        height = projection.height
    }

    /// `500 m`, `2 km`.
    var label: String {
        metres < 1_000 ? "\(Int(metres.rounded())) m" : "\(Int((metres / 1_000).rounded())) km"
    }

    func write(to xml: inout XMLWriter) {
        let (left, right) = (SVGNumber.text(20), SVGNumber.text(20 + length))
        let (top, bottom) = (SVGNumber.text(height - 26), SVGNumber.text(height - 18))
        xml.line()
        xml.empty("path", ["class": "bar", "d": "M\(left) \(top) V\(bottom) H\(right) V\(top)"])
        xml.element("text", ["x": SVGNumber.text(28 + length), "y": SVGNumber.text(height - 16)], text: label)
    }
}
