// The public interface of this module uses `DispatchTimeInterval`, for example in `.milliseconds(300)`.
@_exported public import enum Dispatch.DispatchTimeInterval
