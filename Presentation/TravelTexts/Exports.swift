// What the public interface of this module is made of: names and texts of domain values.
@_exported public import TravelDomain
