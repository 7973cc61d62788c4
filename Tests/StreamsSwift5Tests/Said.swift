import Streams
import StreamsTesting

/// What a stream says while it is being subscribed to: `1 2 |`, with `!` and the error where it fails.
func said<Stream: ObservableConvertibleType>(_ stream: Stream) -> String {
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

/// A reference type that is not `Sendable`, as most of those that Rx code deals with.
final class Label {
    var text = ""
    var number: Int?
    var isHidden = false
}
