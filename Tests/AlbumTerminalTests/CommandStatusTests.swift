import AlbumAPI
import AlbumClient
import AlbumTerminal
import Testing
import Varlink

@Suite struct CommandStatusTests {
  @Test(
    "an error of the interface ends with its status",
    arguments: [
      ("io.albumd.Authorization.NoAgent", CommandStatus.noAgent),
      ("io.albumd.Authorization.Busy", .failed),
      ("io.albumd.Manager.NotAnOwner", .notAuthorized),
      ("io.albumd.Agent.NotAnOwner", .notAuthorized),
      ("io.albumd.Library.UserRefused", .refused),
      ("io.albumd.Library.TokenExpired", .failed),
      ("org.varlink.service.PermissionDenied", .failed),
      ("com.example.Unheard", .failed),
    ])
  func byName(name: String, status: CommandStatus) {
    let error = AlbumError(remote: RemoteError(name: name, parameters: [:]), place: "test")
    #expect(CommandStatus(error) == status)
    #expect(!error.message.isEmpty)
  }

  @Test("S13: a throttled request ends as refused by the owner")
  func throttled() {
    let remote = RemoteError(
      name: AuthorizationInterface.Throttled.name, parameters: ["retryAfterSeconds": 3599])
    let error = AlbumError(remote: remote, place: AuthorizationInterface.Request.name)
    #expect(CommandStatus(error) == .refused)
    #expect(error.advice == ["Ask again in 60 minutes."])
  }

  @Test("S13: the owner has refused what is throttled only where an owner is asked")
  func dayIsOver() {
    let remote = RemoteError(
      name: AuthorizationInterface.Throttled.name, parameters: ["retryAfterSeconds": 3599])
    func status(_ method: String) -> CommandStatus {
      CommandStatus(AlbumError(remote: remote, place: method))
    }
    #expect(status(PickerInterface.Pick.name) == .refused)
    #expect(status(LibraryInterface.DeleteAssets.name) == .refused)
    // As much as an app may add or change within a day.
    #expect(status(LibraryInterface.AddAssets.name) == .failed)
    #expect(status(LibraryInterface.SetFavorite.name) == .failed)
  }

  @Test("S11, S33: an owner who puts a deletion off has not refused it")
  func notAgreed() {
    let remote = RemoteError(name: LibraryInterface.UserRefused.name, parameters: [:])
    let error = AlbumError(remote: remote, place: "test")
    #expect(error.message == "The owner did not agree this time. Nothing was changed.")
  }

  @Test("a limit of one is no plural")
  func oneAlbum() {
    let remote = RemoteError(name: LibraryInterface.TooManyAlbums.name, parameters: ["limit": 1])
    let error = AlbumError(remote: remote, place: "test")
    #expect(error.message == "This app has created as many albums as it may: 1.")
  }

  @Test("S15: NotAuthorized brings its guide")
  func guide() {
    let remote = RemoteError(
      name: LibraryInterface.NotAuthorized.name,
      parameters: [
        "accessLevel": "readWrite", "status": "denied",
        "guide": ["title": "T", "message": "M", "steps": ["S"]],
      ])
    let error = AlbumError(remote: remote, place: "test")
    #expect(CommandStatus(error) == .notAuthorized)
    #expect(error.guide == .init(title: "T", message: "M", steps: ["S"]))
  }

  @Test(
    "S11: not now is not a denial",
    arguments: [
      (AuthorizationInterface.AuthorizationStatus.authorized, CommandStatus.done), (.limited, .done),
      (.denied, .notAuthorized), (.restricted, .notAuthorized), (.notDetermined, .refused),
    ])
  func requests(status: AuthorizationInterface.AuthorizationStatus, exit: CommandStatus) {
    #expect(CommandStatus(requestAnsweredWith: status) == exit)
  }
}
