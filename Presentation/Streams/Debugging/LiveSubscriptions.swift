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
    /// A run of operators with the same lifetime.
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

    /// A textual description: one line for each run of operators, with its sources indented below it.
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
