import Streams

/// What a stream says, drawn as a line of text: `--a-b--(c|)`.
///
/// Every character is one frame of ``TestScheduler/frame`` ticks:
/// - `-` nothing happens;
/// - a letter or digit: that element;
/// - `|` completion, `#` an error;
/// - `(ab|)` all at once, in the frame of the parenthesis; the frames of the others pass in silence, so that lines that
///   stand below each other stay aligned;
/// - `^`, in a hot stream: now; what is before has been said already;
/// - spaces are for alignment alone: they take no time.
struct Marbles {
    enum Mark: Equatable {
        case element(Character)
        case completed
        case error
        case now
    }

    /// The marks and their frames; frame 0 is the first character, or that of `^`.
    let marks: [(frame: Int, mark: Mark)]

    /// A line is a constant of the test: one that does not say anything sensible stops it.
    init(_ line: String) {
        var marks: [(frame: Int, mark: Mark)] = []
        var group: Int?
        for (frame, character) in line.filter({ !$0.isWhitespace }).enumerated() {
            switch character {
            case "-": precondition(group == nil, "`-` inside parentheses in the marbles \(line)")
            case "(":
                precondition(group == nil, "nested parentheses in the marbles \(line)")
                group = frame
            case ")":
                precondition(group != nil, "`)` without `(` in the marbles \(line)")
                group = nil
            case "|": marks.append((group ?? frame, .completed))
            case "#": marks.append((group ?? frame, .error))
            case "^": marks.append((group ?? frame, .now))
            default: marks.append((group ?? frame, .element(character)))
            }
        }
        precondition(group == nil, "`(` without `)` in the marbles \(line)")
        let now = marks.first { $0.mark == .now }?.frame ?? 0
        self.marks = marks.filter { $0.mark != .now }.map { ($0.frame - now, $0.mark) }
    }

    /// The events it stands for.
    func events<Element>(
        frame: Int, from start: TestTime, error: any Error, _ value: (Character) -> Element
    ) -> [Recorded<Event<Element>>] {
        marks.map { mark in
            let time = start + mark.frame * frame
            switch mark.mark {
            case .element(let character): return .next(time, value(character))
            case .error: return .error(time, error)
            case .completed, .now: return .completed(time)
            }
        }
    }
}

/// The error that `#` stands for, unless a test says otherwise.
public struct MarbleError: Error, Equatable {
    /// The error.
    public init() {}
}

/// Recorded events as marbles, as far as that goes.
///
/// - Parameter character: The character of an element; `nil` if it has none: then it is drawn as `?`.
func drawMarbles<Element>(
    _ events: [Recorded<Event<Element>>], frame: Int, from start: TestTime, character: (Element) -> Character?
) -> String {
    var line = ""
    var index = 0
    while index < events.count {
        let time = events[index].time
        var marks = ""
        while index < events.count, events[index].time == time {
            switch events[index].value {
            case .next(let element): marks.append(character(element) ?? "?")
            case .error: marks.append("#")
            case .completed: marks.append("|")
            }
            index += 1
        }
        let silence = (time - start) / frame - line.count
        line += String(repeating: "-", count: max(0, silence)) + (marks.count == 1 ? marks : "(\(marks))")
    }
    return line
}
