import Samples

/// Where the elements of a column end up, so that no work can be left out; its value is the column's checksum.
///
/// A class and not a captured `var`, which would add a run-time check of exclusive access to every delivery.
/// `@unchecked Sendable`: each column has its own and delivers on one thread at a time.
final class Total: @unchecked Sendable {
    @exclusivity(unchecked) private(set) var value = 0

    @inline(__always)
    func add(_ element: Int) {
        value &+= element
    }

    @inline(__always)
    func add<Element: Sample>(sample: Element) {
        value &+= sample.weight
    }
}

extension Total {
    /// State of one hand-written operator. `@unchecked Sendable`: as its benchmark, on one thread.
    final class Cell<Value>: @unchecked Sendable {
        @exclusivity(unchecked) var value: Value

        init(_ value: Value) {
            self.value = value
        }
    }
}
