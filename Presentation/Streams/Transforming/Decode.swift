#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Something that makes values from data: `JSONDecoder`, `PropertyListDecoder`, or a decoder of your own.
@preconcurrency
public protocol DataDecoder: Sendable {
    /// Makes a value from data, or throws what is wrong with it.
    func decode<Item: Decodable>(_ type: Item.Type, from data: Data) throws -> Item
}

extension JSONDecoder: DataDecoder {}
extension PropertyListDecoder: DataDecoder {}

extension ObservableType where Element == Data {
    /// The value that `decoder` makes of each element. What it throws ends the stream as its error.
    ///
    /// ```swift
    /// Observable.just(Data("[1, 2]".utf8)).decode(type: [Int].self, decoder: JSONDecoder())    // [1, 2] |
    /// ```
    @inlinable
    public func decode<Item: Decodable & Sendable, Decoder: DataDecoder>(
        type: Item.Type, decoder: Decoder
    ) -> Observable<Item> {
        map { try decoder.decode(type, from: $0) }
    }
}
