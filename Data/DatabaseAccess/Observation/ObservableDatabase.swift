/// A database that can be observed.
///
/// Neither this protocol nor the code that a commit calls is generic: other modules run generic code of this one
/// unspecialized, which delays every value.
package protocol ObservableDatabase: AnyObject, Sendable {
    var hub: ObservationHub { get }
    var clock: AnyClock { get }
    /// The connections on which observations fetch.
    var fetchPool: ConnectionPool { get }

    /// Called when an observer has been added: from now on the database reports its commits to `hub`.
    func observerAdded()
    /// Called when an observer has been removed.
    func observerRemoved()
    /// Waits until the database reports all commits after this call to `hub`; throws if it cannot.
    func prepareFetch(isolation: isolated (any Actor)?) async throws
    /// Returns whether a fetch that threw `error` is retried; otherwise the observation fails.
    func isTemporary(_ error: any Error) -> Bool
}

extension ObservableDatabase {
    /// Throws an error for `nested` if the thread is within an access to the database.
    package func checkNoAccess() throws {
        try CurrentAccess.check(hub, orThrow: fetchPool.error)
    }
}

/// The result of a fetch, and the region that it read.
package struct Fetched<Value: Sendable>: Sendable {
    let value: Value
    let region: Region

    package init(value: Value, region: Region) {
        (self.value, self.region) = (value, region)
    }
}

/// The health of an observation; the libraries declare their own, with the type of their errors.
package enum QueryHealth: Sendable {
    case live
    case retrying(any Error)
    case failed(any Error)

    /// Returns whether the other health is in the same phase.
    func hasPhase(of other: QueryHealth) -> Bool {
        switch (self, other) {
        case (.live, .live), (.retrying, .retrying), (.failed, .failed): true
        default: false
        }
    }
}
