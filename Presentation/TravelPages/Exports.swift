// What the public interface of this module is made of: trips, and the language of their pages.
@_exported public import TravelDomain
@_exported public import TravelTexts
