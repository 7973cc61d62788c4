/// A file that the user has picked.
public struct PickedFile: Sendable {
    /// The name without folders.
    public let name: String
    /// Reads the content. Where the file cannot be used, throws ``ScreenFailure/file(_:_:)`` with the reason.
    public let read: @Sendable () throws -> Data

    /// The largest file that an edge passes on, in bytes.
    public static let maximumSize = 15 << 20

    public init(name: String, read: @escaping @Sendable () throws -> Data) {
        (self.name, self.read) = (name, read)
    }

    public init(name: String, bytes: Data) {
        self.init(name: name) { bytes }
    }

    /// A file that an edge cannot pass on.
    public init(name: String, problem: Text) {
        self.init(name: name) { throw ScreenFailure.file(name, problem) }
    }
}

/// The files that the user has picked together: one import.
public struct PickedFiles: Sendable {
    public let files: [PickedFile]
    /// The trip to which they are added; `nil` for the one that has some of them, or else a new one.
    public let trip: Trip.ID?

    public init(_ files: [PickedFile], into trip: Trip.ID? = nil) {
        (self.files, self.trip) = (files, trip)
    }

    /// What a message calls them: the name of the only one, or their number.
    public var text: Text {
        if files.count == 1 { return Text(files[0].name, files[0].name) }
        return Text("\(files.count) files", "파일 \(files.count)개")
    }
}

/// The trip that picked files have become, or to which they were added.
public struct ImportedTrip: Hashable, Sendable {
    public enum Outcome: Hashable, Sendable {
        case made
        case extended
        /// The trip has had everything.
        case unchanged
    }

    public let trip: Trip.ID
    public let outcome: Outcome
    /// What the import has guessed, estimated or corrected, a sentence each.
    public let notes: [Text]
    /// The files that were left out.
    public let leftOut: [LeftOutFile]

    public init(_ trip: Trip.ID, _ outcome: Outcome, notes: [Text] = [], leftOut: [LeftOutFile] = []) {
        (self.trip, self.outcome, self.notes, self.leftOut) = (trip, outcome, notes, leftOut)
    }
}

/// A file that an import has left out, and the reason.
public struct LeftOutFile: Hashable, Sendable {
    public let name: String
    public let problem: Text

    public init(_ name: String, _ problem: Text) {
        (self.name, self.problem) = (name, problem)
    }
}

extension ScreenFailure {
    /// The files that were left out, at most five names for each reason; `nil` for none.
    public init?(leavingOut files: [LeftOutFile]) {
        guard let first = files.first else { return nil }
        var problems: [Text] = []
        for file in files where !problems.contains(file.problem) { problems.append(file.problem) }
        func names(_ problem: Text) -> String {
            let names = files.filter { $0.problem == problem }.map(\.name)
            return names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
        }
        let text = problems.dropFirst().reduce(first.problem) { text, problem in
            Text(
                "\(text.english); \(names(problem)): \(problem.english)",
                "\(text.korean); \(names(problem)): \(problem.korean)")
        }
        self = .file(names(first.problem), text)
    }
}

/// Imports the photos and tracks that the user picks.
///
/// - Files that are picked together are one import. Imports are done one after another, in their order.
/// - A trip that is made of files opens. So does another than that to which they were to be added, because it has them.
/// - A notice says what has become of the files, with what the import has guessed; another one names those that were left out,
///   or says why the import has failed. An import that fails does not stop those after it.
/// - Cancelling cancels the import that is being done and removes those that wait. What was stored stays, which a notice says.
public struct FileImportViewModel: ViewModel {
    public struct Input: Sendable {
        public let filesPicked: Observable<PickedFiles>
        public let cancelTapped: Observable<Void>

        public init(filesPicked: Observable<PickedFiles>, cancelTapped: Observable<Void>) {
            (self.filesPicked, self.cancelTapped) = (filesPicked, cancelTapped)
        }
    }

    public struct Output: Sendable {
        /// What is being imported, or waits, as messages call it.
        public let working: Driver<[Text]>
        public let events: Signal<ScreenEvent>
    }

    private let importFiles: @Sendable (PickedFiles) async throws -> ImportedTrip

    /// - Parameter importFiles: Imports files; its error is shown with what they are called.
    public init(_ importFiles: @escaping @Sendable (PickedFiles) async throws -> ImportedTrip) {
        self.importFiles = importFiles
    }

    public func transform(_ input: Input) -> Output {
        let picked = input.filesPicked.filter { !$0.files.isEmpty }.share()
        let imports = picked.concatMap { [importFiles] files in
            Step.ended(files, await Result { try await importFiles(files) })
        }
        // One stream, in which files are picked before their import can end, on whichever thread that happens; and in which
        // nothing ends that was cancelled. It begins as after a cancellation, with nothing.
        let progress = input.cancelTapped.startWith(()).flatMapLatest {
            Observable.merge(.just(Step.cancelled), picked.map { Step.picked($0.text) }, imports)
        }
        .scan(into: Progress()) { $0.take($1) }
        .share()
        let working = progress.map(\.working).distinctUntilChanged()
        let events = progress.flatMap { Observable.from($0.events) }
        return Output(
            working: working.asDriver(onErrorDriveWith: .empty()), events: events.asSignal(onErrorSignalWith: .empty()))
    }

    private enum Step: Sendable {
        case picked(Text)
        case ended(PickedFiles, Result<ImportedTrip, ScreenFailure>)
        case cancelled
    }

    private struct Progress: Sendable {
        var working: [Text] = []
        /// What the last step has caused.
        var events: [ScreenEvent] = []

        mutating func take(_ step: Step) {
            events = []
            switch step {
            case .picked(let text): working.append(text)
            case .ended(let files, let result):
                // They end in the order in which they were picked.
                working.removeFirst()
                events = FileImportViewModel.events(of: result, from: files)
            case .cancelled:
                if !working.isEmpty { events = [.notice(.done(.cancelled(working)))] }
                working = []
            }
        }
    }

    private static func events(
        of result: Result<ImportedTrip, ScreenFailure>, from picked: PickedFiles
    ) -> [ScreenEvent] {
        switch result {
        case .success(let imported): events(of: imported, from: picked)
        case .failure(.file(let name, let problem)): [.notice(.failed(.file(name, problem)))]
        case .failure(let failure):
            [.notice(.failed(picked.files.count == 1 ? .file(picked.files[0].name, failure.text) : failure))]
        }
    }

    private static func events(of imported: ImportedTrip, from picked: PickedFiles) -> [ScreenEvent] {
        let files = picked.text
        var events: [ScreenEvent] = imported.trip == picked.trip ? [] : [.open(.trip(imported.trip))]
        let text: Text =
            switch imported.outcome {
            case .made: .imported(files)
            case .extended: .added(files)
            case .unchanged: imported.trip == picked.trip ? .nothingNew(files) : .importedBefore(files)
            }
        let notes = imported.notes.reduce(text) {
            Text("\($0.english) \($1.english)", "\($0.korean) \($1.korean)")
        }
        events.append(.notice(.done(notes)))
        if let failure = ScreenFailure(leavingOut: imported.leftOut) { events.append(.notice(.failed(failure))) }
        return events
    }
}

extension Text {
    fileprivate static func imported(_ files: Text) -> Text {
        Text("Made a trip of \(files.english).", "\(files.korean): 여행으로 가져왔습니다.")
    }

    fileprivate static func cancelled(_ imports: [Text]) -> Text {
        let (english, korean) = (imports.map(\.english), imports.map(\.korean))
        return Text(
            "Cancelled the import of \(english.joined(separator: ", ")). What it had stored stays. Import the files again to add the rest.",
            "\(korean.joined(separator: ", ")) 가져오기를 취소했습니다. 저장한 것은 남아 있습니다. 다시 가져오면 나머지를 더합니다.")
    }

    fileprivate static func added(_ files: Text) -> Text {
        Text("Added to the trip: \(files.english).", "\(files.korean): 여행에 더했습니다.")
    }

    fileprivate static func nothingNew(_ files: Text) -> Text {
        Text("Nothing new: the trip has \(files.english) already.", "\(files.korean): 이미 이 여행에 있어 더한 것이 없습니다.")
    }

    fileprivate static func importedBefore(_ files: Text) -> Text {
        Text("Imported before: this is the trip of \(files.english).", "\(files.korean): 이미 가져온 파일입니다. 그 여행을 열었습니다.")
    }
}
