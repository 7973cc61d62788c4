/// Work in the order in which it is due; what is due at the same time, in the order in which it was added.
///
/// A binary heap: adding and taking cost the logarithm of what waits. Work that was disposed is dropped when its
/// turn comes, or when more than half of what waits is such work.
struct Agenda<Time: Sendable>: Sendable {
    struct Entry: Sendable {
        let time: Time
        let number: UInt64
        /// What it is for, as far as that is known.
        let origin: String?
        let work: ScheduledWork
    }

    private let isEarlier: @Sendable (Time, Time) -> Bool
    private var heap: [Entry] = []
    private var nextNumber: UInt64 = 0
    private var sizeToPrune = 64

    init(isEarlier: @escaping @Sendable (Time, Time) -> Bool) {
        self.isEarlier = isEarlier
    }

    /// What waits, in no order.
    var entries: [Entry] { heap.filter { !$0.work.isDisposed } }

    mutating func add(_ work: ScheduledWork, at time: Time, origin: String?) {
        if heap.count >= sizeToPrune { prune() }
        heap.append(Entry(time: time, number: nextNumber, origin: origin, work: work))
        nextNumber += 1
        rise(heap.count - 1)
    }

    /// What is due first.
    mutating func first() -> Entry? {
        while let first = heap.first {
            if !first.work.isDisposed { return first }
            removeFirst()
        }
        return nil
    }

    mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        sink(0)
    }

    private mutating func prune() {
        heap.removeAll { $0.work.isDisposed }
        for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(index) }
        sizeToPrune = max(64, heap.count * 2)
    }

    private func comesBefore(_ lhs: Int, _ rhs: Int) -> Bool {
        let (lhs, rhs) = (heap[lhs], heap[rhs])
        if isEarlier(lhs.time, rhs.time) { return true }
        return !isEarlier(rhs.time, lhs.time) && lhs.number < rhs.number
    }

    private mutating func rise(_ index: Int) {
        var index = index
        while index > 0, comesBefore(index, (index - 1) / 2) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func sink(_ index: Int) {
        var index = index
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count && comesBefore(child, least) {
                least = child
            }
            if least == index { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}
