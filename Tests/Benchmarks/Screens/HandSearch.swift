public import Samples

/// The same screen as one would write it by hand, on the main actor: methods for what comes in, closures for what goes
/// out.
@MainActor
public final class HandSearch<Element: Sample> {
    /// Called with what was found.
    public var onRows: (([Element]) -> Void)?
    /// Called with the title, at once with that of now.
    public var onTitle: ((Element) -> Void)? { didSet { onTitle?(title) } }

    private let load: (Element, @escaping ([Element]) -> Void) -> Void
    private var query: Element?
    private var title = Element.sample(0)
    private var loads = 0

    fileprivate init(load: @escaping (Element, @escaping ([Element]) -> Void) -> Void) {
        self.load = load
    }

    /// Looks for what was typed.
    public func type(_ text: Element) {
        title = text.next
        onTitle?(title)
        guard text != query else { return }
        query = text
        loads += 1
        load(text) { [weak self, loads] rows in
            guard let self, self.loads == loads else { return }
            onRows?(rows)
        }
    }
}

/// Makes the screens; not generic, so that each has code of its own, as those of an app have.
@MainActor
public enum HandSearches {
    /// A search screen for numbers.
    public static func number() -> HandSearch<Int> { HandSearch { $1([$0, $0.next]) } }
    /// A search screen for text.
    public static func text() -> HandSearch<String> { HandSearch { $1([$0, $0.next]) } }
    /// A search screen for articles.
    public static func article() -> HandSearch<Article> { HandSearch { $1([$0, $0.next]) } }
}
