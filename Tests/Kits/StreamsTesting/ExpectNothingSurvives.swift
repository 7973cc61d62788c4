import Streams

/// Runs `body` and fails the test unless every subscription made meanwhile has ended or was disposed.
///
/// A failure prints those that are under way: their operators, and where the code is that subscribed. Subscriptions
/// count that are made by `body` itself, by tasks it starts, and by the streams they subscribe to. In release builds,
/// which do not record subscriptions, nothing is checked.
///
/// ```swift
/// expectNothingSurvives {
///     let bag = DisposeBag()
///     viewModel.title.subscribe(onNext: show).disposed(by: bag)
/// }
/// ```
public func expectNothingSurvives<Result>(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ body: () throws -> Result
) rethrows -> Result {
    let ledger = SubscriptionLedger()
    let result = try SubscriptionLedger.$current.withValue(ledger.withCurrent, operation: body)
    CallSite(fileID: fileID, filePath: filePath, line: line, column: column).expectNoneLive(in: ledger)
    return result
}

/// As the synchronous form; subscriptions made by child tasks count as well.
public func expectNothingSurvives<Result>(
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, _ body: () async throws -> Result
) async rethrows -> Result {
    let ledger = SubscriptionLedger()
    let result = try await SubscriptionLedger.$current.withValue(ledger.withCurrent, operation: body)
    CallSite(fileID: fileID, filePath: filePath, line: line, column: column).expectNoneLive(in: ledger)
    return result
}

extension CallSite {
    fileprivate func expectNoneLive(in ledger: SubscriptionLedger) {
        let live = ledger.live
        if !live.isEmpty { fail("subscriptions survive:\n\(LiveSubscriptions.draw(live))") }
    }
}
