/// A pattern in which `*` stands for any run of characters, none included. Nothing else is special.
package struct Glob: Hashable, Sendable, CustomStringConvertible {
  /// As written.
  package let pattern: String

  /// Every text is a pattern.
  package init(_ pattern: String) {
    self.pattern = pattern
  }

  /// As written.
  package var description: String { pattern }

  /// Whether the pattern describes the whole of `text`, byte by byte. Takes time in proportion to the
  /// product of the two lengths at worst, whatever a peer names itself.
  package func matches(_ text: String) -> Bool {
    let pattern = pattern.utf8Span.span
    let text = text.utf8Span.span
    var at = 0
    var place = 0
    var star: (pattern: Int, text: Int)?
    while place < text.count {
      if at < pattern.count, pattern[at] == asterisk {
        // The last one takes whatever follows.
        if at == pattern.count - 1 { return true }
        star = (at, place)
        at += 1
      } else if at < pattern.count, pattern[at] == text[place] {
        at += 1
        place += 1
      } else if let last = star {
        // The latest star takes one character more; earlier ones never need to.
        star = (last.pattern, last.text + 1)
        at = last.pattern + 1
        place = last.text + 1
      } else {
        return false
      }
    }
    while at < pattern.count, pattern[at] == asterisk { at += 1 }
    return at == pattern.count
  }

  /// Whether some text matches both patterns.
  package func overlaps(_ other: Glob) -> Bool {
    let left = Array(pattern.utf8)
    let right = Array(other.pattern.utf8)
    // reachable[j]: the rest of `left` from the current row and of `right` from j share a text.
    var below = [Bool](repeating: false, count: right.count + 1)
    for i in stride(from: left.count, through: 0, by: -1) {
      var row = [Bool](repeating: false, count: right.count + 1)
      for j in stride(from: right.count, through: 0, by: -1) {
        if i == left.count, j == right.count {
          row[j] = true
        } else if i < left.count, left[i] == asterisk {
          row[j] = below[j] || (j < right.count && row[j + 1])
        } else if j < right.count, right[j] == asterisk {
          row[j] = row[j + 1] || (i < left.count && below[j])
        } else if i < left.count, j < right.count, left[i] == right[j] {
          row[j] = below[j + 1]
        }
      }
      below = row
    }
    return below[0]
  }
}

private let asterisk = UInt8(ascii: "*")
