/// One of the types that have the operators of an ``ArityGenerator``, and what its overloads look like.
struct ArityFamily {
    /// The file, relative to the folder of the module.
    let path: String
    /// The type that is extended.
    let type: String
    /// What the parameters are called in the documentation.
    var streams = "streams"
    var isInlinable = true
    let selectingDocumentation: String
    let tupleDocumentation: String
    /// The generic parameter, the parameter, the element type and the condition with a number from 1.
    let generic: @Sendable (Int) -> String
    let parameter: @Sendable (Int) -> String
    let element: @Sendable (Int) -> String
    var condition: @Sendable (Int) -> String? = { _ in nil }
    /// The result type, and its generic arguments before the element type.
    let result: String
    var resultArguments: [String] = []
    /// The lines of the bodies, for a number of streams.
    let selectingBody: @Sendable (Int) -> [String]
    let tupleBody: @Sendable (Int) -> [String]

    /// The families that have the operator.
    static func all(of name: ArityGenerator.Operator) -> [ArityFamily] {
        let families = [observable(name), infallible(name), sharedSequence(name)]
        return name == .zip ? families + [primitiveSequence] : families
    }
}

/// What the documentation of an operator says for two streams.
private struct Rules {
    /// Without its final full stop.
    let selecting: String
    let tuple: String

    init(_ name: ArityGenerator.Operator, _ streams: String) {
        switch name {
        case .combineLatest:
            selecting = """
                Combines the latest elements of both \(streams) with `resultSelector`, whenever one of them emits an
                element and both have emitted one.
                """
            tuple = """
                Emits the latest elements of both \(streams), whenever one of them emits an element and both have
                emitted one.
                """
        case .zip:
            selecting = """
                Combines the first elements of both \(streams) with `resultSelector`, then the second ones, and so on.
                """
            tuple = "Emits the first elements of both \(streams), then the second ones, and so on."
        }
    }

    /// The rule, and what happens to an error of the result selector of a stream that cannot fail.
    var unfailing: String {
        """
        \(selecting)

        An error that `resultSelector` throws terminates the result although its type cannot fail: it is a programming
        error and is passed to ``Hooks/defaultErrorHandler``.
        """
    }
}

extension ArityFamily {
    private static func sources(_ count: Int) -> [String] { (1...count).map { "source\($0)" } }

    /// The lines of a body, which are indented by 8 in the file.
    private static func body(_ build: (inout Text) -> Void) -> [String] {
        var text = Text(indentation: 8)
        build(&text)
        return text.lines.map { String($0.dropFirst(8)) }
    }

    /// The lines of a body that wraps the operator of observables.
    private static func call(
        _ head: String, label: String = "", _ name: ArityGenerator.Operator, _ count: Int, isSelecting: Bool
    ) -> [String] {
        let arguments =
            sources(count).map { "\($0).asObservable()" } + (isSelecting ? ["resultSelector: resultSelector"] : [])
        return body { text in
            text.add(head)
            text.add("\(label)Observable.\(name)(", deeper: 4)
            text.add(list: arguments, deeper: 8, end: "))")
        }
    }

    private static func observable(_ name: ArityGenerator.Operator) -> ArityFamily {
        let letters = ["a", "b", "c", "d", "e", "f", "g", "h"]
        let rules = Rules(name, "streams")
        let isZip = name == .zip
        return ArityFamily(
            path: "Combining/\(isZip ? "Zip" : "CombineLatest")", type: "ObservableType",
            selectingDocumentation: isZip
                ? """
                \(rules.selecting)

                An element waits until the other stream has emitted its counterpart. Completes when all streams have
                completed: an active stream keeps the result from completing after another one has completed, and its
                elements are dropped once there is no counterpart. Fails when one stream fails or `resultSelector`
                throws.

                ```swift
                Observable.zip(Observable.of(1, 2, 3), Observable.of("a", "b")) { "\\($0)\\($1)" }    // 1a 2b |
                ```
                """
                : """
                \(rules.selecting)

                Completes when all streams have completed, or when the last active stream emits an element although
                another one completed without any. Fails when one stream fails or `resultSelector` throws.

                ```swift
                Observable.combineLatest(Observable.of(1, 2), Observable.of(10, 20)) { $0 + $1 }    // 11 12 22 |
                ```
                """,
            tupleDocumentation: isZip
                ? """
                \(rules.tuple)

                ```swift
                Observable.zip(Observable.of(1, 2), Observable.of("a", "b"))    // (1, "a") (2, "b") |
                ```
                """
                : """
                \(rules.tuple)

                ```swift
                Observable.combineLatest(Observable.of(1, 2), Observable.just("a"))    // (1, "a") (2, "a") |
                ```
                """,
            generic: { "O\($0): ObservableType" }, parameter: { "_ source\($0): O\($0)" },
            element: { "O\($0).Element" }, result: "Observable",
            selectingBody: { count in
                let names = letters.prefix(count)
                return body { text in
                    text.add("Observable(run: { sink in")
                    text.add(
                        "let all = CombineCoordinator(of: \(count), into: sink.chain"
                            + "\(isZip ? ", waitingForAllCompletions: true" : ""))", deeper: 4)
                    for (number, name) in zip(1..., names) {
                        text.add(
                            "let \(name) = \(isZip ? "Zip" : "CombineLatest")Source<O\(number).Element>(all)", deeper: 4
                        )
                    }
                    text.add("let send = sink.sending {", deeper: 4)
                    let arguments = names.map { isZip ? "\($0).take()" : "\($0).element" }
                    text.add("try resultSelector(", arguments, ")", deeper: 8)
                    text.add("}", deeper: 4)
                    for (number, name) in zip(1..., names) {
                        text.add("\(name).connect(source\(number), send)", deeper: 4)
                    }
                    text.add("})")
                }
            },
            tupleBody: { count in
                let arguments = (0..<count).map { "$\($0)" }.joined(separator: ", ")
                return body { $0.add("Observable.\(name)(", sources(count), ") { (\(arguments)) }") }
            })
    }

    private static func documentation(_ rules: String, example: String) -> String {
        """
        \(rules)

        ```swift
        \(example)
        ```
        """
    }

    private static func infallible(_ name: ArityGenerator.Operator) -> ArityFamily {
        let rules = Rules(name, "streams")
        let isZip = name == .zip
        return ArityFamily(
            path: "Traits/Infallible/Infallible+\(isZip ? "Zip" : "CombineLatest")", type: "InfallibleType",
            selectingDocumentation: documentation(
                rules.unfailing,
                example: isZip
                    ? #"Infallible.zip(Infallible.of(1, 2, 3), Infallible.of("a", "b")) { "\($0)\($1)" }    // 1a 2b |"#
                    : "Infallible.combineLatest(Infallible.of(1, 2), Infallible.of(10, 20)) { $0 + $1 }    // 11 12 22 |"
            ),
            tupleDocumentation: documentation(
                rules.tuple,
                example: isZip
                    ? #"Infallible.zip(Infallible.of(1, 2), Infallible.of("a", "b"))    // (1, "a") (2, "b") |"#
                    : #"Infallible.combineLatest(Infallible.of(1, 2), Infallible.just("a"))    // (1, "a") (2, "a") |"#),
            generic: { "I\($0): InfallibleType" }, parameter: { "_ source\($0): I\($0)" },
            element: { "I\($0).Element" }, result: "Infallible",
            selectingBody: { call("Infallible(", name, $0, isSelecting: true) },
            tupleBody: { call("Infallible(", name, $0, isSelecting: false) })
    }

    private static func sharedSequence(_ name: ArityGenerator.Operator) -> ArityFamily {
        let rules = Rules(name, "sequences")
        let isZip = name == .zip
        return ArityFamily(
            path: "Traits/SharedSequence/SharedSequence+\(isZip ? "Zip" : "CombineLatest")",
            type: "SharedSequenceConvertibleType", streams: "sequences", isInlinable: false,
            selectingDocumentation: documentation(
                rules.unfailing,
                example: isZip
                    ? #"Driver.zip(Driver.of(1, 2, 3), Driver.of("a", "b")) { "\($0)\($1)" }    // a driver of 1a and 2b"#
                    : "Driver.combineLatest(name, password) { !$0.isEmpty && !$1.isEmpty }    // both have text"),
            tupleDocumentation: documentation(
                rules.tuple,
                example: isZip
                    ? #"Driver.zip(Driver.of(1, 2), Driver.of("a", "b"))    // a driver of (1, "a") and (2, "b")"#
                    : "Driver.combineLatest(name, password)    // a driver of the latest name and password"),
            generic: { "O\($0): SharedSequenceConvertibleType" }, parameter: { "_ source\($0): O\($0)" },
            element: { "O\($0).Element" }, condition: { "O\($0).SharingStrategy == SharingStrategy" },
            result: "SharedSequence", resultArguments: ["SharingStrategy"],
            selectingBody: { call("SharedSequence(", name, $0, isSelecting: true) },
            tupleBody: { call("SharedSequence(", name, $0, isSelecting: false) })
    }

    private static let primitiveSequence = ArityFamily(
        path: "Traits/PrimitiveSequence/PrimitiveSequence+Zip", type: "PrimitiveSequenceType",
        selectingDocumentation: """
            Combines the elements of both sequences with `resultSelector`.

            Fails when one of them fails. If a ``Maybe`` among them completes without an element, the result completes
            when all sequences have completed.

            ```swift
            Single.zip(profile, posts) { Page(profile: $0, posts: $1) }
            ```
            """,
        tupleDocumentation: documentation(
            "Emits the elements of both sequences. Fails when one of them fails.",
            example: #"Single.zip(Single.just(1), Single.just("a"))    // (1, "a") |"#),
        generic: { "E\($0): Sendable" }, parameter: { "_ source\($0): PrimitiveSequence<Trait, E\($0)>" },
        element: { "E\($0)" }, result: "PrimitiveSequence", resultArguments: ["Trait"],
        selectingBody: { call("PrimitiveSequence(", label: "raw: ", .zip, $0, isSelecting: true) },
        tupleBody: { call("PrimitiveSequence(", label: "raw: ", .zip, $0, isSelecting: false) })
}
