import Streams
import StreamsTesting
public import ViewModels

/// Fails the test unless the view model follows the rules of `ViewModel`:
///
/// 1. `transform` subscribes to nothing, sends nothing, starts no task, and leaves nothing behind;
/// 2. binding each output once subscribes to each input once, or as often as declared;
/// 3. disposing all bindings leaves no subscription.
///
/// ```swift
/// @Test @MainActor func composes() {
///     expectOnlyComposes(MovieDetailsViewModel(movie: movie)) { inputs in
///         .init(trigger: inputs.count(trigger), rating: inputs.count(rating, subscribed: 2))
///     } whileBound: {
///         trigger.onNext(())
///     }
/// }
/// ```
///
/// It detects:
///
/// - every subscription that `transform` makes on its own thread, even if it is disposed at once, in debug builds; a
///   subscription to an input on any thread, in any build;
/// - every event that `transform` sends on its own thread to a subject, a relay or a `WaitingRelay`, in debug builds;
/// - a task that `transform` starts, unless the task runs on an actor and captures neither the view model, if that is
///   an object, nor an input;
/// - any remaining owner of an input, or of a view model that is an object, after `transform` has returned and its
///   output was released: a retain cycle, a task, work on a queue. For this, the view model and its input are made
///   twice, and the first pair is never bound. A view model that has another owner, such as a variable of the test, is
///   made once, and this check is omitted: pass the expression that makes it;
/// - every stream in the output, in stored properties of structures, objects, tuples, optionals and collections at any
///   depth. Each is bound; the inputs are delayed until all are.
///
/// Parts that it cannot inspect also fail the test, with the words "cannot inspect", unless the test declares them in
/// `unseen`: closures, asynchronous sequences and noncopyable values in the output, which may hide streams; and `do` or
/// `debug` on the way to an output, whose functions may navigate or show a toast, which should be outputs (debug
/// builds).
///
/// It does not detect: side effects in the closures of other operators; other calls of `transform` that end before it
/// returns, such as to a repository; retain cycles that arise only with an element; and subscriptions on other threads, except those to inputs.
///
/// - Parameters:
///   - viewModel: Makes the view model.
///   - unseen: The properties of the output, by name or by path (`"details.open"`), that cannot be inspected.
///   - fileID: The file of the call, for the report of a failure.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
///   - makeInput: Makes the input from streams that it counts.
///   - act: Sends the inputs of the screen between binding and disposal.
@MainActor
public func expectOnlyComposes<Screen: ViewModel>(
    _ viewModel: @autoclosure () -> Screen, unseen: Set<String> = [], fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    input makeInput: (InputCounter) -> Screen.Input, whileBound act: () -> Void = {}
) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let scope = SubscriptionScope()
    let findings = SubscriptionScope.$current.withValue(scope.withCurrent) {
        let check = CompositionCheck(of: "\(Screen.self)", scope, unseen)
        if let owner = UniqueOwner(of: viewModel) {
            let findings = check.composesAlone(owner, makeInput)
            if !findings.isEmpty { return findings }
        }
        return check.composes(viewModel(), makeInput, whileBound: act)
    }
    for finding in findings { site.fail(finding) }
}
