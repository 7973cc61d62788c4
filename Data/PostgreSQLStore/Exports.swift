@_exported public import struct DatabaseAccess.ColumnCoding
@_exported public import struct DatabaseAccess.DatabaseObservation
@_exported public import protocol DatabaseAccess.DatabaseRecord
@_exported public import enum DatabaseAccess.ObservationHealth
@_exported public import struct DatabaseAccess.SQLJSON
@_exported public import struct DatabaseAccess.SchemaMigration
@_exported public import struct DatabaseAccess.SlowStatement
@_exported public import struct DatabaseAccess.SlowStatements
