/// A priority queue of scheduled work, ordered by due time; items with equal due times keep their insertion order.
///
/// A binary heap: insertion and removal take logarithmic time. A cancelled item is removed when it reaches the top, or
/// when more than half of the items are cancelled. Comparing times calls the user's converter, so the queue must not be
/// used under a lock.
///
/// `@unchecked Sendable`: one thread at a time takes the queue out of its owner's state, uses it, and puts it back.
final class VirtualTimeQueue: @unchecked Sendable {
    /// A scheduled run of an item. The queue owns `time` of each entry that it contains.
    struct Entry: Sendable {
        let time: ErasedTime
        let number: UInt64
        /// A description of the work for diagnostics, if known.
        let origin: String?
        let item: VirtualTimeItem
        /// Identifies this run among the scheduled runs of the item.
        let token: UInt64

        var isCancelled: Bool { item.isCancelled(token) }
    }

    let compare: ErasedTime.Comparison
    private let free: ErasedTime.Release
    @exclusivity(unchecked) private var heap: [Entry] = []
    @exclusivity(unchecked) private var sizeToPrune = 64

    init(compare: @escaping ErasedTime.Comparison, free: @escaping ErasedTime.Release) {
        self.compare = compare
        self.free = free
    }

    deinit {
        for entry in heap { free(entry.time) }
    }

    /// The entries that are not cancelled, in unspecified order.
    var entries: [Entry] { heap.filter { !$0.isCancelled } }

    func insert(_ entry: Entry) {
        if heap.count >= sizeToPrune { prune() }
        heap.append(entry)
        siftUp(heap.count - 1)
    }

    /// The entry with the earliest due time.
    private func first() -> Entry? {
        while let first = heap.first {
            if !first.isCancelled { return first }
            removeFirst()
            free(first.time)
        }
        return nil
    }

    /// Inserts `arrivals`, then removes and returns the earliest entry, unless it is due after `end`. The caller owns
    /// its time.
    func popFirst(inserting arrivals: [Entry], until end: ErasedTime?) -> Entry? {
        for entry in arrivals { insert(entry) }
        guard let first = first() else { return nil }
        if let end, compare(first.time, end) == .greaterThan { return nil }
        removeFirst()
        return first
    }

    private func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        siftDown(0)
    }

    private func prune() {
        heap.removeAll { entry in
            let isCancelled = entry.isCancelled
            if isCancelled { free(entry.time) }
            return isCancelled
        }
        for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(index) }
        sizeToPrune = max(64, heap.count * 2)
    }

    private func precedes(_ lhs: Int, _ rhs: Int) -> Bool {
        switch compare(heap[lhs].time, heap[rhs].time) {
        case .lessThan: true
        case .equal: heap[lhs].number < heap[rhs].number
        case .greaterThan: false
        }
    }

    private func siftUp(_ index: Int) {
        var index = index
        while index > 0, precedes(index, (index - 1) / 2) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private func siftDown(_ index: Int) {
        var index = index
        while true {
            var least = index
            let left = 2 * index + 1
            if left < heap.count, precedes(left, least) { least = left }
            if left + 1 < heap.count, precedes(left + 1, least) { least = left + 1 }
            if least == index { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}

/// An item of a ``VirtualTimeQueue``. One item can be scheduled several times; a token identifies each run.
@usableFromInline
class VirtualTimeItem: @unchecked Sendable {
    // `@unchecked Sendable`: it stores nothing; each subclass documents how its state is guarded.

    /// Whether the run with this token is cancelled. Called from any thread; calls no user code.
    func isCancelled(_ token: UInt64) -> Bool { false }

    /// Runs the work that was scheduled with this token.
    func run(_ token: UInt64) {}
}

/// A virtual time with its type erased: stored in place if its bits fit into a word, otherwise in allocated memory.
///
/// The type of the time belongs to the user's converter and is known to ``VirtualTimeScheduler`` only. Code that passes
/// times around without reading them is not generic: it would spend most of its time looking up generic metadata.
///
/// `@unchecked Sendable`: virtual times are `Sendable`, and are not changed after initialization.
struct ErasedTime: @unchecked Sendable {
    /// Compares two times. Calls user code.
    typealias Comparison = @Sendable (ErasedTime, ErasedTime) -> VirtualTimeComparison
    /// Deinitializes a time and deallocates its memory, which can call user code.
    typealias Release = @Sendable (ErasedTime) -> Void

    /// The bits of the time, or the address of its memory.
    private let word: UInt

    /// Whether times of this type are stored in place: copying their bits copies them, and nothing needs to be
    /// released.
    static func isInPlace<Time: Sendable>(_: Time.Type) -> Bool {
        _isPOD(Time.self) && MemoryLayout<Time>.size <= MemoryLayout<UInt>.size
            && MemoryLayout<Time>.alignment <= MemoryLayout<UInt>.alignment
    }

    init<Time: Sendable>(_ time: Time) {
        if Self.isInPlace(Time.self) {
            var word: UInt = 0
            withUnsafeMutableBytes(of: &word) { $0.storeBytes(of: time, as: Time.self) }
            self.word = word
        } else {
            let memory = UnsafeMutablePointer<Time>.allocate(capacity: 1)
            memory.initialize(to: time)
            word = UInt(bitPattern: memory)
        }
    }

    /// The time. `type` must be the type that the value was created with.
    func load<Time: Sendable>(as type: Time.Type) -> Time {
        if Self.isInPlace(type) { return withUnsafeBytes(of: word) { $0.load(as: type) } }
        return memory(of: type).pointee
    }

    func load<Time: Sendable>(into copy: UnsafeMutablePointer<Time>) {
        copy.initialize(from: memory(of: Time.self), count: 1)
    }

    func free<Time: Sendable>(as type: Time.Type) {
        if Self.isInPlace(type) { return }
        memory(of: type).deinitialize(count: 1)
        memory(of: type).deallocate()
    }

    private func memory<Time>(of type: Time.Type) -> UnsafeMutablePointer<Time> {
        // The address of the memory that `init` allocated.
        UnsafeMutablePointer(bitPattern: word)!
    }
}
