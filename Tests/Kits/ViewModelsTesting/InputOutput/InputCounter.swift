public import Streams

/// Counts the subscriptions to the inputs of a view model; `expectOnlyComposes` provides it.
///
/// The counted streams emit nothing until each output is bound.
///
/// ```swift
/// expectOnlyComposes(ProfileViewModel()) { inputs in
///     .init(refresh: inputs.count(refresh), name: inputs.count(name, subscribed: 2))
/// }
/// ```
public final class InputCounter {
    struct Count {
        /// The stream of the view model, if it is an object.
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

    /// The stream to pass to the view model in place of `source`.
    ///
    /// ```swift
    /// expectOnlyComposes(ProfileViewModel()) { inputs in
    ///     .init(refresh: inputs.count(refresh), name: inputs.count(name, subscribed: 2))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - source: The elements for the view model.
    ///   - times: The expected number of subscriptions when each output is bound once.
    ///   - fileID: The file of the call, for the name of the input in a failure.
    ///   - line: The line of the call.
    public func count<Source: ObservableConvertibleType>(
        _ source: Source, subscribed times: Int = 1, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Source.Element> {
        let stream = counted(source, times, "\(fileID):\(line)") { $0 }
        return stream
    }

    /// The driver to pass to the view model in place of `source`.
    public func count<Element>(
        _ source: Driver<Element>, subscribed times: Int = 1, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Driver<Element> {
        counted(source, times, "\(fileID):\(line)") { $0.asDriver(onErrorDriveWith: .empty()) }
    }

    /// The signal to pass to the view model in place of `source`.
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
