import Foundation
import TravelDataFiles
import TravelDomain
import TravelPresentation

/// A file format for trips.
enum ExportFormat: String, CaseIterable, Sendable {
    case json, geojson, gpx, svg, html

    /// The format for the extension of a file name.
    init?(ofFileAt path: String) {
        let ending = URL(fileURLWithPath: path).pathExtension.lowercased()
        self.init(rawValue: ending == "htm" ? "html" : ending)
    }

    /// Whether a file can hold several trips.
    var holdsSeveral: Bool { self == .json }

    /// The file. `omitted` is called for each image that should be in it, and cannot.
    func data(
        for travels: [ExportedTravel], in language: Language, omitted: (TravelImage) -> Void
    ) throws -> Data {
        let labels: PageLanguage = language == .korean ? .korean : .english
        let travel = travels[0].travel
        return switch self {
        case .json: try TravelJSONWriter().data(for: travels)
        case .geojson: try GeoJSONWriter().data(for: travel)
        case .gpx: GPXWriter(zones: SystemTimeZones.shared).data(for: travel)
        case .svg: MapWriter(language: labels).data(for: travel)
        case .html:
            PageWriter(language: labels).data(
                for: travels[0], facts: TripText.traits(of: travel.content, in: language), omitted: omitted)
        }
    }
}
