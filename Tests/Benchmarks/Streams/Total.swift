/// Where the elements of a benchmark end up, so that no work can be left out.
///
/// A class and not a captured `var`, which would add a run-time check of exclusive access to every delivery.
/// `@unchecked Sendable`: benchmarks of streams run on one thread.
final class Total: @unchecked Sendable {
    @exclusivity(unchecked) private(set) var value = 0

    @inline(__always)
    func add(_ element: Int) {
        value &+= element
    }
}
