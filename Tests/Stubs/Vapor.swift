// Declarations of Vapor 4 that the articles use, so that their code is type-checked without it: see `ServerArticleTests`.
// https://api.vapor.codes/vapor/documentation/vapor/

public import Foundation

public struct HTTPResponseStatus: Sendable {
    public init(statusCode: Int, reasonPhrase: String = "") {}
    public static var noContent: Self { Self(statusCode: 204) }
}

public typealias HTTPStatus = HTTPResponseStatus

public protocol AbortError: Error {
    var reason: String { get }
    var status: HTTPResponseStatus { get }
}

public struct BearerAuthorization: Sendable {
    public var token: String
}

public struct HTTPHeaders: Sendable {
    public var bearerAuthorization: BearerAuthorization? { nil }
}

public protocol URLQueryContainer {}

extension URLQueryContainer {
    public subscript<Value: Decodable>(_ type: Value.Type, at path: String...) -> Value? { nil }
}

public struct Parameters: Sendable {
    public func require<Value: LosslessStringConvertible>(_ name: String, as type: Value.Type) throws -> Value {
        fatalError("a declaration only")
    }
}

extension UUID: @retroactive LosslessStringConvertible {
    public init?(_ description: String) { self.init(uuidString: description) }
}

public final class Request: Sendable {
    struct Query: URLQueryContainer {}

    public var headers: HTTPHeaders { HTTPHeaders() }
    public var query: any URLQueryContainer { Query() }
    public var parameters: Parameters { Parameters() }
}

public protocol AsyncResponseEncodable: Sendable {}
public protocol Content: Codable, AsyncResponseEncodable {}
extension Array: AsyncResponseEncodable where Element: Content {}
extension Array: Content where Element: Content {}
extension HTTPResponseStatus: AsyncResponseEncodable {}

public struct PathComponent: ExpressibleByStringLiteral, Sendable {
    public init(stringLiteral value: String) {}
}

public protocol RoutesBuilder {}

extension RoutesBuilder {
    public func get<Answer: AsyncResponseEncodable>(
        _ path: PathComponent..., use closure: @Sendable @escaping (Request) async throws -> Answer
    ) {}
    public func put<Answer: AsyncResponseEncodable>(
        _ path: PathComponent..., use closure: @Sendable @escaping (Request) async throws -> Answer
    ) {}
}

public protocol RouteCollection {
    func boot(routes: any RoutesBuilder) throws
}
