@_exported public import TravelDomain
