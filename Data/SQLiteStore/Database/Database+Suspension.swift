internal import Dispatch

extension Database {
    /// Lets the accesses under way end, closes every connection, and keeps further accesses waiting until `resume`.
    ///
    /// For an app that the system is about to put to sleep: it ends those that hold a lock on a shared file meanwhile. When
    /// this returns, no file is open and none is locked. Accesses that are begun then wait; they can be cancelled. To
    /// be quick, cancel what takes long first.
    ///
    /// ```swift
    /// await database.suspend()
    /// // … asleep …
    /// await database.resume()
    /// ```
    ///
    /// A database in memory goes on as it was. Snapshots are closed by those who hold them.
    public func suspend() async {
        guard readers !== writer else { return }
        await withCheckedContinuation { continuation in
            // Closing the last connection moves the log into the file: not on a thread that tasks share.
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

    /// Ends a suspension: accesses that have waited are made, and what is observed is fetched again, because others may have
    /// written meanwhile.
    public func resume() async {
        guard readers !== writer else { return }
        writer.resume()
        readers.resume()
        hub.committed(.everything)
    }
}
