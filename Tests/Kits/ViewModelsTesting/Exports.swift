// The modules that the public interface of this module is made of, and the kits that it builds on.
@_exported public import Composition
@_exported public import CompositionTesting
@_exported public import Streams
@_exported public import StreamsTesting
@_exported public import ViewModels
