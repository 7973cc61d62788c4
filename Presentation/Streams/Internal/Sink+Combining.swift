extension Sink {
    /// A function that sends what `result` returns, and fails the chain with what it throws.
    @inlinable
    func sending(_ result: @escaping () throws -> Element) -> () -> Void {
        { do { next(try result()) } catch { chain.fail(error) } }
    }
}
