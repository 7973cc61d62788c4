public import Streams

extension ObservableType where Element: EventConvertible, Element.Element: Sendable {
    /// The elements of materialized work, for an output of a screen.
    ///
    /// ```swift
    /// let outcomes = input.saveTapped.flatMapFirst { save($0).materialize() }.share()
    /// return Output(saved: outcomes.elements().asSignal(), failure: outcomes.errors().asSignal())
    /// ```
    ///
    /// `materialize` inside `flatMapFirst` turns the error of a save into an element, after which the next tap saves again.
    /// An error of the stream itself, here of `input.saveTapped`, is a programming error: it is reported to
    /// `Hooks.defaultErrorHandler`, and ends the output.
    public func elements() -> Infallible<Element.Element> { outcomes { $0.element } }

    /// The errors of materialized work: see ``elements()``.
    public func errors() -> Infallible<any Error> { outcomes { $0.error } }

    private func outcomes<Outcome: Sendable>(
        _ outcome: @escaping @Sendable (Event<Element.Element>) -> Outcome?
    ) -> Infallible<Outcome> {
        compactMap { outcome($0.event) }.asInfallible { error in
            Hooks.defaultErrorHandler([], error)
            return .empty()
        }
    }
}
