import Streams
import StreamsTesting
public import ViewModels

/// Fails the test unless the view model keeps to the rules of ``ViewModels/ViewModel``:
///
/// 1. `transform` subscribes to nothing, starts no task, and leaves nothing behind;
/// 2. when each output is bound once, each input is subscribed to once, or as often as declared;
/// 3. when what is bound is disposed, nothing is left subscribed.
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
/// What it sees:
///
/// - every subscription that `transform` makes on its own thread, also one that is disposed at once, in debug builds; a
///   subscription to an input on any thread, in any build;
/// - a task that `transform` starts, unless it is a task on an actor that captures neither the view model, if that is an
///   object, nor an input;
/// - whatever else still holds an input, or a view model that is an object, after `transform` has returned and its output
///   was let go: a retain cycle, a task, work on a queue. For this the view model and its input are made twice, and the
///   first pair is never bound. A view model that someone else holds as well, such as a variable of the test, is made
///   once, and this is not looked at: pass the expression that makes it;
/// - every stream in the output, in stored properties of structures, objects, tuples, optionals and collections at any
///   depth. Each is bound; inputs are silent until all are.
///
/// What it cannot see into fails the test as well, with the words "cannot see into", until the test says in `unseen` that
/// it knows: closures, asynchronous sequences and values that cannot be copied in the output, which may hide streams; and
/// `do` or `debug` on the way to an output, whose functions may navigate or show a toast, which ought to be outputs
/// (debug builds).
///
/// What it does not see at all: what the closures of other operators do besides returning a value; calls that `transform`
/// makes and that are over when it returns; retain cycles that arise only when an element comes; and subscriptions, other
/// than to inputs, that are made on other threads.
///
/// - Parameters:
///   - viewModel: Makes what composes.
///   - unseen: The properties of the output, by name or by path (`"details.open"`), of which the test knows that they
///     cannot be seen into.
///   - input: Makes the input of streams that it counts.
///   - act: What happens on the screen between binding and disposal.
@MainActor
public func expectOnlyComposes<Screen: ViewModel>(
    _ viewModel: @autoclosure () -> Screen, unseen: Set<String> = [], fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    input makeInput: (InputCounter) -> Screen.Input, whileBound act: () -> Void = {}
) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let ledger = SubscriptionLedger()
    let findings = SubscriptionLedger.$current.withValue(ledger.withCurrent) {
        let check = CompositionCheck(of: "\(Screen.self)", ledger, unseen)
        if let owner = SoleOwner(of: viewModel) {
            let findings = check.composesAlone(owner, makeInput)
            if !findings.isEmpty { return findings }
        }
        return check.composes(viewModel(), makeInput, whileBound: act)
    }
    for finding in findings { site.fail(finding) }
}
