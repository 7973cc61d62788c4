import ViewModels

struct GreetingViewModel: ViewModel {
    struct Input { let name: Observable<String> }
    struct Output { let greeting: Driver<String> }

    @Dependency(\.mainScheduler) private var scheduler

    func transform(_ input: Input) -> Output {
        Output(
            greeting: input.name.debounce(.milliseconds(300), scheduler: scheduler)
                .map { "Hello, \($0)" }.asDriver(onErrorJustReturn: ""))
    }
}
