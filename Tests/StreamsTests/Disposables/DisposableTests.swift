import Streams
import StreamsTesting
import Testing
import TestConcurrency

@Suite("Disposables", .limitedConcurrency)
struct DisposableTests {
    private func noting(_ log: Record, _ name: String) -> any Cancelable {
        Disposables.create { log.add(name) }
    }

    @Test("an anonymous disposable runs its action once")
    func action() async {
        let count = Counter()
        let disposable = Disposables.create { count.add(1) }
        #expect(!disposable.isDisposed)
        await withTaskGroup { group in
            for _ in 0..<8 { group.addTask { disposable.dispose() } }
        }
        #expect(count.value == 1)
        #expect(disposable.isDisposed)
    }

    @Test("Disposables.create disposes in the given order")
    func several() {
        let log = Record()
        let (a, b, c, d) = (noting(log, "a"), noting(log, "b"), noting(log, "c"), noting(log, "d"))
        Disposables.create(a, b).dispose()
        #expect(log.text == "a b")
        Disposables.create(a, b, c).dispose()
        #expect(log.text == "a b c")
        Disposables.create([c, d]).dispose()
        #expect(log.text == "a b c d")
        Disposables.create().dispose()
        let five = Record()
        Disposables.create(
            noting(five, "1"), noting(five, "2"), noting(five, "3"), noting(five, "4"), noting(five, "5")
        ).dispose()
        #expect(five.text == "1 2 3 4 5")
        let composite = Record()
        CompositeDisposable(
            noting(composite, "1"), noting(composite, "2"), noting(composite, "3"), noting(composite, "4"),
            noting(composite, "5")
        ).dispose()
        #expect(composite.text == "1 2 3 4 5")
    }

    @Test("a boolean disposable records its disposal")
    func boolean() {
        let disposable = BooleanDisposable()
        #expect(!disposable.isDisposed)
        disposable.dispose()
        #expect(disposable.isDisposed)
        #expect(BooleanDisposable(isDisposed: true).isDisposed)
    }

    @Test("a composite disposable disposes removed and late disposables immediately")
    func composite() throws {
        let log = Record()
        let composite = CompositeDisposable()
        let key = try #require(composite.insert(noting(log, "a")))
        composite.insert(noting(log, "b"))
        #expect(composite.count == 2)
        composite.remove(for: key)
        composite.remove(for: key)
        #expect(log.text == "a")
        #expect(composite.count == 1)
        composite.dispose()
        composite.dispose()
        #expect(log.text == "a b")
        #expect(composite.isDisposed)
        #expect(composite.insert(noting(log, "c")) == nil)
        #expect(log.text == "a b c")
        #expect(composite.count == 0)
    }

    @Test("a composite disposable keeps its order after removals", arguments: 0..<20)
    func compositeModel(seed: Int) {
        var random = seed &* 0x5851_F42D
        func next(_ bound: Int) -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(UInt(bitPattern: random) >> 33) % bound
        }
        let log = Record()
        let composite = CompositeDisposable(noting(log, "first"), noting(log, "second"))
        var kept: [(key: CompositeDisposable.DisposeKey, name: String)] = []
        var expected: [String] = []
        for step in 0..<400 {
            if kept.isEmpty || next(100) < 55 {
                guard let key = composite.insert(noting(log, "\(step)")) else { return }
                kept.append((key, "\(step)"))
            } else {
                let removed = kept.remove(at: [0, kept.count - 1, next(kept.count)][next(3)])
                composite.remove(for: removed.key)
                composite.remove(for: removed.key)
                expected.append(removed.name)
            }
            #expect(composite.count == kept.count + 2)
        }
        composite.dispose()
        #expect(log.words == expected + ["first", "second"] + kept.map(\.name))
        for key in kept.map(\.key) { composite.remove(for: key) }
        #expect(composite.count == 0)
    }

    @Test("a serial disposable disposes the previous one")
    func serial() {
        let log = Record()
        let serial = SerialDisposable()
        serial.disposable = noting(log, "a")
        #expect(log.text == "")
        serial.disposable = noting(log, "b")
        #expect(log.text == "a")
        serial.dispose()
        #expect(serial.isDisposed)
        serial.disposable = noting(log, "c")
        #expect(log.text == "a b c")
    }

    @Test("a single-assignment disposable can be set before or after disposal")
    func singleAssignment() {
        let log = Record()
        let early = SingleAssignmentDisposable()
        early.setDisposable(noting(log, "a"))
        #expect(!early.isDisposed)
        early.dispose()
        let late = SingleAssignmentDisposable()
        late.dispose()
        late.setDisposable(noting(log, "b"))
        #expect(late.isDisposed)
        #expect(log.text == "a b")
    }

    @Test("a dispose bag disposes its disposables on deallocation")
    func bag() {
        let log = Record()
        var bag: DisposeBag? = DisposeBag()
        noting(log, "a").disposed(by: bag!)
        bag!.insert(noting(log, "b"), noting(log, "c"))
        bag!.insert([noting(log, "d")])
        bag!.insert {
            noting(log, "e")
            noting(log, "f")
        }
        #expect(log.text == "")
        bag = nil
        #expect(log.text == "a b c d e f")
        bag = DisposeBag(disposing: noting(log, "g"), noting(log, "h"))
        bag = DisposeBag(disposing: [noting(log, "i")])
        bag = DisposeBag { noting(log, "j") }
        bag = nil
        #expect(log.text == "a b c d e f g h i j")
    }

    @Test("a dispose bag disposes values, objects of other modules and empty disposables, each once")
    func bagOfOtherTypes() {
        struct Value: Disposable {
            let log: Record

            func dispose() { log.add("value") }
        }
        final class Object: Disposable {
            let log: Record

            init(_ log: Record) { self.log = log }

            func dispose() { log.add("object") }
        }
        let log = Record()
        var bag: DisposeBag? = DisposeBag(disposing: Value(log: log), Object(log), Disposables.create())
        Value(log: log).disposed(by: bag!)
        #expect(log.text == "")
        bag = nil
        #expect(log.text == "value object value")
    }
}

@Suite("RefCountDisposable, ScheduledDisposable", .limitedConcurrency)
struct RefCountDisposableTests {
    @Test("a reference-counted disposable without dependents is disposed immediately")
    func alone() {
        let held = BooleanDisposable()
        let shared = RefCountDisposable(disposable: held)
        #expect(!shared.isDisposed && !held.isDisposed)
        shared.dispose()
        #expect(shared.isDisposed && held.isDisposed)
    }

    @Test("the last dependent disposes a reference-counted disposable")
    func dependents() {
        let held = BooleanDisposable()
        let shared = RefCountDisposable(disposable: held)
        let one = shared.retain()
        let two = shared.retain()
        one.dispose()
        one.dispose()
        shared.dispose()
        #expect(!held.isDisposed && !shared.isDisposed)
        two.dispose()
        #expect(held.isDisposed && shared.isDisposed)
    }

    @Test("disposing all dependents alone does not dispose a reference-counted disposable")
    func dependentsFirst() {
        let held = BooleanDisposable()
        let shared = RefCountDisposable(disposable: held)
        shared.retain().dispose()
        #expect(!held.isDisposed)
        shared.dispose()
        #expect(held.isDisposed)
    }

    @Test("retaining a disposed reference-counted disposable does nothing")
    func late() {
        let shared = RefCountDisposable(disposable: BooleanDisposable())
        shared.dispose()
        shared.retain().dispose()
        #expect(shared.isDisposed)
    }

    @Test("a scheduled disposable disposes on its scheduler, once")
    func scheduled() {
        let scheduler = TestScheduler(initialClock: 0)
        let received = Record()
        let held = Disposables.create { received.add(scheduler.clock) }
        let disposable = ScheduledDisposable(scheduler: scheduler, disposable: held)
        scheduler.scheduleAt(10) { disposable.dispose() }
        scheduler.scheduleAt(20) { disposable.dispose() }
        scheduler.start()
        #expect(received.text == "11")
        #expect(disposable.isDisposed)
    }
}
