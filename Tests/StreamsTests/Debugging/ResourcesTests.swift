import Streams
import Testing

#if DEBUG
    @Suite("Resources", .timeLimit(.minutes(1)))
    struct ResourcesTests {
        /// So many that what other tests make and free meanwhile does not matter.
        private static let many: Int32 = 200_000

        @Test("Live objects are counted, and those that are gone are not")
        func total() {
            let before = Resources.total
            var disposables = (0..<Self.many).map { _ in BooleanDisposable() }
            #expect(Resources.total > before + Self.many / 2)
            disposables = []
            #expect(Resources.total < before + Self.many / 2)
            #expect(disposables.isEmpty)
        }

        @Test("Streams count")
        func streams() {
            let before = Resources.total
            let streams = (0..<Self.many).map { Observable.just($0) }
            #expect(Resources.total > before + Self.many / 2)
            withExtendedLifetime(streams) {}
        }
    }
#endif
