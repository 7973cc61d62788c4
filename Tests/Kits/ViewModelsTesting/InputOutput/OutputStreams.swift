import Streams

/// The streams that reflection finds in an output or an input, and the values that it cannot inspect.
struct OutputStreams {
    /// The streams, each with its path, such as `rows` or `details.title`.
    private(set) var streams: [(path: String, stream: any ObservableConvertibleType)] = []
    /// The paths of values that may hide streams, each with its description.
    private(set) var blindSpots: [(path: String, what: String)] = []
    private var visited: Set<ObjectIdentifier> = []

    init(in value: Any) {
        visit(value, at: "")
    }

    private mutating func visit(_ value: Any, at path: String) {
        if let stream = value as? any ObservableConvertibleType { return streams.append((path, stream)) }
        let type = String(reflecting: Swift.type(of: value))
        if value is any AsyncSequence {
            return blindSpots.append((path, "an asynchronous sequence"))
        }
        let mirror = Mirror(reflecting: value)
        let isCollection =
            [.collection, .dictionary, .set, .optional, .tuple].contains(mirror.displayStyle)
        if mirror.displayStyle == nil, type.contains("->") { return blindSpots.append((path, "a closure")) }
        if !isCollection {
            // Types of the system and of the streams hold no outputs of the screen.
            let module = type.prefix { $0 != "." }
            if Self.closedModules.contains(String(module)) { return }
            if module == "ViewModels", mirror.displayStyle == .class { return }
            if value is any CustomReflectable {
                return blindSpots.append((path, "a value with a custom mirror"))
            }
        }
        if mirror.displayStyle == .class {
            guard visited.insert(ObjectIdentifier(value as AnyObject)).inserted else { return }
        }
        var level: Mirror? = mirror
        while let mirror = level {
            for (number, child) in mirror.children.enumerated() {
                let label = child.label ?? "\(number)"
                let isWrapper = [.optional].contains(mirror.displayStyle)
                let childPath = isWrapper ? path : path.isEmpty ? label : "\(path).\(label)"
                if Self.isUnreadable(child.value, in: mirror) {
                    blindSpots.append((childPath, "a value that cannot be copied"))
                } else {
                    visit(child.value, at: childPath)
                }
            }
            level = mirror.superclassMirror
        }
    }

    /// Whether reflection yields an empty tuple for a noncopyable value, such as a `Mutex`.
    private static func isUnreadable(_ value: Any, in mirror: Mirror) -> Bool {
        value is Void && mirror.displayStyle == .class
    }

    private static let closedModules: Set<String> = [
        "Swift", "_Concurrency", "Synchronization", "Foundation", "FoundationEssentials", "Dispatch", "Observation",
        "Streams", "Composition", "__C",
    ]
}
