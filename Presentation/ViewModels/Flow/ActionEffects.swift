/// The side effects that an action has led to, and those that the actions of these have led to in turn.
///
/// What ``FlowStore/send(_:)`` gives back, for an edge that waits for the end of what it began:
///
/// ```swift
/// List(rows) { … }
///     .refreshable { await store.send(.refresh).finish() }    // the spinner turns until the last page is there
///     .task { await store.send(.appeared).finish() }          // cancelled when the view disappears
/// ```
///
/// Nothing has to be done with it: letting it go ends nothing.
public struct ActionEffects: Sendable {
    @usableFromInline package let group: EffectGroup?
    @usableFromInline let cancelGroup: (@Sendable (EffectGroup) -> Void)?

    /// No side effects: they are finished.
    @inlinable
    public init() {
        group = nil
        cancelGroup = nil
    }

    @inlinable
    package init(_ group: EffectGroup, cancel: @escaping @Sendable (EffectGroup) -> Void) {
        self.group = group
        cancelGroup = cancel
    }

    /// Whether the action was reduced, and all that it led to has ended or was cancelled.
    public var areFinished: Bool { group?.isFinished ?? true }

    /// Waits until the action was reduced, and all that it led to has ended or was cancelled, by whomever.
    ///
    /// Cancelling the task that waits cancels the side effects, as ``cancel()`` does.
    public nonisolated(nonsending) func finish() async {
        guard let group else { return }
        await withTaskCancellationHandler {
            await group.wait()
        } onCancel: {
            cancel()
        }
    }

    /// Cancels the side effects, those that wait for their turn included; the action's change of the state stays.
    ///
    /// It may be called from any thread. When it returns, their streams are disposed; what they have sent, but was not
    /// reduced yet, is dropped.
    public func cancel() {
        if let group { cancelGroup?(group) }
    }
}
