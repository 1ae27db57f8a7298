package import Authorization

/// What the administrator configured: `albumd.yaml`, the app manifests and the policies.
package struct Configuration: Sendable {
  /// A directory tree of the library.
  package struct Root: Hashable, Sendable {
    /// Absolute, without a slash at its end.
    package let path: String
    /// Albums beneath it that limited apps never see (rule S19).
    package let shared: [String]
    /// Whether the root counts as lost while nothing is mounted there (rule S41).
    package let requireMountPoint: Bool
  }

  /// How much a peer can make the daemon hold.
  package struct Limits: Hashable, Sendable {
    /// Bytes of one message.
    package var messageBytes = 1 << 20
    /// Connections of one user id.
    package var connectionsPerUser = 128
    /// Connections of all users together.
    package var connections = 4096
    /// Bytes of one file that an app adds.
    package var addBytes = 4 << 30
    /// Bytes that one app of a user adds within a day; all of that user's together, four times as many.
    package var addBytesPerDay = 256 << 30
    /// Files, likewise.
    package var addFilesPerDay = 100_000
    /// Albums that one app has created, as long as they are there.
    package var albumsPerApp = 1000
    /// How many albums there may be inside one another, the innermost counted, where an app creates one.
    package var albumDepth = 16

    /// Bytes that additions leave free where the state is: what owners decide must find room there.
    package var reserveBytes = 16 << 20

    /// The defaults.
    package init() {}
  }

  /// How long changes can be asked for (rule S27).
  package struct Journal: Hashable, Sendable {
    /// Days that a change is kept.
    package var keepDays = 30
    /// Changes that are kept at most.
    package var keepChanges = 1_000_000

    /// The defaults.
    package init() {}
  }

  /// The file that was read.
  package let file: String
  /// At least one.
  package let roots: [Root]
  /// Who answers prompts and manages (rule S44).
  package let owners: OwnerRules
  /// Whose quota users count against.
  package let subordinates: SubordinateIDs
  /// The directory for the registry, the index and the journal.
  package let state: String
  /// The directory of the first root that takes what is added without an album (rule S47).
  package let saveTo: String
  /// How much a peer can make the daemon hold.
  package let limits: Limits
  /// How long changes can be asked for.
  package let journal: Journal
  /// Days that deleted assets can be restored (rule S33).
  package let recentlyDeletedDays: Int
  /// Days that the access log is kept.
  package let accessLogKeepDays: Int
  /// Bytes of previews that are kept; with 0 none are (rule S54).
  package let previewCacheBytes: Int
  /// Whether photos and videos are hashed (rule S96).
  package let contentHashes: Bool
  /// Days after which a grant that was not used is taken back; never when nil.
  package let expireUnusedAfterDays: Int?
  /// The app manifests (rule S35).
  package let apps: ManifestCatalog
  /// The policies (rule S37).
  package let policies: PolicySet
  /// What is said to the person at an app (rule S15).
  package let guides: GuideCatalogue
  /// What is said to owners, as far as translators have added to it.
  package let translations: [Translation]
  /// What is wrong with manifests and guides: such a file does not count, or as it was before (rule S38).
  package let faults: [ConfigurationError]

  /// Where distributions keep manifests and policies.
  package static let vendorDirectory = "/usr/share/albumd"

  /// Where the files beside it are.
  static func directory(of file: String) -> String {
    file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
  }

  /// Reads the file, and `apps.d`, `policies.d`, `guides` and `words` beside it and in the vendor directory. Of two files with
  /// the same name the one beside counts.
  ///
  /// - Parameters:
  ///   - file: the path of `albumd.yaml`.
  ///   - defaultState: the state directory where the file names none.
  ///   - accounts: who resolves user and group names.
  ///   - former: what was in force until now: of a manifest or guide with errors its former text counts.
  /// - Throws: everything that is wrong, where something is with the file itself or with a policy (rule S38). What is
  ///   wrong with manifests and guides alone is told by ``faults``: an app's package takes nobody else's access away.
  package static func load(
    file: String, vendorDirectory: String = Configuration.vendorDirectory,
    defaultState: String = "/var/lib/albumd", accounts: Accounts = .system, former: Configuration? = nil
  ) throws(ConfigurationErrors) -> Configuration {
    let directory = Self.directory(of: file)
    var errors = FoundErrors()
    let main = Document.read(file, &errors[file]).flatMap {
      MainFile($0, defaultState: defaultState, accounts: accounts, &errors[file])
    }

    var faults = FoundErrors()
    let appsDirectory = "\(directory)/apps.d"
    let manifests = readManifests(
      in: ["\(vendorDirectory)/apps.d", appsDirectory], administratorDirectory: appsDirectory,
      former: former?.apps, &faults)

    var policies: [Policy] = []
    for path in filesByName(in: ["\(vendorDirectory)/policies.d", "\(directory)/policies.d"], &errors) {
      guard let document = Document.read(path, &errors[path]) else { continue }
      if let policy = readPolicy(document, accounts: accounts, &errors[path]) { policies.append(policy) }
    }

    let guides = readGuides(
      in: ["\(vendorDirectory)/guides", "\(directory)/guides"], former: former?.guides, &faults)
    guard errors.isEmpty, let main, let guides else {
      throw ConfigurationErrors(errors: errors.told + faults.told)
    }
    return Configuration(
      file: file, roots: main.roots, owners: main.owners, subordinates: .system(accounts),
      state: main.state, saveTo: main.saveTo,
      limits: main.limits, journal: main.journal, recentlyDeletedDays: main.recentlyDeletedDays,
      accessLogKeepDays: main.accessLogKeepDays, previewCacheBytes: main.previewCacheBytes,
      contentHashes: main.contentHashes,
      expireUnusedAfterDays: main.expireUnusedAfterDays,
      apps: ManifestCatalog(manifests, directory: appsDirectory),
      policies: PolicySet(policies), guides: guides,
      translations: Translation.installed(beside: file, vendorDirectory: vendorDirectory),
      faults: faults.told)
  }
}
