/// A sequence whose iterators a function creates.
struct Made<Iterator: IteratorProtocol>: Sequence, Sendable {
    private let make: @Sendable () -> Iterator

    init(_ make: @escaping @Sendable () -> Iterator) { self.make = make }

    func makeIterator() -> Iterator { make() }
}
