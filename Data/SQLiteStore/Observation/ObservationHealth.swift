/// The health of an observation.
///
/// ```swift
/// switch cities.health {
/// case .live: hideBanner()
/// case .retrying: showBanner("The database is busy")
/// case .failed(let error): showBanner("\(error)")
/// }
/// ```
public enum ObservationHealth: Sendable {
    /// The last fetch succeeded, or there was none yet.
    case live
    /// The database was busy or locked; the fetch is retried.
    case retrying(SQLiteError)
    /// The observation has failed with this error.
    case failed(any Error)
}
