import TravelDataFiles
import TravelDomain

/// The errors of files in Korean.
extension TravelFileError {
    /// One line: place, problem, remedy.
    var korean: String {
        switch place {
        case .line(let line, let column?): "\(line)행 \(column)열: \(koreanSentence)"
        case .line(let line, nil): "\(line)행: \(koreanSentence)"
        case .path(let path): "\(path): \(koreanSentence)"
        case nil: koreanSentence
        }
    }

    private var koreanSentence: String {
        switch problem.kind {
        case .unreadable: "파일을 읽을 수 없습니다. 경로와 권한을 확인하세요."
        case .empty: "빈 파일입니다. 다시 내보내세요."
        case .tooLarge(let bytes): "파일이 \(bytes >> 20) MiB보다 큽니다. 여러 파일로 나누세요."
        case .tooDeep(let depth): "값이 \(depth)단계보다 깊습니다. 다시 내보내세요."
        case .notJSON: "JSON 파일이 아닙니다. 다른 파일을 고르거나 JSON으로 내보내세요."
        case .malformedJSON(let fault): "JSON 형식이 잘못되었습니다 (\(fault)). 고치거나 다시 내보내세요."
        case .truncated: "파일이 중간에 끝납니다. 다시 복사하거나 내보내세요."
        case .otherKind: "다른 종류의 JSON 파일입니다. 다른 파일을 고르세요."
        case .unsupportedVersion(let version, let supported):
            "파일 버전이 \(version)인데 \(supported)까지만 읽을 수 있습니다. traveline을 업데이트하세요."
        case .missing(let key): "값 \"\(key)\"이(가) 없습니다. 더하거나 다시 내보내세요."
        case .unexpected(let expected): "잘못된 값입니다 (필요한 값: \(expected)). 고치세요."
        case .invalid(let violation): TravelError.invalid(violation).korean
        case .missingImage(let id): "사진 \(id)이(가) 파일에 없습니다. 더하거나 참조를 지우세요."
        case .duplicate(let id): "ID \(id)이(가) 두 번 나옵니다. 하나를 지우거나 바꾸세요."
        }
    }
}

extension GPXError {
    /// One line: place, problem, remedy.
    var korean: String {
        guard let line else { return koreanSentence }
        return (column.map { "\(line)행 \($0)열: " } ?? "\(line)행: ") + koreanSentence
    }

    private var koreanSentence: String {
        switch problem.kind {
        case .unreadable: "파일을 읽을 수 없습니다. 경로와 권한을 확인하세요."
        case .empty: "빈 파일입니다. 다시 기록하거나 내보내세요."
        case .notGPX: "GPX 파일이 아닙니다. GPX로 내보내세요."
        case .unsupportedVersion: "지원하지 않는 GPX 버전입니다. GPX 1.1이나 1.0으로 내보내세요."
        case .malformedXML: "XML 형식이 잘못되었습니다. 고치거나 다시 내보내세요."
        case .limit(let limit): "읽을 수 있는 한도를 넘습니다 (\(limit)). 파일을 줄이거나 다시 내보내세요."
        case .truncated: "파일이 중간에 끝납니다. 다시 복사하거나 내보내세요."
        case .documentType: "GPX에 없는 문서 형식 선언이 있습니다. <!DOCTYPE …> 부분을 지우세요."
        case .coordinate(.latitude, _): "지점의 위도가 없거나 -90에서 90 사이의 수가 아닙니다. 고치세요."
        case .coordinate(.longitude, _): "지점의 경도가 없거나 -180에서 180 사이의 수가 아닙니다. 고치세요."
        case .elevation: "고도가 미터 단위의 수가 아닙니다. 고치거나 빼세요."
        case .time: "시각이 2024-05-01T09:30:00Z 형식이 아닙니다. 고치거나 빼세요."
        }
    }
}
