enum AccessPriority: Int, CaseIterable, Comparable {
    /// Utility and background work.
    case low
    case normal
    /// User-initiated work.
    case high

    init(_ priority: TaskPriority) {
        self = priority > .medium ? .high : priority < .medium ? .low : .normal
    }

    static func < (left: AccessPriority, right: AccessPriority) -> Bool { left.rawValue < right.rawValue }

    /// The head start over `low`, in nanoseconds. A lower priority overtakes after waiting longer by the difference.
    fileprivate var headStart: Int { rawValue * 1_000_000_000 }
}

/// A queue with priorities and aging: each priority has a fixed head start, so that no element waits forever. Elements
/// of equal priority are first in, first out. All operations except `removeFirst` take amortised constant time.
struct PriorityQueue<Element> {
    private typealias Arrival = (element: Element, time: Int)

    private var queues = [Queue<Arrival>](repeating: Queue(), count: AccessPriority.allCases.count)

    var count: Int { queues.reduce(0) { $0 + $1.count } }
    var isEmpty: Bool { queues.allSatisfy(\.isEmpty) }

    /// Adds an element that arrived at `time`, in nanoseconds.
    mutating func append(_ element: Element, _ priority: AccessPriority, at time: Int = MonotonicClock.now()) {
        queues[priority.rawValue].append((element, time))
    }

    /// Removes and returns the first element with at least this priority.
    mutating func popFirst(atLeast least: AccessPriority = .low) -> Element? {
        var first: (priority: AccessPriority, time: Int)?
        for priority in AccessPriority.allCases.reversed() where priority >= least {
            guard let arrival = queues[priority.rawValue].first else { continue }
            let time = arrival.time - priority.headStart
            if time < first?.time ?? .max { first = (priority, time) }
        }
        return first.flatMap { queues[$0.priority.rawValue].popFirst()?.element }
    }

    /// The time at which the longest waiting element arrived.
    var firstArrival: Int? { queues.lazy.compactMap { $0.first?.time }.min() }

    /// Removes and returns the longest waiting element, regardless of its priority.
    mutating func popFirstArrival() -> Element? {
        guard let time = firstArrival, let index = queues.firstIndex(where: { $0.first?.time == time }) else {
            return nil
        }
        return queues[index].popFirst()?.element
    }

    mutating func removeFirst(where isMeant: (Element) -> Bool) -> Element? {
        for index in queues.indices {
            if let arrival = queues[index].removeFirst(where: { isMeant($0.element) }) { return arrival.element }
        }
        return nil
    }
}

/// A first-in, first-out queue; adding and removing take amortised constant time.
struct Queue<Element> {
    private var elements: ContiguousArray<Element?> = []
    private var head = 0

    var count: Int { elements.count - head }
    var isEmpty: Bool { count == 0 }

    var first: Element? { head < elements.count ? elements[head] : nil }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let first = elements[head]
        elements[head] = nil
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 32, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return first
    }

    mutating func removeFirst(where isMeant: (Element) -> Bool) -> Element? {
        guard let index = elements[head...].firstIndex(where: { $0.map(isMeant) ?? false }) else { return nil }
        return elements.remove(at: index)
    }
}
