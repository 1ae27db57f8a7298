import Foundation
import PackagePlugin

/// Makes Swift of a target's `.varlink` files: for each interface its definition, and a type for each message.
///
/// A file `varlink-interfaces.json` beside them says what definitions cannot (docs/decisions/0034-interface-files.md).
@main
struct VarlinkInterfaces: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let files = target.sourceModule?.sourceFiles.map(\.url) else { return [] }
    let interfaces = files.filter { $0.pathExtension == "varlink" }
    guard !interfaces.isEmpty else {
      Diagnostics.warning("\(target.name) has no .varlink file")
      return []
    }
    let hints = files.filter { $0.lastPathComponent == "varlink-interfaces.json" }
    let output = context.pluginWorkDirectoryURL
    return [
      .buildCommand(
        displayName: "Swift for the interfaces of \(target.name)",
        executable: try context.tool(named: "varlink-interfaces").url,
        arguments: ["--output", output.path(percentEncoded: false)]
          + hints.flatMap { ["--hints", $0.path(percentEncoded: false)] }
          + interfaces.map { $0.path(percentEncoded: false) },
        inputFiles: interfaces + hints,
        outputFiles: interfaces.map {
          output.appending(path: $0.deletingPathExtension().lastPathComponent + ".swift")
        })
    ]
  }
}
