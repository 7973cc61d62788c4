#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A decoder of data: `JSONDecoder`, `PropertyListDecoder` or a custom decoder.
///
/// ```swift
/// Observable.just(Data("{\"a\": 1}".utf8))
///     .decode(type: [String: Int].self, decoder: JSONDecoder()).map(\.count)    // 1 |
/// ```
@preconcurrency
public protocol DataDecoder: Sendable {
    func decode<Item: Decodable>(_ type: Item.Type, from data: Data) throws -> Item
}

extension JSONDecoder: DataDecoder {}
extension PropertyListDecoder: DataDecoder {}

extension ObservableType where Element == Data {
    /// Decodes each element with `decoder`. Fails with the error that the decoder throws.
    ///
    /// ```swift
    /// Observable.just(Data("[1, 2]".utf8)).decode(type: [Int].self, decoder: JSONDecoder())    // [1, 2] |
    /// ```
    @inlinable
    public func decode<Item: Decodable & Sendable, Decoder: DataDecoder>(
        type: Item.Type, decoder: Decoder
    ) -> Observable<Item> { map { try decoder.decode(type, from: $0) } }
}
