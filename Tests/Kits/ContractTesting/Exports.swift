// Re-exports the modules that the public interface uses.
@_exported public import TestReporting
