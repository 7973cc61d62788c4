import Streams

/// Runs `body` and fails the test unless every subscription that it makes has terminated or is disposed afterwards.
///
/// A failure prints the live subscriptions: their operators and the location of the subscribing code. The check covers
/// subscriptions that `body` makes, those of the tasks that it starts, and those of the streams that they subscribe to.
/// Release builds do not record subscriptions, so nothing is checked there.
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
    let scope = SubscriptionScope()
    let result = try SubscriptionScope.$current.withValue(scope.withCurrent, operation: body)
    CallSite(fileID: fileID, filePath: filePath, line: line, column: column).expectNoneLive(in: scope)
    return result
}

/// Like the synchronous overload; subscriptions of child tasks are checked as well.
public func expectNothingSurvives<Result>(
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, _ body: () async throws -> Result
) async rethrows -> Result {
    let scope = SubscriptionScope()
    let result = try await SubscriptionScope.$current.withValue(scope.withCurrent, operation: body)
    CallSite(fileID: fileID, filePath: filePath, line: line, column: column).expectNoneLive(in: scope)
    return result
}

extension CallSite {
    fileprivate func expectNoneLive(in scope: SubscriptionScope) {
        let live = scope.live
        if !live.isEmpty { fail("subscriptions survive:\n\(LiveSubscriptions.draw(live))") }
    }
}
