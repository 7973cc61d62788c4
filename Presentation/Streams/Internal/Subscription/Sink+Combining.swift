extension Sink {
    /// Returns a function that sends the value of `result`, or fails the chain with the error that it throws.
    @inlinable
    func sending(_ result: @escaping () throws -> Element) -> () -> Void {
        { do { next(try result()) } catch { chain.fail(error) } }
    }
}
