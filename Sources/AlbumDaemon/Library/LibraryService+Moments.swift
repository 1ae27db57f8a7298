internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import LibraryModel
internal import Storage
internal import Varlink
internal import VarlinkServer

extension LibraryService {
  /// The days, months or years with assets that the caller sees (S58).
  ///
  /// There are thousands of days, and finding when each begins takes its time: also the text is made on the other thread.
  func fetchMoments(_ parameters: LibraryInterface.FetchMoments.Parameters, _ call: ServerCall) throws {
    _ = try access.reader(call)
    try Self.check(parameters.albums, "albums")
    let task = Task.onLoopNow { [self] in
      do {
        let matching = try parameters.matching.map { filter throws(InvalidParameter) in
          try NamingFilter(filter)
        }
        let albums = try await namedAlbums(parameters.albums ?? [], call)
        let query = momentQuery(parameters, in: albums, try await filter(matching, call))
        let ids = store.ids
        let found = try await search(call) { reader -> @Sendable (LibraryReader) throws -> [UInt8] in
          let view = reader.view
          return { library in
            Self.encoded(try library.moments(view.narrow(query), by: .init(parameters.unit)), ids)
          }
        }
        access.note(.fetch, by: found.reader)
        call.send(found.value, continues: false)
      } catch { call.fail(error) }
    }
    call.onEnd { task.cancel() }
  }

  private func momentQuery(
    _ parameters: LibraryInterface.FetchMoments.Parameters, in albums: NamedAlbums, _ matching: AssetFilter?
  ) -> AssetQuery {
    var query = AssetQuery()
    if parameters.albums != nil { query.require(albums) }
    if let matching { query.require(matching) }
    if let types = parameters.mediaTypes {
      if !types.isEmpty { query.require(.mediaTypes(Set(types.map(MediaType.init)))) }
      if types.isEmpty { query.memberships.append(.init()) }
    }
    return query
  }

  /// A reply, its NUL included.
  private nonisolated static func encoded(_ moments: [Moment], _ ids: OpaqueIDs) -> [UInt8] {
    Reply.encoded { writer in
      writer.beginObject()
      writer.name("moments")
      writer.beginArray()
      for moment in moments {
        writer.element()
        writer.beginObject()
        writer.name("start")
        Instant(microseconds: moment.start * 1_000_000).write(to: &writer)
        writer.name("count")
        writer.integer(moment.count)
        writer.name("firstId")
        writer.string(ids.encode(moment.first))
        writer.end()
      }
      writer.end()
      writer.end()
    }
  }
}
