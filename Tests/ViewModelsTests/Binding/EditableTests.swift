import Streams
import StreamsTesting
import Synchronization
import TestTurns
import Testing
import ViewModels
import ViewModelsTesting

@Suite("Editable values", .takesTurns, .nothingSurvives)
@MainActor
struct EditableTests {
    /// Records the edits.
    private final class Edits: Sendable {
        private let received = Mutex<[String]>([])
        private let bag = DisposeBag()

        init(_ edits: Observable<String>) {
            edits.subscribe(onNext: { [weak self] text in self?.received.withLock { $0.append(text) } })
                .disposed(by: bag)
        }

        var all: [String] { received.withLock { $0 } }
    }

    @Test("an editable emits each edit of the person, and nothing before")
    func edits() {
        let title = Editable("a")
        let edits = Edits(title.edits)
        #expect(edits.all == [])
        title.value = "ab"
        let late = Edits(title.edits)
        title.value = "abc"
        #expect(edits.all == ["ab", "abc"])
        #expect(late.all == ["abc"])
    }

    @Test("the values of an editable begin with the current value, followed by the edits")
    func values() {
        let program = PublishRelay<String>()
        let title = Editable("a")
        title.follow(program.asDriver(onErrorJustReturn: ""))
        let values = Edits(title.values)
        title.value = "ab"
        program.accept("loaded")
        let late = Edits(title.values)
        title.value = "abc"
        #expect(values.all == ["a", "ab", "abc"])
        #expect(late.all == ["loaded", "abc"])
    }

    @Test("a value of the program replaces that of an editable, and is not an edit")
    func program() {
        let program = PublishRelay<String>()
        let title = Editable("a")
        let edits = Edits(title.edits)
        title.follow(program.asDriver(onErrorJustReturn: ""))
        program.accept("loaded")
        #expect(title.value == "loaded")
        #expect(edits.all == [])
        title.value = "loaded by hand"
        #expect(edits.all == ["loaded by hand"])
    }

    @Test("a program that answers every edit of an editable does not receive its own answer")
    func noEcho() {
        let title = Editable("")
        let questions = Mutex<[String]>([])
        let answers = title.edits
            .do(onNext: { text in questions.withLock { $0.append(text) } })
            .map { String($0.prefix(3)) }
        title.follow(answers.asDriver(onErrorJustReturn: ""))
        title.value = "abc"
        title.value = "abcd"
        #expect(title.value == "abc")
        title.value = "abce"
        #expect(title.value == "abc")
        #expect(questions.withLock { $0 } == ["abc", "abcd", "abce"])
    }

    @Test("a view of an editable is updated for changes by edits and by the program")
    func observation() {
        let program = BehaviorRelay(value: "a")
        let title = Editable("a")
        title.follow(program.asDriver())
        #expect(isInvalidated(title.value) { title.value = "b" })
        #expect(!isInvalidated(title.value) { title.value = "b" })
        #expect(isInvalidated(title.value) { program.accept("c") })
        #expect(!isInvalidated(title.value) { program.accept("c") })
    }

    @Test("setting an equal value of an editable is not an edit")
    func sameValue() {
        let title = Editable("a")
        let edits = Edits(title.edits)
        title.value = "a"
        #expect(edits.all == [])
    }

    @Test("two editables that follow and edit one relay agree without an echo")
    func twoEditors() {
        let relay = BehaviorRelay(value: "")
        let bag = DisposeBag()
        let accepted = Edits(relay.asObservable())
        let editors = [Editable(""), Editable("")]
        for editor in editors {
            editor.edits.bind(to: relay).disposed(by: bag)
            editor.follow(relay.asDriver())
        }
        editors[0].value = "left"
        editors[1].value = "right"
        #expect(editors.map(\.value) == ["right", "right"])
        #expect(accepted.all == ["", "left", "right"])
    }

    @Test("releasing an editable ends its subscriptions, and its drivers and observers do not retain it")
    func life() {
        let program = PublishSubject<String>()
        expectNothingSurvives {
            var title: Editable? = Editable("")
            weak let released = title
            let edits = title.map { Edits($0.edits) }
            title?.follow(program.asDriver(onErrorJustReturn: ""))
            #expect(program.hasObservers)
            title = nil
            #expect(released == nil)
            #expect(!program.hasObservers)
            withExtendedLifetime(edits) {}
        }
    }
}
