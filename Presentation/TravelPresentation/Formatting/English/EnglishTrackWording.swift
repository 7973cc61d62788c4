/// The English words of imported tracks: what an import writes where the traveller has noted nothing.
///
/// ```swift
/// EnglishTrackWording().text(of: arrival)    // "Arrived after 12.3 km. 38 m above sea level."
/// ```
public struct EnglishTrackWording: TrackWording {
    /// Creates the wording, which has no state: all are equal.
    public init() {}

    /// The title of a travel whose track and file have no name.
    public var travelTitle: String { "Recorded trip" }

    /// A word for the kind of moment.
    public func title(of moment: JourneyMoment) -> String {
        switch moment.kind {
        case .departure: "Departure"
        case .arrival: "Arrival"
        case .stay: moment.stayed > 0 ? "Stop" : "On the way"
        case .mark: "Marked place"
        }
    }

    /// The known facts as sentences: duration, distance and elevation.
    public func text(of moment: JourneyMoment) -> String {
        var sentences: [String] = []
        if moment.stayed >= 60 { sentences.append("Stayed for \(Self.duration(moment.stayed)).") }
        switch (moment.kind, moment.distance.map(Self.length)) {
        case (.arrival, let way?): sentences.append("Arrived after \(way).")
        case (_, let way?): sentences.append("\(way) on this day.")
        case (.departure, nil): sentences.append("The first record of this day.")
        case (.arrival, nil): sentences.append("The last record of this day.")
        case (.mark, nil), (.stay, nil):
            if sentences.isEmpty { sentences.append(moment.isPassed ? "Passed here." : "Marked on the map.") }
        }
        if let elevation = moment.elevation, (-500...9_000).contains(elevation) {
            sentences.append("\(Int(elevation.rounded())) m above sea level.")
        }
        return sentences.joined(separator: " ")
    }

    /// `"35 minutes"`, `"1 hour"`, `"2 hours 5 minutes"`.
    private static func duration(_ seconds: Double) -> String {
        let minutes = Int((seconds / 60).rounded())
        func part(_ count: Int, _ unit: String) -> String? {
            count == 0 ? nil : "\(count) \(unit)\(count == 1 ? "" : "s")"
        }
        return [part(minutes / 60, "hour"), part(minutes % 60, "minute")].compactMap(\.self).joined(separator: " ")
    }

    /// `"850 m"`, `"12.3 km"`.
    private static func length(_ metres: Double) -> String {
        if metres < 999.5 { return "\(Int(metres.rounded())) m" }
        let hundreds = Int((metres / 100).rounded())
        return "\(hundreds / 10).\(hundreds % 10) km"
    }
}
