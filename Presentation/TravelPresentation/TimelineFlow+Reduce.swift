extension TimelineFlow {
    /// Changes the state for an action, and returns the side effects and events that follow from it.
    public func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, ScreenEvent> {
        switch action {
        case .appeared:
            return .exhausting(.watchPerson).and(.exhausting(.watchTravel(state.id)))
        case .retryTapped:
            guard state.phase != .loading else { return .none }
            if state.header == nil { state.phase = .loading }
            return .latest(.watchTravel(state.id))
        case .arrived(.success(let details)):
            state.show(details)
            return .none
        case .arrived(.failure(let failure)): return state.lose(failure)
        case .personChanged(let person): return state.change(to: person)
        case .dayPicked(let day):
            if state.entryID == nil { state.pick(day) }
            return .none
        case .nextDayPicked: return reduce(&state, .dayPicked(state.day + 1))
        case .previousDayPicked: return reduce(&state, .dayPicked(state.day - 1))
        case .likeTapped: return state.like()
        case .likeEnded(let isLiked, let outcome): return state.endLike(isLiked, outcome)
        case .reportTapped: return state.ask(.report, ofAuthor: false)
        case .blockTapped: return state.ask(.block, ofAuthor: false)
        case .deleteTapped: return state.ask(.deleteTravel, ofAuthor: true)
        case .deleteEntryTapped(let entry):
            guard state.timeline.contains(where: { $0.id == entry }) else { return .none }
            return state.ask(.deleteEntry(entry), ofAuthor: true)
        case .answered(let isYes): return state.answer(isYes)
        case .reportEnded(let result): return state.endReport(result)
        case .workEnded(let work, let outcome): return state.end(work, outcome)
        case .editTapped: return state.isMine ? .event(.open(.travelEditor(state.id))) : .none
        case .addEntryTapped: return state.isMine ? .event(.open(.newEntry(in: state.id, day: state.day))) : .none
        case .editEntryTapped(let entry):
            return state.isMine ? .event(.open(.entryEditor(entry, in: state.id))) : .none
        case .entryTapped(let entry): return .event(.open(.entry(entry, in: state.id)))
        case .mapTapped: return state.phase == .shown ? .event(.open(.map(state.id, day: state.day))) : .none
        case .backTapped: return .event(.close(nil))
        case .returned(.savedEntry(_, let day)):
            return reduce(&state, .dayPicked(day))
        case .returned(.removedTravel(state.id)): return .event(.close(.removedTravel(state.id)))
        case .returned: return .none
        }
    }
}

extension TimelineFlow.State {
    // MARK: The travel

    fileprivate mutating func show(_ details: TravelDetails) {
        phase = .shown
        header = TravelCard(details.travel, wanted: likes.wanted(id))
        timeline = details.timeline
        track = details.track
        if let entryID {
            let entry = timeline.first { $0.id == entryID }
            // An entry that is being deleted here closes the screen when that ends.
            if entry == nil, working != .deleteEntry(entryID) { phase = .gone }
            day = entry?.day ?? day
        }
        pick(day)
        if case .deleteEntry(let entry) = question, !timeline.contains(where: { $0.id == entry }) { question = nil }
        if isMine ? question == .report || question == .block : question == .deleteTravel { question = nil }
    }

    fileprivate mutating func lose(_ failure: ScreenFailure) -> TimelineFlow.Requests {
        switch failure {
        case .travel(.notFound):
            // A deletion or a block in progress closes the screen when it ends.
            if working == .deleteTravel || working == .block { return .none }
            forget()
            phase = .gone
            return .none
        default:
            if header == nil {
                phase = .failed(failure)
                return .none
            }
            // The last loaded travel stays; a retry observes it again.
            return .event(.notice(.failed(failure)))
        }
    }

    fileprivate mutating func change(to person: User?) -> TimelineFlow.Requests {
        let wasKnown = knowsPerson
        let isSame = person?.id == self.person?.id
        self.person = person
        knowsPerson = true
        // The first answer names the viewer for whom the travel is being loaded already.
        guard wasKnown, !isSame else { return .none }
        forget()
        phase = .loading
        return .cancel(id).and(.cancel(TimelineFlow.work)).and(.latest(.watchTravel(id)))
    }

    private mutating func forget() {
        header = nil
        timeline = []
        track = nil
        question = nil
        working = nil
        _ = likes.cancel()
    }

    fileprivate mutating func pick(_ day: Int) {
        self.day = min(max(day, 1), header?.travel.days.count ?? max(day, 1))
    }

    // MARK: Likes

    fileprivate mutating func like() -> TimelineFlow.Requests {
        guard person != nil else { return .event(.open(.signIn)) }
        guard let header else { return .none }
        let wanted = !header.like.isLiked
        self.header?.show(wanted)
        return likes.want(wanted, id) ? .inOrder(.setLiked(wanted, id), id: id) : .none
    }

    fileprivate mutating func endLike(
        _ isLiked: Bool, _ outcome: Outcome
    ) -> TimelineFlow.Requests {
        let end = likes.finish(id, succeeded: outcome == .done)
        if outcome == .done { header?.store(isLiked) }
        if case .send(let wanted) = end { header?.show(wanted) } else { header?.rollBack() }
        switch end {
        case .settled: return .none
        case .send(let wanted): return .inOrder(.setLiked(wanted, id), id: id)
        case .rolledBack: return outcome.failure.map { .event(.notice(.failed($0))) } ?? .none
        }
    }

    // MARK: Questions

    fileprivate mutating func ask(
        _ question: TimelineFlow.Question, ofAuthor: Bool
    ) -> TimelineFlow.Requests {
        guard phase == .shown, working == nil, isMine == ofAuthor else { return .none }
        guard person != nil else { return .event(.open(.signIn)) }
        self.question = question
        return .none
    }

    fileprivate mutating func answer(_ isYes: Bool) -> TimelineFlow.Requests {
        guard let question, let author = header?.travel.author.id else { return .none }
        self.question = nil
        guard isYes else { return .none }
        working = question
        let sideEffect: TimelineFlow.SideEffect =
            switch question {
            case .report: .report(id)
            case .block: .block(author)
            case .deleteTravel: .deleteTravel(id)
            case .deleteEntry(let entry): .deleteEntry(entry, id)
            }
        return .run(sideEffect, id: TimelineFlow.work)
    }

    fileprivate mutating func endReport(
        _ result: Result<Bool, ScreenFailure>
    ) -> TimelineFlow.Requests {
        working = nil
        switch result {
        case .success(let isNew): return .event(.notice(.done(isNew ? .reported : .alreadyReported)))
        case .failure(let failure): return .event(.notice(.failed(failure)))
        }
    }

    fileprivate mutating func end(
        _ work: TimelineFlow.Question, _ outcome: Outcome
    ) -> TimelineFlow.Requests {
        working = nil
        if let failure = outcome.failure { return .event(.notice(.failed(failure))) }
        switch work {
        case .report: return .none
        case .deleteEntry(let entry):
            let notice = TimelineFlow.Requests.event(.notice(.done(.entryDeleted)))
            return entry == entryID ? notice.and(.event(.close(.removedEntry(entry)))) : notice
        case .block: return .event(.notice(.done(.blocked))).and(.event(.close(.removedTravel(id))))
        case .deleteTravel: return .event(.notice(.done(.tripDeleted))).and(.event(.close(.removedTravel(id))))
        }
    }
}

extension TimelineFlow {
    fileprivate typealias Requests = Next<SideEffect, ScreenEvent>

    /// The ID of the effect that a confirmed question starts.
    fileprivate static let work = "work"
}
