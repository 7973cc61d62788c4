// A screen's inputs and outputs are streams of domain values: whoever shows a screen needs these modules with it.
@_exported public import Streams
@_exported public import TravelDomain
@_exported public import ViewModels
