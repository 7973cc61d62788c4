/// A file that the user has picked: its name and its content.
public struct PickedFile: Sendable {
    /// The name without folders.
    public let name: String
    public let bytes: Data

    /// The largest file that an edge passes on, in bytes.
    public static let maximumSize = 15 << 20

    public init(name: String, bytes: Data) {
        (self.name, self.bytes) = (name, bytes)
    }
}

/// The trip that a track file has become.
public struct ImportedTrip: Hashable, Sendable {
    public let trip: Trip.ID
    /// Whether this import has made it; otherwise an earlier one of the same track has.
    public let isNew: Bool
    /// What the import has guessed, estimated or left out, a sentence each.
    public let notes: [Text]

    public init(_ trip: Trip.ID, isNew: Bool, notes: [Text] = []) {
        (self.trip, self.isNew, self.notes) = (trip, isNew, notes)
    }
}

/// Imports the track files that the user picks.
///
/// - They are imported one after another, in their order; each becomes a trip, which opens.
/// - A notice names the file, with what the import has guessed or left out, or why it has failed. A file that fails changes
///   nothing, and those after it are imported.
/// - A track that was imported before opens the trip that it has become then.
public struct TrackImportViewModel: ViewModel {
    public struct Input: Sendable {
        public let filePicked: Observable<PickedFile>

        public init(filePicked: Observable<PickedFile>) {
            self.filePicked = filePicked
        }
    }

    public struct Output: Sendable {
        /// The names of the files that are being imported, or wait.
        public let working: Driver<[String]>
        public let events: Signal<ScreenEvent>
    }

    private let importTrack: @Sendable (PickedFile) async throws -> ImportedTrip

    /// - Parameter importTrack: Imports a file; its error is shown with the name of the file.
    public init(_ importTrack: @escaping @Sendable (PickedFile) async throws -> ImportedTrip) {
        self.importTrack = importTrack
    }

    public func transform(_ input: Input) -> Output {
        let files = input.filePicked.share()
        // One stream, in which a file is picked before its import can end, on whichever thread that happens.
        let steps = Observable.merge(
            files.map { Step.picked($0.name) },
            files.concatMap { [importTrack] file in
                Step.ended(file.name, await Result { try await importTrack(file) })
            }
        )
        .share()
        let working = steps.scan(into: [String]()) { names, step in
            switch step {
            case .picked(let name): names.append(name)
            // They end in the order in which they were picked.
            case .ended: names.removeFirst()
            }
        }
        .startWith([])
        let events = steps.flatMap { step -> Observable<ScreenEvent> in
            switch step {
            case .picked: .empty()
            case .ended(let name, .success(let imported)):
                .of(.open(.trip(imported.trip)), .notice(.done(Self.text(of: imported, from: name))))
            case .ended(_, .failure(.file(let name, let problem))): .just(.notice(.failed(.file(name, problem))))
            case .ended(let name, .failure(let failure)): .just(.notice(.failed(.file(name, failure.text))))
            }
        }
        return Output(
            working: working.asDriver(onErrorDriveWith: .empty()), events: events.asSignal(onErrorSignalWith: .empty()))
    }

    private enum Step: Sendable {
        case picked(String)
        case ended(String, Result<ImportedTrip, ScreenFailure>)
    }

    private static func text(of imported: ImportedTrip, from name: String) -> Text {
        let text: Text = imported.isNew ? .imported(name) : .importedBefore(name)
        return imported.notes.reduce(text) { Text("\($0.english) \($1.english)", "\($0.korean) \($1.korean)") }
    }
}

extension Text {
    fileprivate static func imported(_ name: String) -> Text {
        Text("\(name) is now a trip.", "\(name): 여행으로 가져왔습니다.")
    }

    fileprivate static func importedBefore(_ name: String) -> Text {
        Text("\(name) was imported before: this is its trip.", "\(name): 이미 가져온 기록입니다. 그 여행을 열었습니다.")
    }
}
