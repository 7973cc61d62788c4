import Foundation

/// Meridians and parallels with their degrees, for orientation without a network.
struct MapGrid {
    private let projection: MapProjection
    /// The distance of two lines in degrees.
    private let step: Double

    init(_ projection: MapProjection) {
        self.projection = projection
        let degrees = min(
            projection.width / projection.unitsADegree.across, projection.height / projection.unitsADegree.down)
        step = RoundNumber.atLeast(min(degrees / 4, 30))
    }

    func write(to xml: inout XMLWriter) {
        let units = projection.unitsADegree
        let (width, height) = (projection.width, projection.height)
        let west = projection.middle.longitude - width / 2 / units.across
        let east = projection.middle.longitude + width / 2 / units.across
        let south = max(projection.middle.latitude - height / 2 / units.down, -90)
        let north = min(projection.middle.latitude + height / 2 / units.down, 90)
        xml.line()
        for longitude in lines(from: west, to: east) {
            let x = SVGNumber.text(projection.x(ofLongitude: longitude))
            xml.empty("path", ["class": "grid", "d": "M\(x) 0 V\(SVGNumber.text(height))"])
            xml.element("text", ["class": "small", "x": x, "y": "14", "dx": "3"], text: meridian(longitude))
        }
        for latitude in lines(from: south, to: north) {
            let y = SVGNumber.text(projection.y(ofLatitude: latitude))
            xml.empty("path", ["class": "grid", "d": "M0 \(y) H\(SVGNumber.text(width))"])
            // On the right, because the scale bar is on the left.
            xml.element(
                "text",
                ["class": "small", "x": SVGNumber.text(width - 4), "y": y, "dy": "-3", "text-anchor": "end"],
                text: parallel(latitude))
        }
    }

    private func lines(from low: Double, to high: Double) -> [Double] {
        let first = (low / step).rounded(.up)
        let last = (high / step).rounded(.down)
        // Near the poles degrees of longitude are narrow: limits the lines to those that are distinguishable.
        guard last >= first, last - first <= 40 else { return [] }
        return (0...Int(last - first)).map { (first + Double($0)) * step }
    }

    private func meridian(_ longitude: Double) -> String {
        let wrapped = longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
        return degrees(wrapped) + (wrapped < 0 ? "W" : "E")
    }

    private func parallel(_ latitude: Double) -> String {
        degrees(latitude) + (latitude < 0 ? "S" : "N")
    }

    /// As many decimals as the step has.
    private func degrees(_ value: Double) -> String {
        let decimals = max(0, Int((-log10(step)).rounded(.up)))
        let unit = pow(10, Double(decimals))
        let scaled = Int((abs(value) * unit).rounded())
        if decimals == 0 { return "\(scaled)°" }
        let digits = String(scaled)
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        return "\(padded.dropLast(decimals)).\(padded.suffix(decimals))°"
    }
}
