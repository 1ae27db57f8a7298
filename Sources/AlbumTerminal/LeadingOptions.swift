/// Options that every command of albumctl takes, and that stand before its name: the parser knows them behind it alone.
package enum LeadingOptions {
  /// The command line with such options put behind the command.
  ///
  /// - Parameter arguments: without the program's name.
  /// - Returns: as it came where it begins with a command, where none follows, or with an option that is the program's
  ///   own, such as `--help`.
  package static func behindCommand(_ arguments: [String]) -> [String] {
    var rest = arguments[...]
    var options: [String] = []
    while let option = rest.first {
      switch option {
      case "--json": options.append(option)
      case "--socket":
        guard rest.count > 1 else { return arguments }
        options += rest.prefix(2)
        rest = rest.dropFirst()
      case _ where option.hasPrefix("--socket="): options.append(option)
      default:
        if options.isEmpty || option.hasPrefix("-") { return arguments }
        // Behind `--` is nothing that the parser takes for an option.
        let end = rest.firstIndex(of: "--") ?? rest.endIndex
        return rest[..<end] + options + rest[end...]
      }
      rest = rest.dropFirst()
    }
    return arguments
  }
}
