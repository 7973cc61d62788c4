import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The number of live objects of this module: streams, subjects, disposables and the objects of subscriptions.
///
/// Counted in debug builds only, for the whole process; 0 in release builds. If closing a screen leaves the count
/// higher than before, the screen has leaked; ``LiveSubscriptions`` shows the subscriptions.
///
/// ```swift
/// let before = Resources.total
/// autoreleasepool { openAndCloseScreen() }
/// assert(Resources.total == before)
/// ```
public struct Resources {
    private static let count = Atomic<Int32>(0)

    public static var total: Int32 { count.load(ordering: .relaxed) }

    /// Counts the creation of one of your own objects.
    ///
    /// - Returns: The new total.
    @discardableResult
    public static func incrementTotal() -> Int32 { count.add(1, ordering: .relaxed).newValue }

    /// Counts the deallocation of one of your own objects.
    ///
    /// - Returns: The new total.
    @discardableResult
    public static func decrementTotal() -> Int32 { count.subtract(1, ordering: .relaxed).newValue }
}

extension Resources {
    /// A stored property of this type counts the object that contains it. Without size, and without effect in release
    /// builds.
    @usableFromInline
    struct Counted: ~Copyable, Sendable {
        #if DEBUG
        @usableFromInline
        init() { Resources.incrementTotal() }

        deinit { Resources.decrementTotal() }
        #else
        @inlinable
        init() {}
        #endif
    }
}

/// The registry of live subscriptions. Used in debug builds only.
@usableFromInline
enum SubscriptionRegistry {
    /// Consecutive operators that share one chain.
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

/// Records, in debug builds, each subscription that some code makes, including terminated ones, each `do`, and each event
/// that it sends to a subject: for assertions of the test kits.
@usableFromInline
package final class SubscriptionLog: Sendable {
    /// The log of the current task.
    @TaskLocal package static var current: SubscriptionLog?

    private struct Entries {
        var subscriptions: [String] = []
        var sideEffects = 0
        var sends = 0
    }

    private let entries = Mutex(Entries())
    /// The number of logs. Sends are frequent, and look up the current log only if there is any.
    private static let count = Atomic(0)

    package init() { Self.count.add(1, ordering: .relaxed) }

    deinit {
        Self.count.subtract(1, ordering: .relaxed)
    }

    /// The locations of the subscribing code in order, or the operators where the location is unknown.
    package var subscriptions: [String] { entries.withLock { $0.subscriptions } }

    /// The number of subscriptions to a `do` that calls a function with elements or on completion.
    package var sideEffects: Int { entries.withLock { $0.sideEffects } }

    /// The number of events that were sent to a subject or a relay.
    package var sends: Int { entries.withLock { $0.sends } }

    static func append(_ subscription: @autoclosure () -> String) {
        guard let current else { return }
        let text = subscription()
        current.entries.withLock { $0.subscriptions.append(text) }
    }

    @usableFromInline
    static func appendObserver() { append("an observer") }

    @usableFromInline
    static func countSideEffect() { current?.entries.withLock { $0.sideEffects += 1 } }

    @usableFromInline
    package static func countSend() {
        if count.load(ordering: .relaxed) > 0 { current?.entries.withLock { $0.sends += 1 } }
    }
}

/// The live subscriptions of the process, in debug builds: which operators are subscribed to which, and where in the
/// source code.
///
/// Use it to find leaks: a subscription that outlives its screen is printed with the line that created it.
///
/// ```swift
/// print(LiveSubscriptions.graph)
/// // subscribe, at App/HomeView.swift:40
/// //   map(_:) < debounce(_:scheduler:)
/// //     subject
/// ```
///
/// Release builds record nothing, and the list is empty.
public enum LiveSubscriptions {
    /// Consecutive operators with the same lifetime.
    ///
    /// ```swift
    /// for node in LiveSubscriptions.all where node.pendingCount > 1000 {
    ///     print(node.place ?? "", node.operators)    // the observers that are too slow
    /// }
    /// ```
    public struct Node: Sendable {
        /// The operators, from the one nearest to the subscriber to the one nearest to the source.
        public let operators: [String]
        /// The location of the subscribing code, if this is the observer's end of a subscription.
        public let place: String?
        /// The number of events that were sent to these operators and are not delivered yet: enqueued in a subject, a
        /// relay or `share` for the delivering thread, or in `observe(on:)` for its scheduler. A growing number
        /// indicates an observer that is slower than its senders.
        public let pendingCount: Int
        /// The sources of these operators, as far as they were subscribed together with them.
        public let sources: [Node]
    }

    /// The subscriptions that are not the source of another one, in order of creation.
    public static var all: [Node] { nodes(in: nil) }

    /// A textual description: one line for consecutive operators, with its sources indented below it.
    public static var graph: String { draw(all) }

    package static func nodes(in scope: SubscriptionScope?) -> [Node] {
        let records = SubscriptionRegistry.records.filter { record in
            guard let scope else { return true }
            return record.scopes.contains { $0 === scope }
        }
        let known = Set(records.map(\.number))
        let bySubscriber = Dictionary(grouping: records) { record in
            record.subscriber.flatMap { known.contains($0) ? $0 : nil }
        }
        func nodes(of subscriber: Int?) -> [Node] {
            (bySubscriber[subscriber] ?? []).sorted { $0.number < $1.number }.map { record in
                Node(
                    operators: record.operators.map(\.description), place: record.place,
                    pendingCount: record.queues.reduce(0) { $0 + $1() }, sources: nodes(of: record.number))
            }
        }
        return nodes(of: nil)
    }

    package static func draw(_ nodes: [Node], indentation: String = "") -> String {
        nodes.map { node in
            var indentation = indentation
            var lines: [String] = []
            if let place = node.place {
                lines.append("\(indentation)subscribe, at \(place)")
                indentation += "  "
            }
            if !node.operators.isEmpty {
                let pending = node.pendingCount == 0 ? "" : ", \(node.pendingCount) pending"
                lines.append(indentation + node.operators.joined(separator: " < ") + pending)
                indentation += "  "
            }
            if !node.sources.isEmpty { lines.append(draw(node.sources, indentation: indentation)) }
            return lines.joined(separator: "\n")
        }.joined(separator: "\n")
    }
}

/// Records the subscriptions that one part of a program makes, such as a test, including the subscriptions to their
/// sources.
package final class SubscriptionScope: Sendable {
    /// The scopes that record the subscriptions of the current task.
    @TaskLocal package static var current: [SubscriptionScope] = []

    package init() {}

    /// The subscriptions that are still live.
    package var live: [LiveSubscriptions.Node] { LiveSubscriptions.nodes(in: self) }

    /// The current scopes and this one.
    package var withCurrent: [SubscriptionScope] {
        let current = Self.current
        return current.contains { $0 === self } ? current : current + [self]
    }
}
