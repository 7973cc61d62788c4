/// Work in the order in which it is due; what is due at the same time, in the order in which it was added.
///
/// A binary heap: adding and taking cost the logarithm of what waits. Work that was called off is dropped when its
/// turn comes, or when more than half of what waits is such work. It compares times by a function of the user's, so it
/// is not to be used under a lock.
///
/// `@unchecked Sendable`: used by one thread at a time, which takes it from where it is kept and puts it back.
final class Agenda: @unchecked Sendable {
    /// An appointment. The agenda owns the time of what is in it.
    struct Entry: Sendable {
        let time: VirtualTimeCell
        let number: UInt64
        /// What it is for, as far as that is known.
        let origin: String?
        let item: AgendaItem
        /// Which of the item's appointments this is.
        let token: UInt64

        var isCalledOff: Bool { item.isCalledOff(token) }
    }

    let compare: VirtualTimeCell.Comparison
    private let free: VirtualTimeCell.Release
    @exclusivity(unchecked) private var heap: [Entry] = []
    @exclusivity(unchecked) private var sizeToPrune = 64

    init(compare: @escaping VirtualTimeCell.Comparison, free: @escaping VirtualTimeCell.Release) {
        self.compare = compare
        self.free = free
    }

    deinit {
        for entry in heap { free(entry.time) }
    }

    /// What waits, in no order.
    var entries: [Entry] { heap.filter { !$0.isCalledOff } }

    func add(_ entry: Entry) {
        if heap.count >= sizeToPrune { prune() }
        heap.append(entry)
        rise(heap.count - 1)
    }

    /// What is due first.
    private func first() -> Entry? {
        while let first = heap.first {
            if !first.isCalledOff { return first }
            removeFirst()
            free(first.time)
        }
        return nil
    }

    /// Adds what has arrived, and takes out what is due first, with its time, if it is not due later than `end`.
    func takeNext(adding arrivals: [Entry], until end: VirtualTimeCell?) -> Entry? {
        for entry in arrivals { add(entry) }
        guard let first = first() else { return nil }
        if let end, compare(first.time, end) == .greaterThan { return nil }
        removeFirst()
        return first
    }

    private func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        sink(0)
    }

    private func prune() {
        heap.removeAll { entry in
            let isCalledOff = entry.isCalledOff
            if isCalledOff { free(entry.time) }
            return isCalledOff
        }
        for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(index) }
        sizeToPrune = max(64, heap.count * 2)
    }

    private func comesBefore(_ lhs: Int, _ rhs: Int) -> Bool {
        switch compare(heap[lhs].time, heap[rhs].time) {
        case .lessThan: true
        case .equal: heap[lhs].number < heap[rhs].number
        case .greaterThan: false
        }
    }

    private func rise(_ index: Int) {
        var index = index
        while index > 0, comesBefore(index, (index - 1) / 2) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private func sink(_ index: Int) {
        var index = index
        while true {
            var least = index
            let left = 2 * index + 1
            if left < heap.count, comesBefore(left, least) { least = left }
            if left + 1 < heap.count, comesBefore(left + 1, least) { least = left + 1 }
            if least == index { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}

/// What an ``Agenda`` has appointments with. An item may have several; a token tells them apart.
@usableFromInline
class AgendaItem: DisposeBase, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; it holds nothing, and its subclasses say what guards what they hold.

    /// Whether the appointment is not to be kept. Called from any thread; it calls no user code.
    func isCalledOff(_ token: UInt64) -> Bool { false }

    /// Keeps the appointment.
    func run(_ token: UInt64) {}
}

/// A moment of virtual time: in place if its bits fit into a word, else in memory of its own.
///
/// Its type is that of a converter of the user's, known to ``VirtualTimeScheduler`` alone. What handles moments without
/// looking into them is not generic: it would spend most of its time looking up generic metadata.
///
/// `@unchecked Sendable`: virtual times are `Sendable`, and constant once they are in their memory.
struct VirtualTimeCell: @unchecked Sendable {
    /// Which of two moments comes first: user code.
    typealias Comparison = @Sendable (VirtualTimeCell, VirtualTimeCell) -> VirtualTimeComparison
    /// Releases a moment and its memory, which may call user code.
    typealias Release = @Sendable (VirtualTimeCell) -> Void

    /// The bits of the moment, or the address of its memory.
    private let word: UInt

    /// Whether moments of that type are kept in place: copying their bits copies them, and nothing is released.
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

    /// The moment, which is of the type that the cell was made with.
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
        // The address of memory that `init` has allocated.
        UnsafeMutablePointer(bitPattern: word)!
    }
}
