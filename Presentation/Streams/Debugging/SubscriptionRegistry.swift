#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The registry of live subscriptions. Used in debug builds only.
@usableFromInline
enum SubscriptionRegistry {
    /// A run of operators that share one chain.
    struct Record: Sendable {
        let number: Int
        var operators: [StaticString] = []
        var place: String?
        /// The location of the code that subscribed to the stream that contains this part, if known.
        var root: String?
        /// The number of the downstream record: that of the chain that was being connected when this one was created.
        let subscriber: Int?
        let scopes: [SubscriptionScope]
        /// Functions that count the pending events.
        var queues: [@Sendable () -> Int] = []
    }

    private struct State: Sendable {
        var records: [ObjectIdentifier: Record] = [:]
        var nextNumber = 0

        /// The record of the chain; created if there is none.
        subscript(_ chain: Chain, below subscriber: Chain?) -> Record {
            get {
                if let record = records[ObjectIdentifier(chain)] { return record }
                let below = subscriber.flatMap { records[ObjectIdentifier($0)] }
                let scopes = SubscriptionScope.current
                return Record(
                    number: nextNumber + 1, root: below?.root, subscriber: below?.number,
                    scopes: scopes.isEmpty ? below?.scopes ?? [] : scopes)
            }
            set {
                records[ObjectIdentifier(chain)] = newValue
                nextNumber = max(nextNumber, newValue.number)
            }
        }
    }

    private static let state = Mutex(State())

    /// The chain that this thread is connecting, if any: chains that are connected meanwhile are its sources.
    private static let connecting: pthread_key_t = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key, nil)
        precondition(status == 0, "no thread-specific data left: the process uses more than PTHREAD_KEYS_MAX keys")
        return key
    }()

    static var records: [Record] { state.withLock { Array($0.records.values) } }

    /// Records the location of the code that makes a subscription.
    @usableFromInline
    static func record(_ chain: Chain, _ file: StaticString, _ line: UInt) {
        let place = "\(file):\(line)"
        SubscriptionLog.append("subscribe, at \(place)")
        state.withLock { state in
            var record = state[chain, below: nil]
            record.place = place
            record.root = place
            state[chain, below: nil] = record
        }
    }

    /// Records that the chain is about to be connected to an operator.
    ///
    /// - Returns: The argument for the matching call of ``end(_:)``.
    @usableFromInline
    static func begin(_ chain: Chain, _ name: StaticString) -> UnsafeMutableRawPointer? {
        let outer = enter(chain)
        SubscriptionLog.append(name.description)
        if !chain.isDisposed {
            let subscriber = outer.map { Unmanaged<Chain>.fromOpaque($0).takeUnretainedValue() }
            state.withLock { $0[chain, below: subscriber === chain ? nil : subscriber].operators.append(name) }
            if chain.isDisposed { forget(chain) }
        }
        return outer
    }

    /// Records a function that counts the pending events of the chain's operators.
    @usableFromInline
    static func record(_ chain: Chain, queue: @escaping @Sendable () -> Int) {
        state.withLock { $0.records[ObjectIdentifier(chain)]?.queues.append(queue) }
    }

    /// Marks the following work of this thread as done for the chain.
    ///
    /// - Returns: The argument for the matching call of ``end(_:)``.
    @usableFromInline
    static func enter(_ chain: Chain?) -> UnsafeMutableRawPointer? {
        let outer = pthread_getspecific(connecting)
        _ = pthread_setspecific(connecting, chain.map { Unmanaged.passUnretained($0).toOpaque() })
        return outer
    }

    /// The chain for which this thread is working.
    static var currentChain: Chain? {
        pthread_getspecific(connecting).map { Unmanaged<Chain>.fromOpaque($0).takeUnretainedValue() }
    }

    /// A description of the operators for which this thread is working, and of the subscribing code.
    static var currentOrigin: String? {
        guard let chain = currentChain else { return nil }
        let record = state.withLock { $0.records[ObjectIdentifier(chain)] }
        guard let record else { return nil }
        let operators = record.operators.map(\.description).joined(separator: " < ")
        return operators + (record.root.map { ", subscribed at \($0)" } ?? "")
    }

    /// Ends the work that a call of `begin` or `enter` marked.
    @usableFromInline
    static func end(_ outer: UnsafeMutableRawPointer?) {
        _ = pthread_setspecific(connecting, outer)
    }

    /// Removes the record of a chain that has terminated or was deallocated.
    static func forget(_ chain: Chain) {
        let forgotten = state.withLock { $0.records.removeValue(forKey: ObjectIdentifier(chain)) }
        withExtendedLifetime(forgotten) {}  // may hold scopes, which are released after the lock
    }
}
