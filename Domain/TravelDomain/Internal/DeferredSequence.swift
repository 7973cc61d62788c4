/// An asynchronous sequence that is made when its iteration begins, and whose values may take time to complete.
///
/// It ends when the task that iterates over it is cancelled, and does not emit equal values consecutively.
struct DeferredSequence<Base: Sendable, Value: Equatable & Sendable>: AsyncSequence, Sendable {
    typealias Element = Value
    typealias Failure = any Error

    /// Makes the base sequence.
    let make: @Sendable () async throws -> any AsyncSequence<Base, any Error> & Sendable
    /// Completes a value of the base sequence; the second argument is the last value that was emitted.
    let complete: @Sendable (Base, Value?) async throws -> Value

    func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

    struct Iterator: AsyncIteratorProtocol {
        let sequence: DeferredSequence
        private var base: (any AsyncIteratorProtocol<Base, any Error>)?
        private var last: Value?
        private var hasEnded = false

        init(sequence: DeferredSequence) { self.sequence = sequence }

        mutating func next() async throws -> Value? { try await next(isolation: nil) }

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
            while !hasEnded {
                do {
                    if base == nil {
                        let made = try await sequence.make()
                        base = made.makeAsyncIterator()
                    }
                    guard let new = try await base?.next(isolation: actor) else { break }
                    let value = try await sequence.complete(new, last)
                    if value != last {
                        last = value
                        return value
                    }
                } catch is CancellationError where Task.isCancelled {
                    break
                } catch {
                    hasEnded = true
                    throw error
                }
            }
            hasEnded = true
            return nil
        }
    }
}

extension DeferredSequence where Base == Value {
    /// A sequence with the values of the base sequence.
    init(_ make: @escaping @Sendable () async throws -> any AsyncSequence<Base, any Error> & Sendable) {
        self.make = make
        complete = { value, _ in value }
    }
}
