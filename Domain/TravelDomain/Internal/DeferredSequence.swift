/// An asynchronous sequence that is created when its iteration begins, and whose values may take time to complete.
///
/// It ends when the task that iterates over it is cancelled, and does not emit equal values consecutively.
package struct DeferredSequence<Base: Sendable, Value: Equatable & Sendable>: AsyncSequence, Sendable {
    package typealias Element = Value
    package typealias Failure = any Error

    /// Creates the base sequence.
    package let make: @Sendable () async throws -> any AsyncSequence<Base, any Error> & Sendable
    /// Completes a value of the base sequence; the second argument is the last value that was emitted.
    package let complete: @Sendable (Base, Value?) async throws -> Value

    package init(
        make: @escaping @Sendable () async throws -> any AsyncSequence<Base, any Error> & Sendable,
        complete: @escaping @Sendable (Base, Value?) async throws -> Value
    ) {
        self.make = make
        self.complete = complete
    }

    package func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

    package struct Iterator: AsyncIteratorProtocol {
        let sequence: DeferredSequence
        private var base: (any AsyncIteratorProtocol<Base, any Error>)?
        private var last: Value?
        private var hasEnded = false

        init(sequence: DeferredSequence) { self.sequence = sequence }

        package mutating func next() async throws -> Value? { try await next(isolation: nil) }

        package mutating func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
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
    package init(_ make: @escaping @Sendable () async throws -> any AsyncSequence<Base, any Error> & Sendable) {
        self.init(make: make, complete: { value, _ in value })
    }
}
