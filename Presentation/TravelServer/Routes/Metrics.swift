#if Server
import Synchronization

/// What a server counts, in the text format of Prometheus (version 0.0.4). It has neither people nor what they ask for.
final class Metrics: Sendable {
    private struct Key: Hashable {
        let route: String
        let method: String
        let status: Int
    }

    private struct Sum {
        var count = 0
        var seconds = 0.0
        var buckets = [Int](repeating: 0, count: Metrics.bounds.count)
    }

    /// The upper bounds of the buckets in seconds.
    private static let bounds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5]

    private let state = Mutex((requests: [Key: Int](), durations: [String: Sum](), observers: 0))

    func count(route: String?, method: String, status: Int, duration: Duration) {
        let route = route ?? "none"
        let seconds = duration / .seconds(1)
        state.withLock { state in
            state.requests[Key(route: route, method: method, status: status), default: 0] += 1
            var sum = state.durations[route] ?? Sum()
            sum.count += 1
            sum.seconds += seconds
            for (index, bound) in Self.bounds.enumerated() where seconds <= bound { sum.buckets[index] += 1 }
            state.durations[route] = sum
        }
    }

    func observing(_ change: Int) {
        state.withLock { $0.observers += change }
    }

    func text(_ connections: HTTPServer.Counts) -> String {
        let (requests, durations, observers) = state.withLock { $0 }
        var lines: [String] = []
        func family(_ name: String, _ kind: String, _ help: String) {
            lines += ["# HELP traveline_\(name) \(help)", "# TYPE traveline_\(name) \(kind)"]
        }
        family("requests_total", "counter", "Answered requests.")
        for (key, count) in requests.sorted(by: {
            ($0.key.route, $0.key.method, $0.key.status) < ($1.key.route, $1.key.method, $1.key.status)
        }) {
            lines.append(
                "traveline_requests_total{route=\"\(key.route)\",method=\"\(key.method)\",status=\"\(key.status)\"} \(count)"
            )
        }
        family("request_seconds", "histogram", "The time from the header section of a request to its response.")
        for (route, sum) in durations.sorted(by: { $0.key < $1.key }) {
            for (bound, count) in zip(Self.bounds, sum.buckets) {
                lines.append("traveline_request_seconds_bucket{route=\"\(route)\",le=\"\(bound)\"} \(count)")
            }
            lines.append("traveline_request_seconds_bucket{route=\"\(route)\",le=\"+Inf\"} \(sum.count)")
            lines.append("traveline_request_seconds_sum{route=\"\(route)\"} \(sum.seconds)")
            lines.append("traveline_request_seconds_count{route=\"\(route)\"} \(sum.count)")
        }
        for (name, kind, help, value) in [
            ("observers", "gauge", "Open observations.", observers),
            ("connections", "gauge", "Open connections.", connections.connections),
            ("requests_under_way", "gauge", "Requests that are being answered.", connections.requestsUnderWay),
            ("accepted_connections_total", "counter", "Connections since the start.", connections.acceptedConnections),
            (
                "slow_connections_total", "counter", "Connections closed because they were slow or idle.",
                connections.cutOff
            ),
            (
                "abandoned_requests_total", "counter",
                "Requests whose client disconnected before the response.", connections.abandoned
            ),
        ] {
            family(name, kind, help)
            lines.append("traveline_\(name) \(value)")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
#endif
