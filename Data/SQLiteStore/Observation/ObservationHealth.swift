/// How an observation is doing.
public enum ObservationHealth: Sendable {
    /// Its last fetch went well, or it has not begun.
    case live
    /// The database was busy or locked; the fetch will be tried again.
    case retrying(SQLiteError)
    /// It has ended with this error.
    case failed(any Error)

    /// What a fetch that threw `error` leads to.
    init(_ error: any Error) {
        if let error = error as? SQLiteError, error.code == .busy || error.code == .locked {
            self = .retrying(error)
        } else {
            self = .failed(error)
        }
    }
}
