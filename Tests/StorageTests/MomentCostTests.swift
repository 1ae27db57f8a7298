import Glibc
import LibraryModel
import Linux
import Storage
import TestSupport
import Testing

/// How long a gallery waits for its scroll bar (S58): of a million assets of twenty years. It takes a while to make those,
/// so it is asked for: `ALBUMD_MILLION=1 swift test --filter MomentCostTests`.
@Suite(.enabled(if: getenv("ALBUMD_MILLION") != nil, "it takes a million assets")) struct MomentCostTests {
  @Test("S58: the moments of a million assets take at most 50 ms", arguments: Moment.Unit.allCases)
  func million(unit: Moment.Unit) throws {
    let directory = try StateDirectory()
    let path = directory.path + "/library.sqlite"
    try LibraryStore(path: path, boot: "one").close()
    try execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)
      INSERT INTO asset (id, mediaType, created, modified, byteCount, inode, birth, directory, name, linkCount)
        SELECT i, 1 + (i % 10 = 0), 1100000000000000000 + (i * 7919 % 1000000) * 631152000000, 0, 1, i, 5, 1,
          CAST(i || '.jpg' AS BLOB), 1 FROM n;
      UPDATE meta SET value = 0 WHERE name = 'momentZone';
      """, on: path)
    let store = try LibraryStore(path: path, boot: "one")
    for mediaTypes in [[], [.video]] as [Set<MediaType>] {
      var query = AssetQuery()
      query.mediaTypes = mediaTypes
      var best = Duration.seconds(1)
      for _ in 0..<5 {
        let clock = ContinuousClock()
        let start = clock.now
        let moments = try store.moments(query, by: unit)
        best = min(best, clock.now - start)
        #expect(moments.reduce(0) { $0 + $1.count } == (mediaTypes.isEmpty ? 1_000_000 : 100_000))
      }
      print("\(unit) of \(mediaTypes): \(best)")
      #expect(best < .milliseconds(50))
    }
  }
}
