"""Games as trees and files (PGN, XQF, UBB, CCBridge), opening books, the names of openings."""
