public import Streams

extension TestScheduler {
    /// The number of ticks of one character in a marble diagram.
    public static var frame: Int { 10 }

    // MARK: Streams

    /// Creates a hot stream that emits the events of a marble diagram; see
    /// ``expect(_:_:_:error:fileID:filePath:line:column:)``.
    ///
    /// ```swift
    /// let numbers = scheduler.hot("-a-b-|", ["a": 1, "b": 2])
    /// scheduler.expect(numbers.map { $0 * 10 }, "-a-b-|", ["a": 10, "b": 20])
    /// ```
    ///
    /// - Parameters:
    ///   - marbles: A diagram such as `--a-b--|`. Its start, or the position of `^`, is the current tick.
    ///   - values: The element for each character.
    ///   - error: The error for `#`.
    ///   - file: The file of the call, for diagnostics.
    ///   - line: The line of the call, for diagnostics.
    public func hot<Element: Sendable>(
        _ marbles: String, _ values: [Character: Element], error: any Error = MarbleError(),
        file: StaticString = #fileID, line: UInt = #line
    ) -> TestableObservable<Element> {
        createHotObservable(events(marbles, values, error, from: clock), file: file, line: line)
    }

    public func hot(
        _ marbles: String, error: any Error = MarbleError(), file: StaticString = #fileID, line: UInt = #line
    ) -> TestableObservable<String> {
        createHotObservable(events(marbles, error, from: clock), file: file, line: line)
    }

    /// Creates a cold stream that emits the events of a marble diagram for each subscription.
    ///
    /// ```swift
    /// let numbers = scheduler.cold("-a|", ["a": 1])
    /// scheduler.expect(numbers.concat(numbers), "-a-a|", ["a": 1])
    /// ```
    ///
    /// - Parameters:
    ///   - marbles: A diagram such as `--a-b--|`. Its start is the tick of the subscription.
    ///   - values: The element for each character.
    ///   - error: The error for `#`.
    ///   - file: The file of the call, for diagnostics.
    ///   - line: The line of the call, for diagnostics.
    public func cold<Element: Sendable>(
        _ marbles: String, _ values: [Character: Element], error: any Error = MarbleError(),
        file: StaticString = #fileID, line: UInt = #line
    ) -> TestableObservable<Element> {
        createColdObservable(events(marbles, values, error, from: 0), file: file, line: line)
    }

    public func cold(
        _ marbles: String, error: any Error = MarbleError(), file: StaticString = #fileID, line: UInt = #line
    ) -> TestableObservable<String> {
        createColdObservable(events(marbles, error, from: 0), file: file, line: line)
    }

    // MARK: Expectations

    /// Subscribes to `stream` now, runs all work, and fails the test unless the stream emitted the events of the
    /// diagram. A failure shows the expected and the recorded diagram one below the other.
    ///
    /// ```swift
    /// let scheduler = TestScheduler()
    /// let letters = scheduler.hot("-a-b-a--|")
    /// scheduler.expect(letters.filter { $0 == "a" }, "-a---a--|")
    /// ```
    ///
    /// - Parameters:
    ///   - stream: The stream to subscribe to.
    ///   - marbles: The expected events, from the current tick on.
    ///   - values: The element for each character.
    ///   - error: The error for `#`.
    ///   - fileID: The file of the call, for the report.
    ///   - filePath: The path of that file, for the report.
    ///   - line: The line of the call, for the report.
    ///   - column: The column of the call, for the report.
    public func expect<Stream: ObservableConvertibleType>(
        _ stream: Stream, _ marbles: String, _ values: [Character: Stream.Element],
        error: any Error = MarbleError(), fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) where Stream.Element: Equatable {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        let start = clock
        let expected = events(marbles, values, error, from: start)
        compare(recordToEnd(stream), expected, from: start, site) { element in
            values.first { $0.value == element }?.key
        }
    }

    /// Like ``expect(_:_:_:error:fileID:filePath:line:column:)``, for elements that are single characters.
    public func expect<Stream: ObservableConvertibleType>(
        _ stream: Stream, _ marbles: String, error: any Error = MarbleError(), fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) where Stream.Element == String {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        let start = clock
        let expected = events(marbles, error, from: start)
        compare(recordToEnd(stream), expected, from: start, site) { $0.count == 1 ? $0.first : nil }
    }

    /// Fails the test unless the stream was subscribed and disposed at the ticks of the diagrams: `--^---!`, one
    /// diagram for each subscription, without `!` if it was not disposed.
    ///
    /// ```swift
    /// let letters = scheduler.cold("-a-b-|")
    /// scheduler.expect(letters.take(1), "-(a|)")
    /// scheduler.expectSubscriptions(of: letters, "^!")
    /// ```
    ///
    /// - Parameters:
    ///   - stream: The subscribed stream.
    ///   - marbles: One diagram for each subscription.
    ///   - start: The tick of the first character.
    ///   - fileID: The file of the call, for the report.
    ///   - filePath: The path of that file, for the report.
    ///   - line: The line of the call, for the report.
    ///   - column: The column of the call, for the report.
    public func expectSubscriptions<Element: Sendable>(
        of stream: TestableObservable<Element>, _ marbles: String..., from start: TestTime = 0,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        let expected = marbles.map { marbles -> Subscription in
            let frames = marbles.filter { !$0.isWhitespace }.enumerated()
            let ticks = { (mark: Character) in
                frames.first { $0.element == mark }.map { start + $0.offset * Self.frame }
            }
            return Subscription(ticks("^") ?? start, ticks("!") ?? .max)
        }
        let recorded = stream.subscriptions
        if recorded == expected { return }
        CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
            .fail("recorded subscriptions  \(recorded)\nexpected subscriptions  \(expected)")
    }

    // MARK: Parts

    private func events<Element>(
        _ marbles: String, _ values: [Character: Element], _ error: any Error, from start: TestTime
    ) -> [Recorded<Event<Element>>] {
        Marbles(marbles).events(frame: Self.frame, from: start, error: error) { character in
            guard let value = values[character] else {
                preconditionFailure("no value for \"\(character)\" in the marbles \(marbles)")
            }
            return value
        }
    }

    private func events(
        _ marbles: String, _ error: any Error, from start: TestTime
    ) -> [Recorded<Event<String>>] {
        Marbles(marbles).events(frame: Self.frame, from: start, error: error) { String($0) }
    }

    private func recordToEnd<Stream: ObservableConvertibleType>(
        _ stream: Stream
    ) -> [Recorded<Event<Stream.Element>>] {
        let observer = createObserver(Stream.Element.self)
        let subscription = perform { stream.asObservable().subscribe(observer) }
        run()
        subscription.dispose()
        return observer.events
    }

    private func compare<Element: Equatable>(
        _ recorded: [Recorded<Event<Element>>], _ expected: [Recorded<Event<Element>>], from start: TestTime,
        _ site: CallSite, _ character: (Element) -> Character?
    ) {
        guard let difference = describeDifference(recorded, expected, ==) else { return }
        site.fail(
            """
            recorded  \(drawMarbles(recorded, frame: Self.frame, from: start, character: character))
            expected  \(drawMarbles(expected, frame: Self.frame, from: start, character: character))
            \(difference)\(replayNote(seed))
            """)
    }
}
