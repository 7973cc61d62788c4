// The modules that the public interface of this module is made of.
@_exported public import TravelDomain
@_exported public import TravelPages
