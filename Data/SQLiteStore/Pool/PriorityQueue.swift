/// How soon an access has to be made.
enum AccessPriority: Int, CaseIterable, Comparable {
    /// Nobody waits for it: utility and background work.
    case low
    case normal
    /// A person waits for it.
    case high

    init(_ priority: TaskPriority) {
        self = priority > .medium ? .high : priority < .medium ? .low : .normal
    }

    static func < (left: AccessPriority, right: AccessPriority) -> Bool { left.rawValue < right.rawValue }

    /// How long what is less urgent has to have waited to come first all the same, in nanoseconds.
    fileprivate var headStart: Int { rawValue * 1_000_000_000 }
}

/// A queue in which each element has a head start by its priority, so that what is urgent comes first and nothing waits for
/// ever. Among elements that are equally urgent it is first in, first out. Every operation but `removeFirst` costs constant
/// time.
struct PriorityQueue<Element> {
    private typealias Arrival = (element: Element, time: Int)

    private var queues = [Queue<Arrival>](repeating: Queue(), count: AccessPriority.allCases.count)

    var count: Int { queues.reduce(0) { $0 + $1.count } }
    var isEmpty: Bool { queues.allSatisfy(\.isEmpty) }

    /// Adds an element that arrives at `time`, in nanoseconds.
    mutating func append(_ element: Element, _ priority: AccessPriority, at time: Int = MonotonicClock.now()) {
        queues[priority.rawValue].append((element, time))
    }

    /// The element that comes first among those that are urgent enough.
    mutating func popFirst(atLeast least: AccessPriority = .low) -> Element? {
        var first: (priority: AccessPriority, time: Int)?
        for priority in AccessPriority.allCases.reversed() where priority >= least {
            guard let arrival = queues[priority.rawValue].first else { continue }
            let time = arrival.time - priority.headStart
            if time < first?.time ?? .max { first = (priority, time) }
        }
        return first.flatMap { queues[$0.priority.rawValue].popFirst()?.element }
    }

    /// Takes out an element, wherever it is; the longer the queue, the longer it takes.
    mutating func removeFirst(where isMeant: (Element) -> Bool) -> Element? {
        for index in queues.indices {
            if let arrival = queues[index].removeFirst(where: { isMeant($0.element) }) { return arrival.element }
        }
        return nil
    }
}
