public import Streams

/// Counts who listens to the inputs of a view model; handed out by `expectOnlyComposes`.
///
/// What it hands out is silent until each output is bound.
public final class InputCounter {
    struct Count {
        /// What the view model is handed, if that is an object.
        let stream: AnyObject?
        let expected: Int
        let place: String
        let subscriptions: () -> Int
        let active: () -> Int
        let isAlive: () -> Bool
    }

    private(set) var counts: [Count] = []
    private let gate: BindingGate

    init(_ gate: BindingGate) {
        self.gate = gate
    }

    /// The stream to hand to the view model in place of `source`.
    ///
    /// - Parameters:
    ///   - source: What the view model is to hear.
    ///   - times: How often it is to be subscribed to when each output is bound once.
    public func count<Source: ObservableConvertibleType>(
        _ source: Source, subscribed times: Int = 1, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Source.Element> {
        let stream = counted(source, times, "\(fileID):\(line)") { $0 }
        return stream
    }

    /// The driver to hand to the view model in place of `source`.
    public func count<Element>(
        _ source: Driver<Element>, subscribed times: Int = 1, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Driver<Element> {
        counted(source, times, "\(fileID):\(line)") { $0.asDriver(onErrorDriveWith: .empty()) }
    }

    /// The signal to hand to the view model in place of `source`.
    public func count<Element>(
        _ source: Signal<Element>, subscribed times: Int = 1, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Signal<Element> {
        counted(source, times, "\(fileID):\(line)") { $0.asSignal(onErrorSignalWith: .empty()) }
    }

    private func counted<Source: ObservableConvertibleType, Stream>(
        _ source: Source, _ times: Int, _ place: String, as make: (Observable<Source.Element>) -> Stream
    ) -> Stream {
        let counted = CountedStream(gate.hold(source.asObservable()))
        let stream = make(counted.stream)
        let report = counted.report
        counts.append(
            Count(
                stream: stream as? Observable<Source.Element>, expected: times, place: place,
                subscriptions: { report.subscriptions }, active: { report.active },
                isAlive: { [weak counted] in counted != nil }))
        return stream
    }
}
