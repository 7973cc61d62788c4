/// The words that ``ImportTrack`` writes where neither the traveller nor the map has any, in the language of the
/// reader.
///
/// Texts that are too long are cut; an import with an empty text throws ``TravelError/invalid(_:)``.
///
/// ```swift
/// struct EnglishWording: TrackWording {
///     let travelTitle = "Recorded trip"
///     func title(of moment: JourneyMoment) -> String { moment.kind == .departure ? "Departure" : "Stop" }
///     func text(of moment: JourneyMoment) -> String { "At \(moment.time)." }
/// }
/// ```
public protocol TrackWording: Sendable {
    /// The title of a travel whose track and file have no name.
    var travelTitle: String { get }

    /// The title of an entry whose place has no name.
    func title(of moment: JourneyMoment) -> String

    /// The text of an entry without a note by the traveller: the data of the track about the moment.
    func text(of moment: JourneyMoment) -> String
}
