// The modules that the public interface of this module is made of: the inputs and outputs of a screen are streams of
// domain values, which the view turns into text.
@_exported public import Streams
@_exported public import TravelDomain
@_exported public import TravelTexts
@_exported public import ViewModels
