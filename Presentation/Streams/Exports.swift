// What the public interface of this module is made of: the intervals of timed operators, such as `.milliseconds(300)`.
@_exported public import enum Dispatch.DispatchTimeInterval
