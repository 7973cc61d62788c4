// The domain types in the public interface of this module.
@_exported public import TravelDomain
