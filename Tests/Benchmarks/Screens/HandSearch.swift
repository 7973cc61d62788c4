package import Samples

/// The same screen as one would write it by hand, on the main actor: a function that it adds to a text field, from
/// which it is removed when the screen is let go, and lists of closures for what it shows.
@MainActor
package final class HandSearch<Element: Sample> {
    /// Adds a function to a text field, and returns how to remove it.
    package typealias TextField = (@escaping @Sendable (Element) -> Void) -> @Sendable () -> Void

    private var titleListeners: [(Element) -> Void] = []
    private var rowListeners: [([Element]) -> Void] = []
    private let load: (Element, @escaping ([Element]) -> Void) -> Void
    private var query: Element?
    private var title = Element.sample(0)
    private var loads = 0
    private var leave: (@Sendable () -> Void)?

    fileprivate init(_ field: TextField, load: @escaping (Element, @escaping ([Element]) -> Void) -> Void) {
        self.load = load
        leave = field { [weak self] text in MainActor.assumeIsolated { self?.type(text) } }
    }

    deinit {
        leave?()
    }

    /// Calls `next` with the title, at once with that of now.
    package func onTitle(_ next: @escaping (Element) -> Void) {
        titleListeners.append(next)
        next(title)
    }

    /// Calls `next` with what was found.
    package func onRows(_ next: @escaping ([Element]) -> Void) {
        rowListeners.append(next)
    }

    private func type(_ text: Element) {
        title = text.next
        for next in titleListeners { next(title) }
        guard text != query else { return }
        query = text
        loads += 1
        load(text) { [weak self, loads] rows in
            guard let self, self.loads == loads else { return }
            for next in rowListeners { next(rows) }
        }
    }
}

/// Makes the screens; not generic, so that each has code of its own, as those of an app have.
@MainActor
package enum HandSearches {
    /// A search screen for numbers.
    package static func number(_ field: HandSearch<Int>.TextField) -> HandSearch<Int> {
        HandSearch(field) { $1([$0, $0.next]) }
    }

    /// A search screen for text.
    package static func text(_ field: HandSearch<String>.TextField) -> HandSearch<String> {
        HandSearch(field) { $1([$0, $0.next]) }
    }

    /// A search screen for articles.
    package static func article(_ field: HandSearch<Article>.TextField) -> HandSearch<Article> {
        HandSearch(field) { $1([$0, $0.next]) }
    }
}
