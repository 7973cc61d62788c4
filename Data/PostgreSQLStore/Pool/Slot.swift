#if PostgreSQL
    /// One of the connections of a pool, opened on first use, and again after it was lost.
    ///
    /// `@unchecked Sendable`: a slot is used only by its thread; `interruption` is constant and `Sendable`.
    final class Slot: @unchecked Sendable {
        let interruption = Interruption()
        private let opener: ConnectionOpener
        private var opened: Connection?
        private var randomState: UInt64

        /// Creates a slot; `number` distinguishes it from others.
        init(opener: ConnectionOpener, number: Int) {
            self.opener = opener
            // Also different in other processes.
            randomState = UInt64(truncatingIfNeeded: MonotonicClock.now()) &+ UInt64(truncatingIfNeeded: number)
        }

        /// Returns the next number of the generator SplitMix64.
        func nextRandom() -> UInt64 {
            randomState &+= 0x9E37_79B9_7F4A_7C15
            var number = randomState
            number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
            number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
            return number ^ (number >> 31)
        }

        /// Returns the connection; a new one if the last was lost.
        func connection() throws -> Connection {
            if let opened, opened.isUsable { return opened }
            close()
            let connection = try opener.open(interruption)
            opened = connection
            return connection
        }

        /// Closes the connection.
        func close() {
            interruption.connect(to: nil)
            opened = nil
        }
    }
#endif
