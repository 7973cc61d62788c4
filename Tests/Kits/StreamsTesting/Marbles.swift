import Streams

/// The events of a stream as a marble diagram: `--a-b--(c|)`.
///
/// Every character is one frame of ``TestScheduler/frame`` ticks:
/// - `-`: no event;
/// - a letter or digit: an element;
/// - `|`: completion; `#`: an error;
/// - `(ab|)`: several events in the frame of the opening parenthesis; no events occur in the frames of the other
///   characters, so that diagrams below each other stay aligned;
/// - `^`, in a hot stream: the current time; events before it have already been emitted;
/// - a space: alignment only, no time.
struct Marbles {
    enum Mark: Equatable {
        case element(Character)
        case completed
        case error
        case now
    }

    /// The marks and their frames; frame 0 is that of the first character, or of `^`.
    let marks: [(frame: Int, mark: Mark)]

    /// A diagram is a constant of the test, so an invalid one stops the program.
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

/// The default error for `#`.
///
/// ```swift
/// let letters = scheduler.cold("-a-#")
/// scheduler.expect(letters.catch { error in .just(error is MarbleError ? "b" : "c") }, "-a-(b|)")
/// ```
public struct MarbleError: Error, Equatable {
    public init() {}
}

/// Draws recorded events as a marble diagram, as far as possible.
///
/// - Parameter character: Returns the character for an element, or `nil` if there is none; it is then drawn as `?`.
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
