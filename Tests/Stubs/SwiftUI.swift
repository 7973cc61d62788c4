// The declarations of SwiftUI that the library and its article use, with the signatures and the isolation that Apple
// documents, and no implementation: what uses them is type-checked where there is no SwiftUI.

@_exported public import Observation

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError() }
}

extension Optional: View where Wrapped: View {
    public var body: Never { fatalError() }
}

public struct EmptyView: View {
    public nonisolated init() {}
    public var body: Never { fatalError() }
}

public struct TupleView<each Content>: View {
    public var body: Never { fatalError() }
}

public struct ConditionalContent<True, False>: View {
    public var body: Never { fatalError() }
}

@resultBuilder public struct ViewBuilder {
    public static func buildBlock() -> EmptyView { fatalError() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { fatalError() }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<repeat each Content>
    {
        fatalError()
    }
    public static func buildExpression<Content: View>(_ content: Content) -> Content { fatalError() }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { fatalError() }
    public static func buildEither<True: View, False: View>(first: True) -> ConditionalContent<True, False> {
        fatalError()
    }
    public static func buildEither<True: View, False: View>(second: False) -> ConditionalContent<True, False> {
        fatalError()
    }
}

@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
    @preconcurrency
    public init(
        get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void
    ) { fatalError() }

    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set { fatalError() }
    }
    public var projectedValue: Binding<Value> { fatalError() }
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        fatalError()
    }
}

@propertyWrapper @dynamicMemberLookup public struct Bindable<Value> {
    public init(wrappedValue: Value) where Value: AnyObject & Observable { fatalError() }
    public var wrappedValue: Value
    public var projectedValue: Bindable<Value> { fatalError() }
    public subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>) -> Binding<Subject>
    where Value: AnyObject { fatalError() }
}

@propertyWrapper public struct State<Value> {
    public init(wrappedValue: Value) { fatalError() }
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set { fatalError() }
    }
    public var projectedValue: Binding<Value> { fatalError() }
}

@propertyWrapper public struct Environment<Value> {
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { fatalError() }
    public var wrappedValue: Value { fatalError() }
}

public struct EnvironmentValues: Sendable {
    public var dismiss: DismissAction { fatalError() }
}

@MainActor @preconcurrency public struct DismissAction {
    public func callAsFunction() { fatalError() }
}

public struct ButtonRole: Equatable, Sendable {
    public static let cancel = ButtonRole()
    public static let destructive = ButtonRole()
}

public struct Text: View, Equatable, Sendable {
    public nonisolated init<Content: StringProtocol>(_ content: Content) { fatalError() }
    public var body: Never { fatalError() }
}

public struct Button<Label: View>: View {
    @preconcurrency
    public nonisolated init<Title: StringProtocol>(
        _ title: Title, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void
    ) where Label == Text { fatalError() }
    public var body: Never { fatalError() }
}

public struct TextField<Label: View>: View {
    public nonisolated init<Title: StringProtocol>(_ title: Title, text: Binding<String>) where Label == Text {
        fatalError()
    }
    public var body: Never { fatalError() }
}

public struct Toggle<Label: View>: View {
    public nonisolated init<Title: StringProtocol>(_ title: Title, isOn: Binding<Bool>) where Label == Text {
        fatalError()
    }
    public var body: Never { fatalError() }
}

public struct ProgressView<Label: View>: View {
    public nonisolated init() where Label == EmptyView { fatalError() }
    public var body: Never { fatalError() }
}

@MainActor @preconcurrency public struct List<Content: View>: View {
    public init(@ViewBuilder content: () -> Content) { fatalError() }
    public var body: Never { fatalError() }
}

public struct Form<Content: View>: View {
    public nonisolated init(@ViewBuilder content: () -> Content) { fatalError() }
    public var body: Never { fatalError() }
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content>: View where Content: View {
    public nonisolated init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
    where Data.Element: Identifiable, ID == Data.Element.ID { fatalError() }
    public var body: Never { fatalError() }
}

@MainActor @preconcurrency public struct NavigationStack<Data, Root: View>: View {
    public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
    where Data: MutableCollection & RandomAccessCollection & RangeReplaceableCollection, Data.Element: Hashable {
        fatalError()
    }
    public var body: Never { fatalError() }
}

public struct NavigationLink<Label: View, Destination: View>: View {
    public nonisolated init<Title: StringProtocol, Value: Hashable>(_ title: Title, value: Value?)
    where Label == Text, Destination == Never { fatalError() }
    public var body: Never { fatalError() }
}

extension View {
    public nonisolated func navigationTitle<Title: StringProtocol>(_ title: Title) -> some View { EmptyView() }

    public nonisolated func navigationDestination<Data: Hashable, Content: View>(
        for data: Data.Type, @ViewBuilder destination: @escaping (Data) -> Content
    ) -> some View { EmptyView() }

    public nonisolated func searchable<Prompt: StringProtocol>(text: Binding<String>, prompt: Prompt) -> some View {
        EmptyView()
    }

    public nonisolated func refreshable(action: @escaping @Sendable () async -> Void) -> some View { EmptyView() }

    public nonisolated func task(
        priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View { EmptyView() }

    public nonisolated func onAppear(perform action: (() -> Void)? = nil) -> some View { EmptyView() }

    public nonisolated func disabled(_ disabled: Bool) -> some View { EmptyView() }

    public nonisolated func alert<Title: StringProtocol, Actions: View, Message: View>(
        _ title: Title, isPresented: Binding<Bool>, @ViewBuilder actions: () -> Actions,
        @ViewBuilder message: () -> Message
    ) -> some View { EmptyView() }

    public nonisolated func sheet<Item: Identifiable, Content: View>(
        item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View { EmptyView() }
}
