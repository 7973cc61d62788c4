public import Streams

/// Counts who listens to the inputs of a view model; handed out by `expectOnlyComposes`.
public final class InputCounter {
    struct Count {
        let stream: AnyObject
        let expected: Int
        let place: String
        let subscriptions: () -> Int
        let active: () -> Int
    }

    private(set) var counts: [Count] = []

    init() {}

    /// The stream to hand to the view model in place of `source`.
    ///
    /// - Parameters:
    ///   - source: What the view model is to hear.
    ///   - times: How often it is to be subscribed to when each output is bound once.
    public func count<Source: ObservableConvertibleType>(
        _ source: Source, subscribed times: Int = 1, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Source.Element> {
        let counted = CountedStream(source.asObservable())
        let stream = counted.stream
        counts.append(
            Count(
                stream: stream, expected: times, place: "\(fileID):\(line)",
                subscriptions: { counted.subscriptions }, active: { counted.active }))
        return stream
    }
}
