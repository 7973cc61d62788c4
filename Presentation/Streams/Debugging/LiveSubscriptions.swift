/// The subscriptions that are under way, in debug builds: what is subscribed to what, and where in the source.
///
/// For finding leaks: a subscription that outlives its screen is printed with the line that made it.
///
/// ```swift
/// print(LiveSubscriptions.graph)
/// // subscribe, at App/HomeView.swift:40
/// //   map(_:) < debounce(_:scheduler:)
/// //     subject
/// ```
///
/// In release builds there are none to see, and nothing is recorded.
public enum LiveSubscriptions {
    /// A run of operators that live and end together.
    public struct Node: Sendable {
        /// The operators, from the one nearest to the subscriber to the one nearest to the source.
        public let operators: [String]
        /// Where the code is that subscribed, if this is the bottom of a subscription.
        public let place: String?
        /// The number of events that were sent to these operators and wait: for the thread that is delivering, in a
        /// subject, a relay or `share`, or for the scheduler of `observe(on:)`. A number that grows says that an observer
        /// is slower than those who send.
        public let pendingCount: Int
        /// The streams that this one listens to, as far as they were subscribed together with it.
        public let sources: [Node]
    }

    /// The subscriptions that no other listens to, in the order in which they were made.
    public static var all: [Node] { nodes(in: nil) }

    /// They in words, a line for each run of operators, sources indented below it.
    public static var graph: String { draw(all) }

    package static func nodes(in ledger: SubscriptionLedger?) -> [Node] {
        let records = SubscriptionRegistry.records.filter { record in
            guard let ledger else { return true }
            return record.ledgers.contains { $0 === ledger }
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

/// Tells apart the subscriptions made by one piece of a program, such as a test: those made while it keeps the books,
/// and what they subscribe to in turn.
package final class SubscriptionLedger: Sendable {
    /// Those in which subscriptions made here and now are entered.
    @TaskLocal package static var current: [SubscriptionLedger] = []

    package init() {}

    /// The subscriptions that are still under way.
    package var live: [LiveSubscriptions.Node] { LiveSubscriptions.nodes(in: self) }

    /// The ledgers that are kept, and this one.
    package var withCurrent: [SubscriptionLedger] {
        let current = Self.current
        return current.contains { $0 === self } ? current : current + [self]
    }
}
