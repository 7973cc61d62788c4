public import TravelDomain

/// A wording of imported tracks for tests: the kind of the moment, and its numbers in seconds and metres.
///
/// ```swift
/// PlainTrackWording().text(of: departure)    // "departure, 778 m, 250 m high"
/// ```
public struct PlainTrackWording: TrackWording {
    /// Creates the wording.
    public init() {}

    /// `"a track"`.
    public var travelTitle: String { "a track" }

    /// `"departure"`, `"arrival"`, `"stay"` or `"mark"`.
    public func title(of moment: JourneyMoment) -> String {
        switch moment.kind {
        case .departure: "departure"
        case .arrival: "arrival"
        case .stay: "stay"
        case .mark: "mark"
        }
    }

    /// The title, followed by the numbers that are known, rounded.
    public func text(of moment: JourneyMoment) -> String {
        let numbers = [
            moment.stayed > 0 ? "\(Int(moment.stayed.rounded())) s" : nil,
            moment.distance.map { "\(Int($0.rounded())) m" },
            moment.elevation.map { "\(Int($0.rounded())) m high" },
            moment.isPassed ? nil : "not passed",
        ]
        return ([title(of: moment)] + numbers.compactMap(\.self)).joined(separator: ", ")
    }
}
