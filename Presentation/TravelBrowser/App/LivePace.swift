/// How often open pages show what others change.
///
/// Each change reaches every page that shows it. Up to 100 pages show it at once; with more, each page waits so long since its
/// last patch that all pages together get about 500 patches a second, however many changes there are. A page whose user
/// has just acted does not wait.
@MainActor
final class LivePace {
    /// The number of pages with an open stream of patches.
    var pageCount = 0

    /// The seconds from the last patch of a page to the next one. They vary, so that pages do not wait for the same moment.
    var interval: Double {
        pageCount <= 100 ? 0 : Double(pageCount) / 500 * .random(in: 0.5...1.5)
    }
}
