import Streams
import StreamsTesting

/// The events that a stream emits during subscription: `1 2 |`, with `!` and the error on failure.
func trace<Stream: ObservableConvertibleType>(_ stream: Stream) -> String {
    var words: [String] = []
    let subscription = stream.asObservable().subscribe { event in
        switch event {
        case .next(let element): words.append("\(element)")
        case .error(let error): words.append("!\(error)")
        case .completed: words.append("|")
        }
    }
    subscription.dispose()
    return words.joined(separator: " ")
}

enum Failure: Error {
    case expected
}

/// A reference type that is not `Sendable`, like most types in Rx code.
final class Label {
    var text = ""
    var number: Int?
    var isHidden = false
}
