import TravelDataFiles
import TravelDomain
import TravelPresentation

/// The use cases of the commands, with the repositories of the database.
extension App {
    var showTravel: ShowTravel { ShowTravel(travels: store, session: session) }
    var searchTravels: SearchTravels { SearchTravels(travels: store, session: session) }
    var recordTravel: RecordTravel { RecordTravel(travels: store, users: store, session: session, now: now) }
    var editTravel: EditTravel { EditTravel(travels: store, session: session, now: now) }
    var saveEntry: SaveEntry { SaveEntry(travels: store, session: session, now: now) }
    var deleteEntry: DeleteEntry { DeleteEntry(travels: store, session: session, now: now) }
    var deleteTravel: DeleteTravel { DeleteTravel(travels: store, session: session) }
    var likeTravel: LikeTravel { LikeTravel(travels: store, session: session) }
    var importTrack: ImportTrack {
        let wording: any TrackWording = language == .korean ? KoreanTrackWording() : EnglishTrackWording()
        return ImportTrack(
            travels: store, users: store, places: places, session: session, wording: wording,
            zones: SystemTimeZones.shared, now: now)
    }
    var searchPlaces: SearchPlaces { SearchPlaces(places: places) }
}
