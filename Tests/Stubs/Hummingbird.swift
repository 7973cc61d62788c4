// Declarations of Hummingbird 2 that the articles use, so that their code is type-checked without it: see
// `ServerArticleTests`. https://docs.hummingbird.codes/2.0/documentation/hummingbird

public import Foundation

public enum HTTPField {
    public struct Name: Sendable {
        public static var authorization: Self { Self() }
    }
}

public struct HTTPFields: Sendable {
    public subscript(_ name: HTTPField.Name) -> String? { nil }
}

public struct HTTPResponse: Sendable {
    public struct Status: Sendable {
        public init(code: Int, reasonPhrase: String = "") {}
        public static var noContent: Self { Self(code: 204) }
    }
}

public struct HTTPError: Error {
    public init(_ status: HTTPResponse.Status, message: String) {}
}

public struct Parameters: Sendable {
    public func get(_ name: String) -> String? { nil }
    public func require<Value: LosslessStringConvertible>(_ name: String, as type: Value.Type) throws -> Value {
        fatalError("a declaration only")
    }
}

extension UUID: @retroactive LosslessStringConvertible {
    public init?(_ description: String) { self.init(uuidString: description) }
}

public struct URI: Sendable {
    public var queryParameters: Parameters { Parameters() }
}

public struct Request: Sendable {
    public var headers: HTTPFields { HTTPFields() }
    public var uri: URI { URI() }
}

public struct Response: Sendable {}

public protocol ResponseGenerator: Sendable {}
public protocol ResponseEncodable: Encodable, ResponseGenerator {}
extension Array: ResponseGenerator where Element: ResponseEncodable {}
extension Array: ResponseEncodable where Element: ResponseEncodable {}
extension HTTPResponse.Status: ResponseGenerator {}

public protocol RequestContext: Sendable {
    var parameters: Parameters { get }
}

public struct BasicRequestContext: RequestContext {
    public var parameters: Parameters { Parameters() }
}

public protocol RouterMiddleware<Context>: Sendable {
    associatedtype Context
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response
}

public final class Router<Context: RequestContext> {
    @discardableResult
    public func add(middleware: any RouterMiddleware<Context>) -> Self { self }
    @discardableResult
    public func get(
        _ path: String, use handler: @Sendable @escaping (Request, Context) async throws -> some ResponseGenerator
    ) -> Self { self }
    @discardableResult
    public func put(
        _ path: String, use handler: @Sendable @escaping (Request, Context) async throws -> some ResponseGenerator
    ) -> Self { self }
}
