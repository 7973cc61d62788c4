internal import TravelPages

/// The page in a private file that signs a browser in: a form with a secret, which sends itself.
struct OpeningPage {
    /// The names of the app, the best first: a browser that does not resolve names below `localhost` needs the other one.
    let hosts: [String]
    let secret: String
    let language: Language

    var data: Data {
        HTML("html", ["lang": language.tag]) {
            HTML("head") {
                HTML("meta", ["charset": "utf-8"])
                HTML("meta", ["name": "color-scheme", "content": "light dark"])
                HTML("title") { "Traveline" }
            }
            HTML("body") {
                for (index, host) in hosts.enumerated() {
                    HTML("form", ["method": "post", "action": "http://\(host)\(ScreenAddress.base)/open"]) {
                        HTML("input", ["type": "hidden", "name": "secret", "value": secret])
                        HTML("button", ["autofocus": index == 0 ? "autofocus" : nil]) {
                            language[index == 0 ? .openApp : .openAppByNumber]
                        }
                    }
                }
                Self.script
            }
        }.document(.html)
    }

    /// Sends the first form.
    private static let script = HTML.script("document.forms[0].submit()")
}

extension Text {
    fileprivate static let openApp = Text("Open Traveline", "Traveline 열기")
    fileprivate static let openAppByNumber = Text(
        "If that does not open: open it at 127.0.0.1", "열리지 않으면 127.0.0.1에서 열기")
}
