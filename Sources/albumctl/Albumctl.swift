internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Linux
internal import Words

/// The command of which all others are a part.
struct Albumctl: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "albumctl",
    abstract: "Ask for access to the photo library, use it, and manage who may.",
    discussion: """
      The socket is --socket PATH, else $ALBUMD_SOCKET, else $XDG_RUNTIME_DIR/albumd/io.albumd if it exists, \
      else /run/albumd/io.albumd.

      With --json, lists print one item per line and other commands the reply, with the keys of the \
      interface; a failure prints an object with the key "error".

      Exit status: 0 done, 1 failed, 2 usage, 3 not authorized (the guide is printed), 4 no agent, \
      5 refused by the owner: put off ("not now"), or not agreed to when asked to confirm.
      """,
    version: ProductVersion.current,
    groupedSubcommands: [
      CommandGroup(
        name: "App",
        subcommands: [
          WhoAmI.self, Status.self, Request.self, Albums.self, Assets.self, Duplicates.self, Describe.self,
          Open.self,
          Preview.self, Export.self, Save.self,
          Watch.self, Pick.self, Manage.self, AlbumGroup.self, Rename.self, Favorite.self,
          Hide.self, Replace.self, Revert.self, Delete.self,
        ]),
      CommandGroup(
        name: "Owner",
        subcommands: [
          Agent.self, Apps.self, Allow.self, Deny.self, Limit.self, SelectionCommand.self, Reset.self,
          Settings.self, Page.self, Deleted.self, Restore.self, Purge.self,
        ]),
      CommandGroup(
        name: "Administrator",
        subcommands: [
          Info.self, Doctor.self, Statistics.self, Policies.self, Log.self, Reload.self, Rescan.self,
        ]),
    ]
  )

  /// Reads the command line, runs what it says, reports what goes wrong.
  static func execute() -> CommandStatus {
    let arguments = LeadingOptions.behindCommand(Array(CommandLine.arguments.dropFirst()))
    var global: GlobalOptions?
    var isJSON = false
    do {
      var command: any ParsableCommand = try Status(plain: arguments[...]) ?? parseAsRoot(arguments)
      guard var known = command as? any AlbumCommand else {
        isJSON = (command as? Page)?.json ?? false
        try command.run()
        return .done
      }
      global = known.global
      isJSON = known.global.json
      try known.run()
      return .done
    } catch let error as AlbumError {
      Report.failure(error, guide: global?.guide(of: error), asJSON: isJSON)
      return CommandStatus(error)
    } catch let error as CommandFailure {
      if let message = error.message {
        Report.failure(
          isJSON ? message : Person.words.sayingReasons(Person.texts[message]), asJSON: isJSON)
      }
      return error.status
    } catch is OutputClosed {
      // Whoever reads has seen enough, as with `albumctl assets | head -1`.
      return .done
    } catch {
      return explain(error, arguments)
    }
  }

  /// Help, or what is wrong with the command line.
  private static func explain(_ error: any Error, _ arguments: [String]) -> CommandStatus {
    let code = exitCode(for: error)
    let unknown = unknownCommand(arguments[...])
    // What a person is told: read only now, since most commands print no help.
    let help = HelpText(Person.texts)
    let english =
      unknown.map { "Error: \($0)" }
      ?? fullMessage(for: error, columns: help == nil ? nil : HelpText.unbroken)
    let text = help?.translated(english, columns: Output.columns) ?? english
    if code.isSuccess, unknown == nil {
      do { try Output.write(text + "\n") } catch { return .failed }
      return .done
    }
    // Nothing was parsed that would know of the flag.
    if arguments.contains("--json") {
      Report.failure(unknown ?? message(for: error), asJSON: true)
    } else {
      StandardStream.error.write(text + "\n")
    }
    // sysexits(3) has 64 for this; the contract of albumctl is 2.
    return unknown != nil || code == .validationFailure ? .usage : .failed
  }
}

extension Albumctl {
  /// A command that there is not, of which the parser says nothing when an option follows that the command would
  /// have taken, or when help is asked about it; nil when there is nothing wrong with the command's name.
  private static func unknownCommand(_ arguments: ArraySlice<String>) -> String? {
    var group: any ParsableCommand.Type = Albumctl.self
    var path = "albumctl"
    for name in arguments.first == "help" ? arguments.dropFirst() : arguments {
      let known = group.configuration.subcommands
      if known.isEmpty || name.hasPrefix("-") || name == "help" { return nil }
      path += " \(name)"
      guard let next = known.first(where: { $0._commandName == name }) else {
        let listed = path.dropLast(name.count + 1)
        return "There is no command \(SafeText(String(path.dropFirst("albumctl ".count)))). "
          + "See which there are: \(listed) --help"
      }
      group = next
    }
    return nil
  }
}

/// A command that talks to albumd.
protocol AlbumCommand: ParsableCommand {
  var global: GlobalOptions { get }
}

/// Why a command ends with another status than 0, apart from an ``AlbumClient/AlbumError``.
struct CommandFailure: Error {
  let status: CommandStatus
  /// Nil when everything was said already.
  let message: String?

  init(_ status: CommandStatus, _ message: String? = nil) {
    self.status = status
    self.message = message
  }
}
