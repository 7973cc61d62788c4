internal import DatabaseAccess
internal import Dispatch

extension Database {
    /// Waits for running accesses to end, closes all connections, and keeps later accesses waiting until `resume`.
    ///
    /// Call this before the system suspends the app: the system terminates apps that hold a lock on a shared file while
    /// suspended. When this returns, no file is open and no lock is held. Accesses that begin afterwards wait; they can
    /// be cancelled. To suspend quickly, cancel long accesses first.
    ///
    /// ```swift
    /// await database.suspend()
    /// // … suspended …
    /// await database.resume()
    /// ```
    ///
    /// A database in memory is not affected. Snapshots stay open; close them separately.
    public func suspend() async {
        guard readers !== writer else { return }
        await withCheckedContinuation { continuation in
            // Closing the last connection runs a checkpoint, which must not block a thread of the cooperative pool.
            DispatchQueue.global(qos: .userInitiated).async { [readers, writer, externalChangeMonitor] in
                readers.suspend {
                    let suspendWriter = { @Sendable in writer.suspend { continuation.resume() } }
                    if let externalChangeMonitor {
                        externalChangeMonitor.pause(completion: suspendWriter)
                    } else {
                        suspendWriter()
                    }
                }
            }
        }
    }

    /// Ends a suspension: waiting accesses run, and observed queries are fetched again, because other processes may
    /// have written.
    ///
    /// ```swift
    /// await database.suspend()
    /// await database.resume()    // the accesses that waited run now
    /// ```
    public func resume() async {
        guard readers !== writer else { return }
        writer.resume()
        readers.resume()
        hub.committed(.everything)
    }
}
