// NB: on Linux, where there is no SwiftUI, a test type-checks this file with declarations of what it uses.
#if canImport(SwiftUI)
import Streams
public import SwiftUI

extension ObservedStore {
    /// A part of the state as a binding: reading it reads the part, and setting it sends an action.
    ///
    /// ```swift
    /// TextField("Title", text: store.binding(\.title, send: Editor.Action.titleTyped))
    /// NavigationStack(path: store.binding(\.openScreens, send: App.Action.screensChanged)) { … }
    /// ```
    ///
    /// Setting a value that equals the part sends nothing. If the reducer refuses or corrects the value, the control reads
    /// the part again, and shows it.
    public func binding<Value: Equatable & Sendable>(
        _ part: KeyPath<State, Value>, send action: @escaping (Value) -> Action
    ) -> Binding<Value> {
        Binding(
            get: { @MainActor in self[dynamicMember: part] },
            set: { @MainActor value in
                if value != self.store.currentState[keyPath: part] {
                    self.send(action(value), setting: part, to: value)
                }
            })
    }

    /// An optional part of the state as a binding for `sheet(item:)` and the like: SwiftUI sets it to `nil` when the user
    /// closes the sheet, which sends an action.
    ///
    /// ```swift
    /// .sheet(item: store.binding(\.editedNote, closed: .editorClosed)) { note in NoteEditor(note) }
    /// ```
    public func binding<Value: Equatable & Sendable>(
        _ part: KeyPath<State, Value?>, closed action: @escaping @autoclosure () -> Action
    ) -> Binding<Value?> {
        Binding(
            get: { @MainActor in self[dynamicMember: part] },
            set: { @MainActor value in
                if value == nil, self.store.currentState[keyPath: part] != nil {
                    self.send(action(), setting: part, to: nil)
                }
            })
    }

    /// Whether an optional part of the state is there, as a binding for `alert(isPresented:)` and the like.
    ///
    /// ```swift
    /// .alert("Not saved", isPresented: store.isPresented(\.failure, closed: .failureClosed)) { Button("OK") {} }
    /// ```
    public func isPresented<Value: Equatable & Sendable>(
        _ part: KeyPath<State, Value?>, closed action: @escaping @autoclosure () -> Action
    ) -> Binding<Bool> {
        Binding(
            get: { @MainActor in self[dynamicMember: part] != nil },
            set: { @MainActor isPresented in
                if !isPresented, self.store.currentState[keyPath: part] != nil {
                    self.send(action(), setting: part, to: nil)
                }
            })
    }
}

extension View {
    /// Calls a function with each event of a store, on the main actor, while the view is shown.
    ///
    /// Events that are raised while it is not are buffered, and delivered when it appears.
    ///
    /// ```swift
    /// .onEvents(of: store) { event in
    ///     switch event {
    ///     case .saved: dismiss()
    ///     }
    /// }
    /// ```
    public func onEvents<State, Action, Event>(
        of store: ObservedStore<State, Action, Event>, perform: @escaping @MainActor (Event) -> Void
    ) -> some View {
        task { @MainActor in
            for await event in store.events.values { perform(event) }
        }
    }
}
#endif
