import Testing
import ViewModels
import ViewModelsTesting

/// A screen whose values are independent: streams in, streams out.
nonisolated struct Titles: ViewModel {
    nonisolated struct Input: Sendable { let text: Observable<String> }
    nonisolated struct Output: Sendable { let titles: Driver<[String]>, isLoading: Driver<Bool> }

    @Dependency(\.mainScheduler) private var scheduler
    @Dependency(\.backgroundScheduler) private var background

    func transform(_ input: Input) -> Output {
        let activity = ActivityTracker()
        let titles = input.text.debounce(.milliseconds(300), scheduler: scheduler)
            .flatMapLatest { [background] text in
                Observable.just(["\(text) in winter"]).delay(.milliseconds(100), scheduler: background)
                    .trackActivity(activity)
            }
        return Output(titles: titles.asDriver(onErrorJustReturn: []), isLoading: activity.asDriver())
    }
}

@Suite("Input and output", .nothingSurvives, .timeLimit(.minutes(5)))
@MainActor
struct InputOutputTests {
    @Test("a view model is tested in virtual time, and only composes")
    func virtualTime() {
        let scheduler = TestScheduler(resolution: 0.001)
        let text = scheduler.createHotObservable([.next(10, "Je"), .next(20, "Jeju")])
        let titles = withDependencies {
            $0.useVirtualTime(of: scheduler)
        } operation: {
            Titles()
        }
        let counted = CountedStream(text.asObservable())
        let observer = scheduler.createObserver([String].self)
        let output: Titles.Output = titles.transform(Titles.Input(text: counted.stream))
        let subscription = output.titles.drive(observer)
        scheduler.run()
        #expect(observer.events.compactMap(\.value.element) == [["Jeju in winter"]])
        #expect(counted.subscriptions == 1 && counted.active == 1)
        subscription.dispose()
        expectOnlyComposes(titles) { (inputs: InputCounter) in Titles.Input(text: inputs.count(text)) }
    }

    /// A screen without inputs.
    nonisolated struct Countdown: ViewModel {
        struct Cancelled: Error {}

        func transform(_: Void) -> (seconds: Infallible<Int>, failures: Infallible<any Error>) {
            let outcomes = Observable.concat([.of(2, 1), .error(Cancelled())]).materialize()
            return (outcomes.elements(), outcomes.errors())
        }
    }

    @Test("elements and errors of materialized work are outputs of their own")
    func outcomes() {
        let (output, scheduler) = (Countdown().transform(), TestScheduler())
        let (seconds, failures) = (scheduler.createObserver(Int.self), scheduler.createObserver(Bool.self))
        let bag = DisposeBag()
        output.seconds.asObservable().subscribe(seconds).disposed(by: bag)
        output.failures.map { $0 is Countdown.Cancelled }.asObservable().subscribe(failures).disposed(by: bag)
        #expect(seconds.events.compactMap(\.value.element) == [2, 1])
        #expect(failures.events.compactMap(\.value.element) == [true])
    }

    @Test("an activity tracker is true while work is in progress")
    func activity() async throws {
        let tracker = ActivityTracker()
        let states = CountedStream(tracker.asSharedSequence().asObservable())
        #expect(states.active == 0 && ActivityTracker.Element.self == Bool.self)
        #expect(ActivityTracker.SharingStrategy.self == DriverSharingStrategy.self)
        #expect(await tracker.track { 7 } == 7)
        #expect(try await Single.just(1).trackActivity(tracker).value == 1)
    }

    @Test("a field shows its problem once it was left, and submits a valid value")
    func fields() async {
        let value = BehaviorSubject(value: "a")
        let (left, submitted) = (PublishSubject<Void>(), PublishSubject<Void>())
        let rule = ValidationRule<String, String>("too short", unless: { $0.count > 1 })
        let other = ValidationRule<String, String> { $0.contains("!") ? "no marks" : nil }
        #expect(rule.problem("a") == "too short" && other.problem("a") == nil)
        let field = FormField(rule, other).checked(after: .milliseconds(0)) { $0 == "taken" ? "taken" : nil }
        let input = FormField<String, String>.Input(value: value, touched: left, submitted: submitted)
        _ = (input.value, input.touched, input.submitted)
        let output: FormField<String, String>.Output = field.transform(input)
        var states: [FormFieldState<String, String>] = []
        var submissions: [String] = []
        let bag = DisposeBag()
        output.state.drive(onNext: { states.append($0) }).disposed(by: bag)
        output.submissions.asDriver(onErrorJustReturn: "").drive(onNext: { submissions.append($0) }).disposed(by: bag)
        _ = (output.isValid, output.isChecking, output.problem)
        while states.isEmpty { await Task.yield() }
        #expect(states[0].value == "a" && states[0].validity == .invalid("too short") && !states[0].isTouched)
        #expect(states[0].problem == nil && !states[0].isValid && !states[0].isChecking)
        left.onNext(())
        value.onNext("abc")
        while states.last?.isValid != true { await Task.yield() }
        submitted.onNext(())
        while submissions.isEmpty { await Task.yield() }
        #expect(submissions == ["abc"])
        let validities: [FormFieldState<String, String>.Validity] = [.checking, .invalid("a"), .valid]
        #expect(FormFieldState("a", validities[0], isTouched: true).isChecking)
    }

    @Test("a form submits all of its fields")
    func forms() async {
        let submitted = PublishSubject<Void>()
        let name: FilledField<String, String> = FormField<String, String>(
            ValidationRule("empty", unless: { !$0.isEmpty })
        )
        .filled(by: .just("Mina"), left: .never())
        let age = FormField<Int, String>(ValidationRule("too young", unless: { $0 >= 14 })).filled(by: .just(20))
        let form = FormFields(submitted: submitted, name, age)
        var values: [String] = []
        var canSubmit: [Bool] = []
        let bag = DisposeBag()
        form.canSubmit.drive(onNext: { canSubmit.append($0) }).disposed(by: bag)
        form.submissions.map { "\($0) \($1)" }.asDriver(onErrorJustReturn: "").drive(onNext: { values.append($0) })
            .disposed(by: bag)
        _ = (form.isValid, form.isChecking, form.fields.0.problem)
        while canSubmit.last != true { await Task.yield() }
        submitted.onNext(())
        while values.isEmpty { await Task.yield() }
        #expect(values == ["Mina 20"])
    }

    @Test("a list is loaded page by page")
    func paging() {
        nonisolated struct Post: Identifiable, Equatable, Sendable { var id: Int }
        nonisolated enum Offline: Error { case offline }
        var posts = Paging<String, Post, Int, Offline>()
        let first: Paging<String, Post, Int, Offline>.Request = posts.show("Jeju")
        #expect(first.query == "Jeju" && first.cursor == nil && posts.query == "Jeju" && posts.list.loading == .first)
        let page = CursorPage([Post(id: 1), Post(id: 2)], next: 2)
        #expect(page.items.count == 2 && page.next == 2)
        let isNewest = posts.receive(.success(page), of: first)
        #expect(isNewest)
        let next = posts.reachEnd()
        #expect(posts.list.hasMore && next?.cursor == 2 && posts.list.phase == .loading(.next))
        if let next {
            let isNewest = posts.fail(.offline, of: next)
            #expect(isNewest && posts.list.failure == .offline)
        }
        if let again = posts.retry() {
            let isNewest = posts.cancel(again)
            #expect(isNewest)
        }
        let refreshing = posts.refresh()
        #expect(refreshing != nil && posts.list.loading == .refresh)
        posts.update(1) { $0.id = 1 }
        posts.remove(2)
        posts.merge(CursorPage([Post(id: 3)]), keeping: { _ in true })
        #expect(!posts.list.isEmpty && !posts.list.items.isEmpty)
        let load: PagedList<Post, Offline>.Load = .first
        let phases: [PagedList<Post, Offline>.Phase] = [.failed(load, .offline), .loaded, .loading(.refresh)]
        #expect(PagedList<Post, Offline>([Post(id: 1)], phase: phases[1], hasMore: true).items.count == 1)
    }

    @Test("rows are found by their id")
    func rows() {
        var rows: IdentifiedRows<Row.State> = [Row.State(id: 1)]
        rows.append(Row.State(id: 2))
        rows.append(contentsOf: [Row.State(id: 4), Row.State(id: 3)])
        rows.insert(Row.State(id: 0), at: 0)
        rows.sort { $0.id < $1.id }
        #expect(rows.ids == [0, 1, 2, 3, 4] && rows.contains(id: 3) && rows.index(id: 3) == 3)
        rows.move(id: 0, to: 4)
        let removed = rows.remove(id: 4)
        rows.update(3) { $0.count = 5 }
        #expect(removed?.id == 4)
        #expect(rows[id: 3]?.count == 5 && rows[rows.startIndex].id == 1 && rows.endIndex == rows.count)
        rows.removeAll { $0.id > 1 }
        #expect(rows == IdentifiedRows([Row.State(id: 1), Row.State(id: 0)]))
        rows.removeAll()
        #expect(rows == IdentifiedRows())
    }
}

@Suite("Binding to Observation", .timeLimit(.minutes(5)))
@MainActor
struct BindingTests {
    @Test("parts of a state are properties, which a form sets")
    func observedStores() async {
        let store = ObservedStore(Draft())
        store.title = "Busan"
        #expect(store.title == "Busan" && store.store.currentState.title == "Busan")
        await store.send(.set(\.title, "Jeju")).finish()
        let part = store.scope(state: \.title) { (title: String) in Draft.Action.set(\.title, title) }
        #expect(part.store.currentState == "Jeju")
        let mutation = ObservedStore(Profile())
        let search = ObservedStore(FlowStore(Search()))
        #expect(mutation.name == "" && search.text == "")
        _ = search.events
        store.store.dismiss()
        mutation.store.dismiss()
        search.store.dismiss()
    }

    @Test("an assignment sets a part, and says which")
    func assignments() {
        var state = Draft.State()
        let assignment = Assignment(\Draft.State.title, "Busan")
        assignment.apply(to: &state)
        #expect(
            state.title == "Busan" && assignment.sets(\.title) && assignment == Assignment(\Draft.State.title, "Busan"))
        func partOf<Action: AssigningAction>(_ action: Action.Type) -> Any.Type { Action.State.self }
        #expect("\(partOf(Draft.Action.self))" == "State")
    }

    @Test("a driver is a property, and a pulse counts each assignment")
    func observed() async {
        let observed = Observed(Driver.just(1), initially: 0)
        while observed.value == 0 { await Task.yield() }
        #expect(observed.value == 1)
        var pulse = Pulse(wrappedValue: 1)
        let before = pulse
        pulse.wrappedValue = 1
        #expect(pulse != before && pulse.projectedValue == pulse)
    }
}

@Suite("The trait of ViewModelsTesting")
struct TraitTests {
    @Test("the trait fails a test that leaves subscriptions behind")
    func scoping() async throws {
        let trait: NothingSurvivesTrait = .nothingSurvives
        #expect(trait.isRecursive && NothingSurvivesTrait().isRecursive)
        let test = try #require(Test.current)
        try await confirmation { ran in
            try await trait.provideScope(for: test, testCase: Test.Case.current) { ran() }
        }
    }
}
