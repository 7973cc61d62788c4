// The public interface of this module uses the types of `Streams`.
@_exported public import Streams
