import Synchronization
internal import TravelPages

/// The pieces of an open screen that were made last: of many rows, a change concerns one.
///
/// ```swift
/// for card in cards { context.piece("trip-\(card.id)", of: card, row) }
/// ```
///
/// It returns what making a piece anew would return, so that the view of a page stays a function of its state. It belongs to
/// one screen of one run.
final class PieceCache: Equatable, Sendable {
    private struct Piece: Sendable {
        let value: any Sendable
        let html: HTML
        /// The view that used it last.
        var view: Int
    }

    private struct State: Sendable {
        var pieces: [String: Piece] = [:]
        /// The number of the current view.
        var view = 0
    }

    private let state = Mutex(State())

    /// Returns the piece with this ID, which `make` makes of `value` and of nothing else that changes within a run.
    func piece<Value: Equatable & Sendable>(_ id: String, of value: Value, _ make: (Value) -> HTML) -> HTML {
        let known = state.withLock { state -> HTML? in
            guard let piece = state.pieces[id], piece.value as? Value == value else { return nil }
            state.pieces[id]?.view = state.view
            return piece.html
        }
        if let known { return known }
        let html = make(value)
        state.withLock { $0.pieces[id] = Piece(value: value, html: html, view: $0.view) }
        return html
    }

    /// Begins a view: forgets the pieces that the one before has not used, and all of them when something else than the
    /// state has changed.
    func beginView(isOfOtherContext: Bool) {
        state.withLock { state in
            state.pieces = isOfOtherContext ? [:] : state.pieces.filter { $0.value.view == state.view }
            state.view += 1
        }
    }

    static func == (left: PieceCache, right: PieceCache) -> Bool { left === right }
}
